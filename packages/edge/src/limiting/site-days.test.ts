import { isCampaign, repeat } from '@plantroom/testkit/repetitions'
import { expect, test } from 'vitest'
import { siteDays } from './testing/site-days.ts'

const days = isCampaign ? 7 : 2

test('with a battery, every quarter of an hour that can be kept is kept to within its noise, and little is wasted', async () => {
  await repeat(6, ({ random }) => {
    const seen = siteDays(random, { days, hasBattery: true })
    expect(seen.used).toBeGreaterThan(0.95)
    // An oracle knows the future. The regulator misses a quarter in a week, by less than the noise of the meter.
    expect(seen.avoidable).toBeLessThanOrEqual(1)
    expect(seen.worstKw).toBeLessThan(1)
    expect(seen.tooSoon).toBe(0)
  })
})

test('with loads that only switch, few quarters are missed, and no load switches before its time', async () => {
  await repeat(6, ({ random }) => {
    const seen = siteDays(random, { days, hasBattery: false })
    expect(seen.used).toBeGreaterThan(0.85)
    expect(seen.avoidable).toBeLessThanOrEqual(seen.quarters / 50)
    expect(seen.tooSoon).toBe(0)
    // Twice an hour, both loads together, is what their minimum times and the weather ask for.
    expect(seen.switches).toBeLessThan(days * 24 * 4)
  })
})
