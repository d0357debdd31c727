import { randomOf } from '@plantroom/testkit/random'
import { isCampaign, repeat } from '@plantroom/testkit/repetitions'
import { expect, test } from 'vitest'
import { CEILING_KW, siteDays } from './testing/site-days.ts'

const days = isCampaign ? 7 : 1

test.each([
  ['whose charge is read', true, 0],
  // The oracle knows when it is empty. The regulator finds out when it does not follow.
  ['whose charge is not known', false, 1],
])('with a battery %s, every quarter of an hour is kept, and little is wasted', async (_what, isChargeRead, missed) => {
  await repeat(3, ({ random }) => {
    const seen = siteDays(random, { days, hasBattery: true, isChargeRead })
    expect(seen.used).toBeGreaterThan(0.95)
    expect(seen.foreseeable).toBe(0)
    expect(seen.avoidable).toBeLessThanOrEqual(missed)
    expect(seen.worstKw).toBeLessThan(CEILING_KW * 0.05)
    expect(seen.tooSoon).toBe(0)
  })
})

test('with loads that only switch, few quarters are missed, and no load switches before its time', async () => {
  await repeat(6, ({ random }) => {
    const seen = siteDays(random, { days, hasBattery: false })
    expect(seen.used).toBeGreaterThan(0.94)
    // Those that it misses came from a rise above the stated worst case, when a load could not be stopped any more.
    expect(seen.foreseeable).toBe(0)
    expect(seen.avoidable).toBeLessThanOrEqual(2)
    expect(seen.worstKw).toBeLessThan(CEILING_KW * 0.06)
    expect(seen.tooSoon).toBe(0)
    // Their minimum times allow eighteen switches an hour for both. Saving first needs up to six on a day with demand.
    expect(seen.switches).toBeLessThan(days * 24 * 6)
  })
})

test('a site that is known for a week is kept at least as well', async () => {
  await repeat(3, ({ random, seed }) => {
    const seen = siteDays(random, { days, hasBattery: false, after: randomOf(seed + 1) })
    expect(seen.used).toBeGreaterThan(0.94)
    // Those that it misses came from a rise above the stated worst case, when a load could not be stopped any more.
    expect(seen.foreseeable).toBe(0)
    expect(seen.avoidable).toBeLessThanOrEqual(1)
    expect(seen.worstKw).toBeLessThan(CEILING_KW * 0.03)
    expect(seen.tooSoon).toBe(0)
    expect(seen.switches).toBeLessThan(days * 24 * 6)
  })
})
