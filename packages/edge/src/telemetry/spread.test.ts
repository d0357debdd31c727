import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { createSpread } from './spread.ts'

/** The delay of a device, in milliseconds. */
async function delayOf(deviceId: string, intervalSeconds: number): Promise<number> {
  const clock = createManualClock(0)
  const ran: number[] = []
  const spread = createSpread({ deviceId, clock, action: () => void ran.push(clock.now()) })
  spread.request(intervalSeconds)
  spread.request(intervalSeconds)
  await clock.advance(60_000)
  expect(ran).toHaveLength(1)
  return ran[0] ?? Number.NaN
}

const DEVICES = Array.from({ length: 200 }, (_, index) => `dev_${index}`)

describe('the delay of a device', () => {
  test.each([
    [1, 500],
    [10, 5_000],
    [60, 20_000],
    [900, 20_000],
  ])('with an interval of %i s is at most %i ms, and spreads a fleet over that time', async (seconds, most) => {
    const delays = await Promise.all(DEVICES.map((device) => delayOf(device, seconds)))
    expect(Math.max(...delays)).toBeLessThanOrEqual(most)
    const perTenth = Object.values(Object.groupBy(delays, (delay) => Math.floor((10 * delay) / most)))
    expect(perTenth).toHaveLength(10)
    for (const some of perTenth) expect(some?.length).toBeGreaterThan(5)
  })

  test('is always the same', async () => {
    expect(await delayOf('dev_1', 60)).toBe(await delayOf('dev_1', 900))
  })

  test('begins again after the action, and ends when it is closed', async () => {
    const clock = createManualClock(0)
    const ran: number[] = []
    const spread = createSpread({ deviceId: 'dev_1', clock, action: () => void ran.push(clock.now()) })
    spread.request(60)
    await clock.advance(20_000)
    spread.request(60)
    await clock.advance(20_000)
    expect(ran).toHaveLength(2)
    spread.request(60)
    spread.close()
    expect(clock.waiting()).toEqual([])
  })
})
