import { Failure } from '@plantroom/contract/failure'
import { describe, expect, test } from 'vitest'
import { type Patience, ReadPolicy, type Unanswered } from './read-policy.ts'

const SILENCE = new Failure('offline', 'no answer')
const TIMEOUT_MS = 1000
const [DEAD, ALIVE, ALSO_DEAD] = [3, 4, 5]

const unanswered = (patience: Patience, waitedMs: number, reconnectMs = 50): Unanswered => ({
  ...{ unanswered: SILENCE, cause: 'timeout', patience, waitedMs, reconnectMs },
})
const answer = (now: number, tookMs = 20) => ({ tookMs, isRead: true, now })

interface Wait {
  at: number
  patience: Patience
  blockedMs: number
}

const blocked = (waits: readonly Wait[]) => waits.reduce((sum, { blockedMs }) => sum + blockedMs, 0)
const longestPause = (waits: readonly { at: number }[]) =>
  Math.max(...waits.slice(1).map(({ at }, index) => at - (waits[index]?.at ?? 0)))

interface Timing {
  timeoutMs?: number
  reconnectMs?: number
  answerMs?: number
  /** True if another unit is being read. */
  hasOthers?: boolean
}

/** Probes a silent unit as often as the policy allows. */
function lookFor(
  policy: ReadPolicy,
  unitId: number,
  from: number,
  until: number,
  timing: Timing = {},
): readonly Wait[] {
  const { timeoutMs = TIMEOUT_MS, reconnectMs = 50, answerMs = 20, hasOthers = true } = timing
  const waits: Wait[] = []
  for (let now = from; now < until; now += 10) {
    if (hasOthers) policy.answered(ALIVE, answer(now, answerMs))
    const at = now
    const patience = policy.beginProbe(unitId, now)
    if (!patience) continue
    const waitedMs = policy.patienceMs(unitId, timeoutMs, patience)
    now += waitedMs + reconnectMs
    const missed = unanswered(patience, waitedMs, reconnectMs)
    policy.missedRead(unitId, missed, now)
    policy.endProbe(unitId, timeoutMs, now, missed)
    waits.push({ at, patience, blockedMs: waitedMs + reconnectMs })
  }
  return waits
}

describe('a unit that answers', () => {
  test('is not silent, and gets its full timeout', () => {
    const policy = new ReadPolicy()
    policy.answered(ALIVE, answer(0))
    expect(policy.silence(ALIVE)).toBeUndefined()
    expect(policy.isInDoubt(ALIVE)).toBe(false)
    expect(policy.patienceMs(ALIVE, TIMEOUT_MS, 'full')).toBe(TIMEOUT_MS)
    expect(policy.beginProbe(ALIVE, 0)).toBeUndefined()
  })

  test('has a short timeout of a little more than twice its slowest recent answer', () => {
    const policy = new ReadPolicy()
    policy.answered(ALIVE, answer(0, 300))
    policy.answered(DEAD, answer(0, 20))
    expect(policy.patienceMs(DEAD, TIMEOUT_MS, 'short')).toBe(90)
    expect(policy.patienceMs(ALIVE, TIMEOUT_MS, 'short')).toBe(650)
    expect(policy.patienceMs(ALIVE, 400, 'short')).toBe(400)
    for (let turn = 0; turn < 500; turn += 1) policy.answered(ALIVE, answer(0, 20))
    expect(policy.patienceMs(ALIVE, TIMEOUT_MS, 'short')).toBe(90)
  })

  test('uses the short timeout of the slowest other unit before its first answer', () => {
    const policy = new ReadPolicy()
    expect(policy.patienceMs(DEAD, TIMEOUT_MS, 'short')).toBe(50)
    policy.answered(ALIVE, answer(0, 100))
    expect(policy.patienceMs(DEAD, TIMEOUT_MS, 'short')).toBe(250)
  })

  test('is in doubt from a missed read until the next answered one', () => {
    const policy = new ReadPolicy()
    policy.missedRead(DEAD, unanswered('short', 50), 0)
    expect(policy.isInDoubt(DEAD)).toBe(true)
    policy.answered(DEAD, { tookMs: 1, isRead: false, now: 1 })
    expect(policy.isInDoubt(DEAD)).toBe(true)
    policy.answered(DEAD, answer(2))
    expect(policy.isInDoubt(DEAD)).toBe(false)
  })
})

