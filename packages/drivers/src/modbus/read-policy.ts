import type { Failure } from '@plantroom/contract/failure'

/** How long an answer is waited for: the whole timeout, or little more than the unit usually takes. */
export type Patience = 'full' | 'short'

/** A request that was sent and got no proper answer. */
export interface Unanswered {
  unanswered: Failure
  /** `gateway`: a gateway says that it cannot reach the unit. `broken`: a wrong answer, or the socket was lost. */
  cause: 'timeout' | 'gateway' | 'broken'
  patience: Patience
  waitedMs: number
  /** How long the next request must wait besides, where the socket was lost. */
  reconnectMs: number
}

// A little less than a second, so that a poll every second finds each retry due.
export const RETRY_MS = 950
const MAX_RETRY_MS = 60_000

// Waiting in vain costs the healthy points one part in 20 of their time, and the whole timeouts one part in 50 more.
const SHARE = 20
const FULL_SHARE = 50

// Short patience goes this far beyond twice the slowest recent answer.
const SHORT_MS = 50
// With each answer a slow one counts a little less.
const FADING = 0.99
const PROBES_UNTIL_FULL = 4
/** A unit that answered this recently is slowed when another one is waited for. */
const BUSY_MS = 60_000

interface Silence {
  reason: Failure
  nextProbeAt: number
  isProbing: boolean
  shortProbes: number
}

interface Unit {
  slowestAnswerMs: number | undefined
  answers: number
  lastAnswerAt: number
  /** The last read on this unit got no proper answer. */
  isInDoubt: boolean
  silence: Silence | undefined
  /** When a retry of one of its silent ranges last got no answer. */
  lastRetryAt: number
  /** How often a silence has ended. */
  returns: number
}

/**
 * Decides which units and which ranges behind one endpoint may be asked when, and how long an answer is waited for.
 * A silent unit is looked for once a second. Where other units would be slowed, all looks and all retries of silent
 * ranges together cost them about one part in 20 of the time.
 */
export class ReadPolicy {
  readonly #units = new Map<number, Unit>()
  #nextRetryAt = Number.NEGATIVE_INFINITY
  #nextFullAt = Number.NEGATIVE_INFINITY
  #lastRetryMissAt = Number.NEGATIVE_INFINITY

  /** Returns why nothing is read from the unit now, while it is silent. */
  silence(unitId: number): Failure | undefined {
    return this.#units.get(unitId)?.silence?.reason
  }

  /** How many answers the unit has given. */
  answers(unitId: number): number {
    return this.#unit(unitId).answers
  }

  /** How often the unit was silent and came back. */
  returns(unitId: number): number {
    return this.#unit(unitId).returns
  }

