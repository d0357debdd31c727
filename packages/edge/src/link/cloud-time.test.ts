import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { createCloudTime } from './cloud-time.ts'

const HOUR = 3_600_000
const CLOUD = Date.UTC(2030, 5, 1)

describe('the time of the cloud', () => {
  test('is that of the own clock until the cloud has answered', async () => {
    const clock = createManualClock(CLOUD - HOUR)
    const cloudTime = createCloudTime(clock)
    expect(cloudTime.now()).toBe(CLOUD - HOUR)
    clock.step(5000)
    await clock.advance(1000)
    expect(cloudTime.now()).toBe(CLOUD - HOUR + 6000)
  })

  test('is the cloud’s own once it has, however wrong the own clock', async () => {
    const clock = createManualClock(CLOUD - HOUR)
    const cloudTime = createCloudTime(clock)
    cloudTime.answered(cloudTime.ask(), CLOUD)
    expect(cloudTime.now()).toBe(CLOUD)
    await clock.advance(10_000)
    expect(cloudTime.now()).toBe(CLOUD + 10_000)
  })

  test('does not follow a step of the own clock', () => {
    const clock = createManualClock(CLOUD)
    const cloudTime = createCloudTime(clock)
    cloudTime.answered(cloudTime.ask(), CLOUD)
    clock.step(-HOUR)
    expect(cloudTime.now()).toBe(CLOUD)
  })

  test('takes the answer to have been given half-way between question and arrival', async () => {
    const clock = createManualClock(0)
    const cloudTime = createCloudTime(clock)
    await clock.advance(7000)
    const asked = cloudTime.ask()
    await clock.advance(300)
    cloudTime.answered(asked, CLOUD)
    expect(cloudTime.now()).toBe(CLOUD + 150)
  })

  test('follows the latest answer', async () => {
    const clock = createManualClock(0)
    const cloudTime = createCloudTime(clock)
    cloudTime.answered(cloudTime.ask(), CLOUD)
    await clock.advance(60_000)
    cloudTime.answered(cloudTime.ask(), CLOUD + 59_000)
    expect(cloudTime.now()).toBe(CLOUD + 59_000)
  })

  test.each([
    ['to no question', 'soon', CLOUD],
    ['to a question of later', '5000', CLOUD],
    ['that is no number', '0', Number.NaN],
    ['without end', '0', Number.POSITIVE_INFINITY],
  ])('ignores an answer %s', (_what, asked, time) => {
    const clock = createManualClock(CLOUD - HOUR)
    const cloudTime = createCloudTime(clock)
    cloudTime.answered(asked, time)
    expect(cloudTime.now()).toBe(CLOUD - HOUR)
  })

  test('ignores an answer that was so long on its way that it says little', async () => {
    const clock = createManualClock(CLOUD)
    const cloudTime = createCloudTime(clock)
    cloudTime.answered(cloudTime.ask(), CLOUD)
    const asked = cloudTime.ask()
    await clock.advance(60_000)
    cloudTime.answered(asked, CLOUD)
    expect(cloudTime.now()).toBe(CLOUD + 60_000)
  })

  test('asks with a word that is one level of a topic', async () => {
    const clock = createManualClock()
    await clock.advance(1234.567)
    expect(createCloudTime(clock).ask()).toMatch(/^\d+$/)
  })
})