describe('a unit with a silent range', () => {
  test('is not in doubt after the range is retried', () => {
    const policy = new ReadPolicy()
    policy.missedRead(ALIVE, unanswered('short', 50), 0)
    policy.retryMissed(ALIVE, unanswered('short', 50), TIMEOUT_MS, 0)
    expect(policy.isInDoubt(ALIVE)).toBe(false)
  })
})

describe('a silent unit', () => {
  function silent(): ReadPolicy {
    const policy = new ReadPolicy()
    policy.answered(ALIVE, answer(0))
    policy.fellSilent(DEAD, SILENCE, 0)
    return policy
  }

  test('stays silent until it answers any request', () => {
    const policy = silent()
    expect(policy.silence(DEAD)).toBe(SILENCE)
    expect(policy.silence(ALIVE)).toBeUndefined()
    expect(policy.answered(DEAD, { tookMs: 1, isRead: false, now: 10 })).toBe(true)
    expect(policy.silence(DEAD)).toBeUndefined()
    expect(policy.returns(DEAD)).toBe(1)
    expect(policy.answered(DEAD, answer(20))).toBe(false)
  })

  test('is first probed after a second, by one caller at a time', () => {
    const policy = silent()
    expect(policy.beginProbe(DEAD, 900)).toBeUndefined()
    expect(policy.beginProbe(DEAD, 1000)).toBe('short')
    expect(policy.beginProbe(DEAD, 60_000)).toBeUndefined()
    policy.endProbe(DEAD, TIMEOUT_MS, 60_000)
    expect(policy.beginProbe(DEAD, 60_000)).toBe('short')
  })

  test('is probed every second when alone on its endpoint, every fifth time with its full timeout', () => {
    const policy = new ReadPolicy()
    policy.fellSilent(DEAD, SILENCE, 0)
    const looks = lookFor(policy, DEAD, 0, 60_000, { hasOthers: false })
    expect(longestPause(looks)).toBeLessThan(1200)
    expect(looks.slice(0, 10).map(({ patience }) => patience === 'full')).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((look) => look % 5 === 0),
    )
  })

  test('is probed every second again when no other unit has been read for a minute', () => {
    const policy = silent()
    expect(longestPause(lookFor(policy, DEAD, 61_000, 90_000, { hasOthers: false }))).toBeLessThan(1200)
  })

  test.each([
    { answerMs: 1, timeoutMs: 1000, reconnectMs: 5, foundWithinMs: 1300 },
    { answerMs: 20, timeoutMs: 1000, reconnectMs: 50, foundWithinMs: 3200 },
    { answerMs: 100, timeoutMs: 1000, reconnectMs: 50, foundWithinMs: 6500 },
    { answerMs: 20, timeoutMs: 60_000, reconnectMs: 50, foundWithinMs: 3200 },
    { answerMs: 20, timeoutMs: 1000, reconnectMs: 550, foundWithinMs: 14_000 },
  ])('costs the others less than 7 % of their time, and is found quickly: %o', ({ foundWithinMs, ...timing }) => {
    const policy = new ReadPolicy()
    policy.answered(ALIVE, answer(0, timing.answerMs))
    policy.missedRead(DEAD, unanswered('full', timing.timeoutMs), 0)
    policy.fellSilent(DEAD, SILENCE, 0)
    const hourMs = 3_600_000
    const looks = lookFor(policy, DEAD, 0, hourMs, timing)
    expect(blocked(looks) / hourMs).toBeLessThan(0.075)
    const short = looks.filter(({ patience }) => patience === 'short')
    const wholeMs = looks.length > short.length ? timing.timeoutMs + foundWithinMs : 0
    expect(longestPause(short)).toBeLessThanOrEqual(foundWithinMs + wholeMs)
  })

  test('shares that time with all other silent units', () => {
    const alone = blocked(lookFor(silent(), DEAD, 0, 600_000))
    const policy = silent()
    policy.fellSilent(ALSO_DEAD, SILENCE, 0)
    expect(blocked(lookFor(policy, DEAD, 0, 600_000))).toBeLessThan(alone * 0.7)
  })

  test('is probed at least once a minute', () => {
    const policy = silent()
    for (let unitId = 100; unitId < 200; unitId += 1) policy.fellSilent(unitId, SILENCE, 0)
    expect(longestPause(lookFor(policy, DEAD, 0, 600_000, { answerMs: 400 }))).toBeLessThan(62_500)
  })
})