  patienceMs(unitId: number, timeoutMs: number, patience: Patience): number {
    return patience === 'full' ? timeoutMs : Math.min(timeoutMs, SHORT_MS + 2 * this.#slowestAnswerMs(unitId))
  }

  /** Reads have short patience from a miss until the unit has answered a read again. */
  isInDoubt(unitId: number): boolean {
    return this.#unit(unitId).isInDoubt
  }

  /** Returns true when the answer ended a silence. */
  answered(unitId: number, answer: { tookMs: number; isRead: boolean; now: number }): boolean {
    const unit = this.#unit(unitId)
    unit.slowestAnswerMs = Math.max(answer.tookMs, (unit.slowestAnswerMs ?? 0) * FADING)
    unit.answers += 1
    unit.lastAnswerAt = answer.now
    if (answer.isRead) unit.isInDoubt = false
    if (!unit.silence) return false
    unit.silence = undefined
    unit.returns += 1
    this.#nextRetryAt = Number.NEGATIVE_INFINITY
    return true
  }

  missedRead(unitId: number, { patience, cause, waitedMs, reconnectMs }: Unanswered, now: number): void {
    this.#unit(unitId).isInDoubt = true
    if (patience === 'short' || cause !== 'timeout') return
    this.#nextFullAt = Math.max(this.#nextFullAt, now + FULL_SHARE * (waitedMs + reconnectMs))
  }

  /** Notes that nothing that was tried on the unit was answered. The first look is due in a second. */
  fellSilent(unitId: number, reason: Failure, now: number): void {
    const unit = this.#unit(unitId)
    unit.silence ??= { reason, nextProbeAt: now + RETRY_MS, isProbing: false, shortProbes: 0 }
  }

  /** Starts a look for a silent unit and returns its patience; `undefined` when none is due. */
  beginProbe(unitId: number, now: number): Patience | undefined {
    const unit = this.#unit(unitId)
    const { silence } = unit
    if (!silence || silence.isProbing || now < silence.nextProbeAt) return undefined
    silence.isProbing = true
    const isWhole =
      silence.shortProbes >= PROBES_UNTIL_FULL && (now >= this.#nextFullAt || !this.#slowsOthers(unit, now))
    silence.shortProbes = isWhole ? 0 : silence.shortProbes + 1
    silence.nextProbeAt = now + RETRY_MS
    return isWhole ? 'full' : 'short'
  }

  /** Ends a look; `missed` is absent when the look never reached the unit. */
  endProbe(unitId: number, timeoutMs: number, now: number, missed?: Unanswered): void {
    const unit = this.#unit(unitId)
    const { silence } = unit
    if (!silence) return
    silence.isProbing = false
    if (!missed) return
    if (missed.patience === 'full' || missed.cause !== 'timeout') silence.reason = missed.unanswered
    if (!this.#slowsOthers(unit, now)) return
    const pauseMs = this.#pauseMs(unitId, missed, timeoutMs, now)
    silence.nextProbeAt = Math.max(silence.nextProbeAt, now + pauseMs)
  }

  /**
   * Returns the patience for a retry of a silent range that was last asked at `askedAt`; `undefined` when none is due. A
   * unit may retry one of its ranges once a minute, however much the others retry.
   */
  retryPatience(unitId: number, askedAt: number, now: number): Patience | undefined {
    const isUnitsTurn = now >= this.#unit(unitId).lastRetryAt + MAX_RETRY_MS
    if (now < askedAt + RETRY_MS || (now < this.#nextRetryAt && !isUnitsTurn)) return undefined
    return now < this.#nextFullAt ? 'short' : 'full'
  }

  /** Notes that a range is still silent. That says nothing about the rest of the unit. */
  retryMissed(unitId: number, missed: Unanswered, timeoutMs: number, now: number): void {
    const unit = this.#unit(unitId)
    unit.lastRetryAt = now
    unit.isInDoubt = false
    this.#lastRetryMissAt = now
    this.#nextRetryAt = now + this.#pauseMs(unitId, missed, timeoutMs, now)
  }

  /** Returns how long to pause after waiting in vain. A whole timeout is paid by how rarely there is one. */
  #pauseMs(unitId: number, { patience, cause, waitedMs, reconnectMs }: Unanswered, timeoutMs: number, now: number) {
    const isPaid = patience === 'full' && cause === 'timeout'
    const countedMs = isPaid ? Math.min(waitedMs, this.patienceMs(unitId, timeoutMs, 'short')) : waitedMs
    return Math.min(SHARE * (countedMs + reconnectMs) * this.#sharers(now), MAX_RETRY_MS)
  }

  /** All silent units, and all silent ranges together, share the time for retries. */
  #sharers(now: number): number {
    let count = now - this.#lastRetryMissAt < MAX_RETRY_MS ? 1 : 0
    for (const unit of this.#units.values()) if (unit.silence) count += 1
    return Math.max(count, 1)
  }

  #slowsOthers(one: Unit, now: number): boolean {
    for (const unit of this.#units.values()) {
      if (unit !== one && !unit.silence && now - unit.lastAnswerAt < BUSY_MS) return true
    }
    return false
  }

  /** The unit's own; before its first answer, that of the slowest other unit. */
  #slowestAnswerMs(unitId: number): number {
    const own = this.#unit(unitId).slowestAnswerMs
    if (own !== undefined) return own
    let slowest = 0
    for (const { slowestAnswerMs = 0 } of this.#units.values()) slowest = Math.max(slowest, slowestAnswerMs)
    return slowest
  }

  #unit(unitId: number): Unit {
    let unit = this.#units.get(unitId)
    if (!unit) {
      unit = {
        slowestAnswerMs: undefined,
        answers: 0,
        lastAnswerAt: Number.NEGATIVE_INFINITY,
        isInDoubt: false,
        silence: undefined,
        lastRetryAt: Number.NEGATIVE_INFINITY,
        returns: 0,
      }
      this.#units.set(unitId, unit)
    }
    return unit
  }
}
