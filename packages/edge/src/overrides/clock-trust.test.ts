import { describe, expect, test } from 'vitest'
import { hearCloud, judge, judgeAtBoot, observe, type Trust, trustAtBoot } from './clock-trust.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOON = Date.UTC(2030, 0, 1, 12)

/** So long after the start, with a clock that says so. */
const after = (ms: number, wall: number) => ({ wall, monotonic: 500 + ms })
const boot = (wall: number, mark?: number): Trust => trustAtBoot(after(0, wall), mark)

describe('at a start', () => {
  test('a clock is believed where no time was ever seen', () => {
    expect(boot(NOON)).toMatchObject({ suspect: false, mark: NOON })
  })

  test('a clock that is not behind the latest time seen is believed: the time is known', () => {
    expect(boot(NOON, NOON - HOUR)).toMatchObject({ suspect: false, known: true })
    expect(boot(NOON, NOON + 2000)).toMatchObject({ suspect: false, known: true })
  })

  test('a clock behind the latest time seen is not: the time is not known', () => {
    expect(boot(NOON, NOON + 2001)).toMatchObject({ suspect: true, known: false })
    expect(boot(0, NOON)).toMatchObject({ suspect: true, known: false })
  })

  test('the time is known once the clock has reached the mark, or the cloud has told it', () => {
    const behind = boot(NOON - HOUR, NOON)
    expect(observe(behind, after(MINUTE, NOON - HOUR + MINUTE)).known).toBe(false)
    expect(observe(behind, after(MINUTE, NOON + MINUTE)).known).toBe(true)
    expect(hearCloud(behind, after(0, NOON - HOUR), NOON + HOUR).known).toBe(true)
    expect(hearCloud(behind, after(0, NOON - HOUR), Number.NaN).known).toBe(false)
  })

  test('what was held is judged by the latest time seen, where the clock is only a little behind too', () => {
    expect(judgeAtBoot(boot(NOON, NOON + 30_000), after(0, NOON)).wall).toBe(NOON + 30_000)
    expect(judgeAtBoot(boot(0, NOON), after(0, 0)).wall).toBe(NOON)
  })
})

describe('a suspect clock', () => {
  const suspect = boot(NOON - HOUR, NOON)

  test('is not gone by: time goes on from the mark', () => {
    expect(judge(suspect, after(MINUTE, NOON - HOUR + MINUTE)).wall).toBe(NOON + MINUTE)
  })

  test('stays suspect as long as it is behind where the mark has gone', () => {
    expect(observe(suspect, after(MINUTE, NOON - HOUR + MINUTE)).suspect).toBe(true)
    expect(observe(suspect, after(2 * HOUR, NOON + HOUR)).suspect).toBe(true)
  })

  test('is believed again when it was set to where the mark has gone', () => {
    const trust = observe(suspect, after(MINUTE, NOON + MINUTE))
    expect(trust.suspect).toBe(false)
    expect(judge(trust, after(MINUTE, NOON + MINUTE)).wall).toBe(NOON + MINUTE)
  })

  test('is believed when the cloud agrees with it: the mark was wrong', () => {
    expect(hearCloud(suspect, after(0, NOON - HOUR), NOON - HOUR + 500)).toMatchObject({
      suspect: false,
      mark: NOON - HOUR,
    })
  })

  test('is not when the cloud tells nonsense', () => {
    expect(hearCloud(suspect, after(0, NOON - HOUR), Number.NaN)).toBe(suspect)
  })

  test('is not when the cloud disagrees: time goes on from the cloud, where that is later than the mark', () => {
    const told = hearCloud(suspect, after(0, NOON - HOUR), NOON + 5 * MINUTE)
    expect(told.suspect).toBe(true)
    expect(judge(told, after(MINUTE, NOON - HOUR + MINUTE)).wall).toBe(NOON + 6 * MINUTE)
    expect(hearCloud(suspect, after(0, NOON - HOUR), NOON - 30 * MINUTE).mark).toBe(NOON)
  })
})

describe('a clock that was believed', () => {
  test.each([
    ['behind', -HOUR],
    ['ahead', HOUR],
  ])('is suspect once the cloud says that it is %s', (_, off) => {
    expect(hearCloud(boot(NOON), after(0, NOON), NOON - off).suspect).toBe(true)
    expect(hearCloud(boot(NOON), after(0, NOON), NOON - Math.sign(off) * MINUTE).suspect).toBe(false)
  })

  test('and is ahead of the cloud still ends what is held by its own time', () => {
    const ahead = hearCloud(boot(NOON), after(0, NOON), NOON - HOUR)
    expect(judge(ahead, after(0, NOON)).wall).toBe(NOON)
  })
})

describe('the mark', () => {
  test('goes on while the clock is suspect: a second restart does not give the time back', () => {
    const suspect = boot(NOON - HOUR, NOON)
    expect(observe(suspect, after(20 * MINUTE, NOON - HOUR + 20 * MINUTE)).mark).toBe(NOON + 20 * MINUTE)
  })

  test('goes on after the clock was set back at work: a restart does not give the time back', () => {
    const trust = observe(boot(NOON), after(20 * MINUTE, NOON - HOUR + 20 * MINUTE))
    expect(trust).toMatchObject({ mark: NOON + 20 * MINUTE, suspect: false })
  })

  test('follows a clock that was set forward', () => {
    expect(observe(boot(NOON), after(1, NOON + HOUR)).mark).toBe(NOON + HOUR)
  })

  test('comes back to a clock that was set back at work when the cloud agrees with it', () => {
    const trust = observe(boot(NOON), after(1, NOON - HOUR))
    expect(hearCloud(trust, after(1, NOON - HOUR), NOON - HOUR).mark).toBe(NOON - HOUR)
  })
})