describe('a silent range', () => {
  test('is retried after a second', () => {
    const policy = new ReadPolicy()
    policy.missedRead(ALIVE, unanswered('full', 1000), 0)
    expect(policy.retryPatience(ALIVE, 0, 900)).toBeUndefined()
    expect(policy.retryPatience(ALIVE, 0, 1000)).toBe('short')
  })

  /** Retries ranges in turn as often as the policy allows. */
  function retryFor(policy: ReadPolicy, ranges: number, from: number, until: number): readonly Wait[] {
    const askedAt = new Array<number>(ranges).fill(from)
    const waits: Wait[] = []
    for (let now = from; now < until; now += 10) {
      policy.answered(ALIVE, answer(now))
      const at = now
      const range = waits.length % ranges
      const patience = policy.retryPatience(ALIVE, askedAt[range] ?? 0, now)
      if (!patience) continue
      askedAt[range] = now
      const waitedMs = policy.patienceMs(ALIVE, TIMEOUT_MS, patience)
      now += waitedMs + 50
      const missed = unanswered(patience, waitedMs)
      policy.missedRead(ALIVE, missed, now)
      policy.retryMissed(ALIVE, missed, TIMEOUT_MS, now)
      waits.push({ at, patience, blockedMs: waitedMs + 50 })
    }
    return waits
  }

  test.each([1, 5, 300])('among %i costs the healthy points about 5 % of their time', (ranges) => {
    const waits = retryFor(new ReadPolicy(), ranges, 0, 1_200_000)
    expect(blocked(waits) / 1_200_000).toBeLessThan(0.075)
    expect(longestPause(waits)).toBeLessThan(10_000)
  })

  test('gets the full timeout from time to time, since it may only be slow', () => {
    const whole = retryFor(new ReadPolicy(), 1, 0, 1_200_000).filter(({ patience }) => patience === 'full')
    expect(whole.length).toBeGreaterThan(10)
    expect(blocked(whole) / 1_200_000).toBeLessThanOrEqual(0.021)
  })

  test('shares its retry time with a silent unit', () => {
    const alone = blocked(retryFor(new ReadPolicy(), 1, 0, 600_000))
    const policy = new ReadPolicy()
    policy.fellSilent(DEAD, SILENCE, 0)
    expect(blocked(retryFor(policy, 1, 0, 600_000))).toBeLessThan(alone * 0.8)
  })

  test('is retried at least once a minute, however much other units retry', () => {
    const policy = new ReadPolicy()
    const miss = unanswered('short', 500)
    policy.retryMissed(ALIVE, miss, TIMEOUT_MS, 0)
    for (let now = 0; now <= 59_000; now += 1000) policy.retryMissed(DEAD, miss, TIMEOUT_MS, now)
    expect(policy.retryPatience(DEAD, 0, 60_000)).toBeUndefined()
    expect(policy.retryPatience(ALIVE, 0, 59_000)).toBeUndefined()
    expect(policy.retryPatience(ALIVE, 0, 60_000)).toBeDefined()
  })

  test('may be retried immediately after a silent unit has come back', () => {
    const policy = new ReadPolicy()
    policy.retryMissed(ALIVE, unanswered('short', 500), TIMEOUT_MS, 0)
    expect(policy.retryPatience(ALIVE, Number.NEGATIVE_INFINITY, 1000)).toBeUndefined()
    policy.fellSilent(ALIVE, SILENCE, 1000)
    policy.answered(ALIVE, answer(2000))
    expect(policy.retryPatience(ALIVE, Number.NEGATIVE_INFINITY, 2000)).toBeDefined()
  })
})
