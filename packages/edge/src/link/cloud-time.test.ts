import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { createCloudTime } from './cloud-time.ts'

const HOUR = 3_600_000
const CLOUD = Date.UTC(2030, 5, 1)

describe("the cloud's time", () => {
  test("is the controller's time until the cloud has answered", async () => {
    const clock = createManualClock(CLOUD - HOUR)
    const cloudTime = createCloudTime(clock)
    expect(cloudTime.now()).toBe(CLOUD - HOUR)
    clock.step(5000)
    await clock.advance(1000)
    expect(cloudTime.now()).toBe(CLOUD - HOUR + 6000)
  })

  test("is right once the cloud has answered, however wrong the controller's clock", async () => {
    const clock = createManualClock(CLOUD - HOUR)
    const cloudTime = createCloudTime(clock)
    cloudTime.answered(cloudTime.ask(), CLOUD)
    expect(cloudTime.now()).toBe(CLOUD)
    await clock.advance(10_000)
    expect(cloudTime.now()).toBe(CLOUD + 10_000)
  })

  test("does not follow a step of the controller's clock", () => {
    const clock = createManualClock(CLOUD)
    const cloudTime = createCloudTime(clock)
    cloudTime.answered(cloudTime.ask(), CLOUD)
    clock.step(-HOUR)
    expect(cloudTime.now()).toBe(CLOUD)
  })

  test('assumes that the answer was given halfway between question and arrival', async () => {
    const clock = createManualClock(0)
    const cloudTime = createCloudTime(clock)
    await clock.advance(7000)
    const asked = cloudTime.ask()
    await clock.advance(300)
    cloudTime.answered(asked, CLOUD)
    expect(cloudTime.now()).toBe(CLOUD + 150)
  })

  test("is the controller's time where that is possible", async () => {
    const clock = createManualClock(CLOUD)
    const cloudTime = createCloudTime(clock)
    const asked = cloudTime.ask()
    await clock.advance(300)
    cloudTime.answered(asked, CLOUD + 290)
    expect(cloudTime.now()).toBe(CLOUD + 300)
    clock.step(-20)
    expect(cloudTime.now()).toBe(CLOUD + 290 + 150)
    clock.step(20 + 291)
    expect(cloudTime.now()).toBe(CLOUD + 290 + 150)
  })

  test('is at most as late as if the answer was given right after the question', async () => {
    const clock = createManualClock(0)
    const cloudTime = createCloudTime(clock)
    expect(cloudTime.latest()).toBe(cloudTime.now())
    const asked = cloudTime.ask()
    await clock.advance(300)
    cloudTime.answered(asked, CLOUD)
    expect(cloudTime.latest()).toBe(CLOUD + 300)
    await clock.advance(1000)
    expect(cloudTime.latest()).toBe(CLOUD + 1300)
  })

  test('follows the latest answer', async () => {
    const clock = createManualClock(0)
    const cloudTime = createCloudTime(clock)
    cloudTime.answered(cloudTime.ask(), CLOUD)
    await clock.advance(60_000)
    cloudTime.answered(cloudTime.ask(), CLOUD + 59_000)
    expect(cloudTime.now()).toBe(CLOUD + 59_000)
  })

  test('is known better with each answer, and a slow one takes nothing away', async () => {
    const clock = createManualClock(0)
    const cloudTime = createCloudTime(clock)
    /** Asks, and gets an answer given after one part of the round trip. */
    const ask = async (thereMs: number, backMs: number) => {
      const asked = cloudTime.ask()
      await clock.advance(thereMs)
      const time = CLOUD + clock.monotonic()
      await clock.advance(backMs)
      cloudTime.answered(asked, time)
      return Math.abs(cloudTime.now() - (CLOUD + clock.monotonic()))
    }
    expect(await ask(0, 1_000)).toBe(500)
    expect(await ask(40, 20)).toBeLessThan(11)
    expect(await ask(1_900, 0)).toBeLessThan(11)
    await clock.advance(600_000)
    expect(await ask(0, 1_900)).toBeLessThan(11 + 60)
    expect(cloudTime.latest()).toBeGreaterThanOrEqual(CLOUD + clock.monotonic())
  })

  test.each([
    ['to an unknown question', 'soon', CLOUD],
    ['to a question from the future', '5000', CLOUD],
    ['that is not a number', '0', Number.NaN],
    ['that is infinite', '0', Number.POSITIVE_INFINITY],
  ])('ignores an answer %s', (_what, asked, time) => {
    const clock = createManualClock(CLOUD - HOUR)
    const cloudTime = createCloudTime(clock)
    cloudTime.answered(asked, time)
    expect(cloudTime.now()).toBe(CLOUD - HOUR)
  })

  test('ignores an answer that took too long to be accurate', async () => {
    const clock = createManualClock(CLOUD)
    const cloudTime = createCloudTime(clock)
    cloudTime.answered(cloudTime.ask(), CLOUD)
    const asked = cloudTime.ask()
    await clock.advance(60_000)
    cloudTime.answered(asked, CLOUD)
    expect(cloudTime.now()).toBe(CLOUD + 60_000)
  })

  test('asks with a token that is a single topic level', async () => {
    const clock = createManualClock()
    await clock.advance(1234.567)
    expect(createCloudTime(clock).ask()).toMatch(/^\d+$/)
  })
})
