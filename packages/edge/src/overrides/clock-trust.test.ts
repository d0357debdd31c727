import { describe, expect, test } from 'vitest'
import { differenceOf, hearCloud, judge, judgeAtBoot, observe, type Trust, trustAtBoot } from './clock-trust.ts'

const SECOND = 1_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOON = Date.UTC(2030, 0, 1, 12)

/** A moment this long after the start, by both clocks. */
const after = (ms: number, wall: number) => ({ wall, monotonic: 500 + ms })
const boot = (wall: number, mark?: number, difference?: number): Trust =>
  trustAtBoot(after(0, wall), { mark, difference })

describe('at a start', () => {
  test('a clock is trusted when no time was ever recorded', () => {
    expect(boot(NOON)).toMatchObject({ known: true, mark: NOON })
  })

  test('a clock that is not behind the latest recorded time is trusted, so the time is known', () => {
    expect(boot(NOON, NOON - HOUR).known).toBe(true)
    expect(boot(NOON, NOON + 2000).known).toBe(true)
  })

  test('a clock behind the latest recorded time is not trusted, so the time is unknown', () => {
    expect(boot(NOON, NOON + 2001).known).toBe(false)
    expect(boot(0, NOON).known).toBe(false)
  })

  test('the time becomes known when the clock reaches the mark or the cloud sends it', () => {
    const behind = boot(NOON - HOUR, NOON)
    expect(observe(behind, after(MINUTE, NOON - HOUR + MINUTE)).known).toBe(false)
    expect(observe(behind, after(2 * HOUR, NOON + HOUR)).known).toBe(false)
    expect(observe(behind, after(MINUTE, NOON + MINUTE)).known).toBe(true)
    expect(hearCloud(behind, after(0, NOON - HOUR), NOON + HOUR).known).toBe(true)
    expect(hearCloud(behind, after(0, NOON - HOUR), Number.NaN).known).toBe(false)
  })

  test('overrides are judged by the latest recorded time, even if the clock is only slightly behind', () => {
    expect(judgeAtBoot(boot(NOON, NOON + 30_000), after(0, NOON))).toBe(NOON + 30_000)
    expect(judgeAtBoot(boot(NOON, NOON + 1_000), after(0, NOON))).toBe(NOON + 1_000)
    expect(judgeAtBoot(boot(0, NOON), after(0, 0))).toBe(NOON)
  })

  test('while the time is unknown, it advances from the mark', () => {
    expect(judge(boot(NOON - HOUR, NOON), after(MINUTE, NOON - HOUR + MINUTE))).toBe(NOON + MINUTE)
  })
})

describe('at a start with a recorded difference from the cloud', () => {
  test('of a clock slightly behind, the difference counts: the clock alone would be before the latest time', () => {
    const trust = boot(NOON - 50 * SECOND, NOON - 10 * SECOND, 50 * SECOND)
    expect(trust.known).toBe(true)
    // A step afterwards changes nothing.
    expect(judge(trust, after(MINUTE, NOON + 10 * HOUR))).toBe(NOON + MINUTE)
  })

  test('of a clock that was set right meanwhile, the clock counts: with the difference it would be before', () => {
    const trust = boot(NOON, NOON - MINUTE, -2 * HOUR)
    expect(trust.known).toBe(true)
    expect(judge(trust, after(MINUTE, NOON + MINUTE))).toBe(NOON + MINUTE)
  })

  test.each([50 * SECOND, -50 * SECOND])(
    'of %i ms, the later time counts if the cloud is silent for 3 s',
    (difference) => {
      const trust = boot(NOON, NOON - HOUR, difference)
      expect(trust.known).toBe(false)
      expect(judge(trust, after(0, NOON))).toBe(NOON + difference)
      expect(observe(trust, after(2_999, NOON + 2_999)).known).toBe(false)
      const settled = observe(trust, after(3_000, NOON + 3_000))
      expect(settled.known).toBe(true)
      expect(judge(settled, after(MINUTE, NOON + MINUTE))).toBe(Math.max(NOON, NOON + difference) + MINUTE)
    },
  )

  test.each([2 * HOUR, -2 * HOUR])('of %i ms, only the cloud can tell', (difference) => {
    const trust = boot(NOON, NOON - 3 * HOUR, difference)
    expect(observe(trust, after(10 * HOUR, NOON + 10 * HOUR)).known).toBe(false)
    expect(hearCloud(trust, after(1, NOON), NOON - HOUR)).toMatchObject({ known: true, mark: NOON - HOUR })
  })

  test('a clock far behind the latest time is not used, whatever was recorded', () => {
    expect(boot(NOON - HOUR, NOON, HOUR).known).toBe(false)
  })

  test('a difference within the noise means nothing', () => {
    expect(boot(NOON, NOON, 2 * SECOND)).toEqual(boot(NOON, NOON))
  })
})

describe('once the cloud has sent the time', () => {
  test.each([
    ['behind', -HOUR],
    ['50 s behind', -50 * SECOND],
    ['ahead', 2 * HOUR],
  ])('a clock that is %s does not count', (_, off) => {
    const trust = hearCloud(boot(NOON), after(0, NOON), NOON - off)
    expect(trust).toMatchObject({ known: true, mark: NOON - off })
    expect(judge(trust, after(MINUTE, NOON + MINUTE))).toBe(NOON - off + MINUTE)
  })

  test('a step of the clock changes nothing, and the difference follows it', () => {
    const trust = observe(hearCloud(boot(NOON), after(0, NOON), NOON), after(MINUTE, NOON + 5 * HOUR))
    expect(judge(trust, after(MINUTE, NOON + 5 * HOUR))).toBe(NOON + MINUTE)
    expect(differenceOf(trust, after(MINUTE, NOON + 5 * HOUR))).toBe(MINUTE - 5 * HOUR)
    expect(trust.mark).toBe(NOON + MINUTE)
  })

  test('it decides, even if it is before the latest time', () => {
    const trust = hearCloud(boot(NOON - HOUR, NOON), after(0, NOON - HOUR), NOON - HOUR + 500)
    expect(judgeAtBoot(trust, after(0, NOON - HOUR))).toBe(NOON - HOUR + 500)
  })

  test('an invalid time is ignored', () => {
    const trust = boot(NOON - HOUR, NOON)
    expect(hearCloud(trust, after(0, NOON - HOUR), Number.NaN)).toBe(trust)
  })
})

describe('the mark of a controller that has not heard the cloud', () => {
  test('advances while the time is unknown, so that a second restart does not lengthen a hold', () => {
    const unknown = boot(NOON - HOUR, NOON)
    expect(observe(unknown, after(20 * MINUTE, NOON - HOUR + 20 * MINUTE)).mark).toBe(NOON + 20 * MINUTE)
  })

  test('advances after the clock is set back, so that a restart does not lengthen a hold', () => {
    const trust = observe(boot(NOON), after(20 * MINUTE, NOON - HOUR + 20 * MINUTE))
    expect(trust).toMatchObject({ mark: NOON + 20 * MINUTE, known: true })
  })

  test('follows a clock that is set forward', () => {
    expect(observe(boot(NOON), after(1, NOON + HOUR)).mark).toBe(NOON + HOUR)
  })
})
