import { describe, expect, test } from 'vitest'
import { hearCloud, judge, judgeAtBoot, observe, type Trust, trustAtBoot } from './clock-trust.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOON = Date.UTC(2030, 0, 1, 12)

/** A moment this long after the start, by both clocks. */
const after = (ms: number, wall: number) => ({ wall, monotonic: 500 + ms })
const boot = (wall: number, mark?: number): Trust => trustAtBoot(after(0, wall), mark)

describe('at a start', () => {
  test('a clock is trusted when no time was ever recorded', () => {
    expect(boot(NOON)).toMatchObject({ suspect: false, mark: NOON })
  })

  test('a clock that is not behind the latest recorded time is trusted, so the time is known', () => {
    expect(boot(NOON, NOON - HOUR)).toMatchObject({ suspect: false, known: true })
    expect(boot(NOON, NOON + 2000)).toMatchObject({ suspect: false, known: true })
  })

  test('a clock behind the latest recorded time is not trusted, so the time is unknown', () => {
    expect(boot(NOON, NOON + 2001)).toMatchObject({ suspect: true, known: false })
    expect(boot(0, NOON)).toMatchObject({ suspect: true, known: false })
  })

  test('the time becomes known when the clock reaches the mark or the cloud sends it', () => {
    const behind = boot(NOON - HOUR, NOON)
    expect(observe(behind, after(MINUTE, NOON - HOUR + MINUTE)).known).toBe(false)
    expect(observe(behind, after(MINUTE, NOON + MINUTE)).known).toBe(true)
    expect(hearCloud(behind, after(0, NOON - HOUR), NOON + HOUR).known).toBe(true)
    expect(hearCloud(behind, after(0, NOON - HOUR), Number.NaN).known).toBe(false)
  })

  test('overrides are judged by the latest recorded time, even if the clock is only slightly behind', () => {
    expect(judgeAtBoot(boot(NOON, NOON + 30_000), after(0, NOON)).wall).toBe(NOON + 30_000)
    expect(judgeAtBoot(boot(0, NOON), after(0, 0)).wall).toBe(NOON)
  })
})

describe('a suspect clock', () => {
  const suspect = boot(NOON - HOUR, NOON)

  test('is ignored: time advances from the mark', () => {
    expect(judge(suspect, after(MINUTE, NOON - HOUR + MINUTE)).wall).toBe(NOON + MINUTE)
  })

  test('stays suspect while it is behind the advancing mark', () => {
    expect(observe(suspect, after(MINUTE, NOON - HOUR + MINUTE)).suspect).toBe(true)
    expect(observe(suspect, after(2 * HOUR, NOON + HOUR)).suspect).toBe(true)
  })

  test('is trusted again when it is set to the advanced mark', () => {
    const trust = observe(suspect, after(MINUTE, NOON + MINUTE))
    expect(trust.suspect).toBe(false)
    expect(judge(trust, after(MINUTE, NOON + MINUTE)).wall).toBe(NOON + MINUTE)
  })

  test('is trusted when the cloud agrees with it, because then the mark was wrong', () => {
    expect(hearCloud(suspect, after(0, NOON - HOUR), NOON - HOUR + 500)).toMatchObject({
      suspect: false,
      mark: NOON - HOUR,
    })
  })

  test('stays suspect when the cloud sends an invalid time', () => {
    expect(hearCloud(suspect, after(0, NOON - HOUR), Number.NaN)).toBe(suspect)
  })

  test("stays suspect when the cloud disagrees: time advances from the cloud's time if that is later than the mark", () => {
    const disagreed = hearCloud(suspect, after(0, NOON - HOUR), NOON + 5 * MINUTE)
    expect(disagreed.suspect).toBe(true)
    expect(judge(disagreed, after(MINUTE, NOON - HOUR + MINUTE)).wall).toBe(NOON + 6 * MINUTE)
    expect(hearCloud(suspect, after(0, NOON - HOUR), NOON - 30 * MINUTE).mark).toBe(NOON)
  })
})

describe('a trusted clock', () => {
  test.each([
    ['behind', -HOUR],
    ['ahead', HOUR],
  ])('becomes suspect when it is %s by the cloud', (_, off) => {
    expect(hearCloud(boot(NOON), after(0, NOON), NOON - off).suspect).toBe(true)
    expect(hearCloud(boot(NOON), after(0, NOON), NOON - Math.sign(off) * MINUTE).suspect).toBe(false)
  })

  test('that is ahead of the cloud still ends overrides by its own time', () => {
    const ahead = hearCloud(boot(NOON), after(0, NOON), NOON - HOUR)
    expect(judge(ahead, after(0, NOON)).wall).toBe(NOON)
  })
})

describe('the mark', () => {
  test('advances while the clock is suspect, so that a second restart does not lengthen a hold', () => {
    const suspect = boot(NOON - HOUR, NOON)
    expect(observe(suspect, after(20 * MINUTE, NOON - HOUR + 20 * MINUTE)).mark).toBe(NOON + 20 * MINUTE)
  })

  test('advances after the clock is set back, so that a restart does not lengthen a hold', () => {
    const trust = observe(boot(NOON), after(20 * MINUTE, NOON - HOUR + 20 * MINUTE))
    expect(trust).toMatchObject({ mark: NOON + 20 * MINUTE, suspect: false })
  })

  test('follows a clock that is set forward', () => {
    expect(observe(boot(NOON), after(1, NOON + HOUR)).mark).toBe(NOON + HOUR)
  })

  test('returns to a clock that was set back when the cloud agrees with it', () => {
    const trust = observe(boot(NOON), after(1, NOON - HOUR))
    expect(hearCloud(trust, after(1, NOON - HOUR), NOON - HOUR).mark).toBe(NOON - HOUR)
  })
})
