import { Failure } from '@plantroom/contract/failure'
import { describe, expect, test } from 'vitest'
import { Breaker } from './breaker.ts'

const SILENCE = new Failure('offline', 'no word')
const UNREACHABLE = { exception: 11 }
const TIMEOUT_MS = 1000
const [DEAD, ALIVE, ALSO_DEAD] = [3, 4, 5]

/** Asks a dead unit as often and for as long as the breaker lets it. */
function askFor(
  breaker: Breaker,
  unitId: number,
  from: number,
  untilMs: number,
  { timeoutMs = TIMEOUT_MS, reconnectMs = 50 } = {},
) {
  const asked: { at: number; blockedMs: number }[] = []
  let now = from
  while (now < untilMs) {
    if (breaker.standing(unitId, now) === undefined) {
      const waitedMs = breaker.probeMs(unitId, timeoutMs, now) ?? timeoutMs
      asked.push({ at: now, blockedMs: waitedMs })
      now += waitedMs
      breaker.missed(unitId, { reason: SILENCE, now, waitedMs, timeoutMs, reconnectMs })
    }
    now += 10
  }
  return asked
}

const blocked = (asked: readonly { blockedMs: number }[]) => asked.reduce((sum, { blockedMs }) => sum + blockedMs, 0)
const longestPause = (asked: readonly { at: number }[]) =>
  Math.max(...asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0)))

describe('a unit that answers', () => {
  test('is asked whenever somebody wants to, without a probe', () => {
    const breaker = new Breaker()
    breaker.answered(ALIVE, 20)
    expect(breaker.standing(ALIVE, 0)).toBeUndefined()
    expect(breaker.probeMs(ALIVE, TIMEOUT_MS, 0)).toBeUndefined()
  })
})

describe('a unit that missed a question', () => {
  function missedOnce(reason: Failure | { exception: number } = SILENCE): Breaker {
    const breaker = new Breaker()
    breaker.answered(ALIVE, 20)
    breaker.missed(DEAD, { reason, now: 1000, waitedMs: 1000, timeoutMs: TIMEOUT_MS, reconnectMs: 50 })
    return breaker
  }

  test('is left alone for 1 s, with the same outcome at once', () => {
    const breaker = missedOnce()
    expect(breaker.standing(DEAD, 1999)).toBe(SILENCE)
    expect(breaker.standing(DEAD, 2000)).toBeUndefined()
    expect(breaker.standing(ALIVE, 1000)).toBeUndefined()
  })

  test('must give a sign of life first, in little more time than the slowest answer took', () => {
    const breaker = missedOnce()
    expect(breaker.probeMs(DEAD, TIMEOUT_MS, 2000)).toBe(90)
    breaker.answered(ALIVE, 300)
    expect(breaker.probeMs(DEAD, TIMEOUT_MS, 2000)).toBe(650)
    expect(breaker.probeMs(DEAD, 400, 2000)).toBe(400)
    for (let turn = 0; turn < 500; turn += 1) breaker.answered(ALIVE, 20)
    expect(breaker.probeMs(DEAD, TIMEOUT_MS, 2000)).toBe(90)
  })

  test('is as good as any other once it has answered', () => {
    const breaker = missedOnce()
    breaker.answered(DEAD, 20)
    expect(breaker.standing(DEAD, 1001)).toBeUndefined()
    expect(breaker.probeMs(DEAD, TIMEOUT_MS, 1001)).toBeUndefined()
  })

  test('is given its whole timeout about once a minute: it may be slower than the others', () => {
    const asked = askFor(missedOnce(), DEAD, 1000, 600_000)
    const whole = asked.filter(({ blockedMs }) => blockedMs === TIMEOUT_MS)
    expect(whole).toHaveLength(9)
    expect(longestPause(whole)).toBeLessThan(70_000)
  })

  test('is asked without a probe where its gateway says that it cannot reach it', () => {
    const breaker = missedOnce(UNREACHABLE)
    expect(breaker.standing(DEAD, 1999)).toBe(UNREACHABLE)
    expect(breaker.probeMs(DEAD, TIMEOUT_MS, 2000)).toBeUndefined()
    const again = { reason: UNREACHABLE, now: 2400, waitedMs: 400, timeoutMs: TIMEOUT_MS, reconnectMs: 0 }
    breaker.missed(DEAD, again)
    expect(breaker.standing(DEAD, 2400 + 19_999)).toBe(UNREACHABLE)
    expect(breaker.standing(DEAD, 2400 + 20_000)).toBeUndefined()
  })

  test('is asked every second, with its whole timeout, where there is nobody to be slowed', () => {
    const breaker = new Breaker()
    const asked = askFor(breaker, DEAD, 0, 60_000)
    expect(asked.every(({ blockedMs }) => blockedMs === TIMEOUT_MS)).toBe(true)
    expect(longestPause(asked)).toBeLessThan(2100)
  })
})

describe('what silent units cost the others', () => {
  const MINUTES = 60_000

  test.each([
    { answerMs: 1, timeoutMs: 1000, reconnectMs: 50, foundWithinMs: 5200 },
    { answerMs: 20, timeoutMs: 1000, reconnectMs: 50, foundWithinMs: 7200 },
    { answerMs: 100, timeoutMs: 1000, reconnectMs: 50, foundWithinMs: 15_300 },
    { answerMs: 20, timeoutMs: 3000, reconnectMs: 50, foundWithinMs: 7200 },
    { answerMs: 20, timeoutMs: 60_000, reconnectMs: 50, foundWithinMs: 7200 },
    { answerMs: 20, timeoutMs: 200, reconnectMs: 50, foundWithinMs: 7200 },
    { answerMs: 20, timeoutMs: 1000, reconnectMs: 550, foundWithinMs: 33_000 },
  ])('is less than 5 % of their time, and the return is found soon: %o', ({ answerMs, foundWithinMs, ...timing }) => {
    const breaker = new Breaker()
    breaker.answered(ALIVE, answerMs)
    const [first, ...asked] = askFor(breaker, DEAD, 0, 600 * MINUTES, timing)
    const lostMs = blocked(asked) + asked.length * timing.reconnectMs
    expect(first?.blockedMs).toBe(timing.timeoutMs)
    expect(lostMs / (600 * MINUTES)).toBeLessThan(0.05)
    const probes = asked.filter(({ blockedMs }) => blockedMs < timing.timeoutMs)
    // A whole timeout may stand between two probes.
    const whole = asked.some(({ blockedMs }) => blockedMs === timing.timeoutMs) ? timing.timeoutMs + foundWithinMs : 0
    expect(longestPause(probes)).toBeLessThanOrEqual(foundWithinMs + whole)
  })

  test('is shared by all that are silent', () => {
    const breaker = new Breaker()
    breaker.answered(ALIVE, 1)
    const costOf = (asked: readonly { blockedMs: number }[]) => blocked(asked) / (60 * MINUTES)
    const alone = costOf(askFor(breaker, DEAD, 0, 60 * MINUTES))
    askFor(breaker, ALSO_DEAD, 60 * MINUTES, 61 * MINUTES)
    const shared = costOf(askFor(breaker, DEAD, 61 * MINUTES, 121 * MINUTES))
    expect(shared).toBeLessThan(alone * 0.6)
  })

  test('leaves nobody alone for more than a minute', () => {
    const breaker = new Breaker()
    breaker.answered(ALIVE, 400)
    for (let unitId = 100; unitId < 129; unitId += 1) askFor(breaker, unitId, 0, 10)
    expect(longestPause(askFor(breaker, DEAD, 0, 60 * MINUTES))).toBeLessThanOrEqual(61_000)
  })
})
