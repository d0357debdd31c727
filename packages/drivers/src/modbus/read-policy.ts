import type { Failure } from '@plantroom/contract/failure'

/** How long to wait for an answer: the full timeout, or a little more than the unit usually takes. */
export type Patience = 'full' | 'short'

/** A request that was sent and got no valid answer. */
export interface Unanswered {
  unanswered: Failure
  /** `gateway`: a gateway could not reach the unit. `broken`: the answer was invalid, or the socket was lost. */
  cause: 'timeout' | 'gateway' | 'broken'
  patience: Patience
  waitedMs: number
  /** How much longer the next request must wait because the socket was lost. */
  reconnectMs: number
}

// A little less than a second, so that a poll every second finds each retry due.
export const RETRY_MS = 950
const MAX_RETRY_MS = 60_000

// Missing answers may cost the healthy points 1/20 of their time, and full timeouts another 1/50.
const SHARE = 20
const FULL_SHARE = 50

// A short timeout is twice the slowest recent answer plus this.
const SHORT_MS = 50
// A slow answer counts a little less with each later one.
const FADING = 0.99
const PROBES_UNTIL_FULL = 4
/** A unit that answered within this time is slowed down while another one is waited for. */
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
  /** True if the last read of this unit got no valid answer. */
  isInDoubt: boolean
  silence: Silence | undefined
  /** When a retry of one of its silent ranges last failed. */
  lastRetryAt: number
  /** How often the unit was silent and came back. */
  returns: number
}

/**
 * Decides when each unit and range behind one endpoint may be read, and how long to wait for the answer. Silent units
 * are probed once a second. If that would slow other units down, all probes and retries together cost them about 1/20
 * of their time.
 */
export class ReadPolicy {
  readonly #units = new Map<number, Unit>()
  #nextRetryAt = Number.NEGATIVE_INFINITY
  #nextFullAt = Number.NEGATIVE_INFINITY
  #lastRetryMissAt = Number.NEGATIVE_INFINITY

  /** Returns the reason for the unit's silence; `undefined` if it is not silent. */
  silence(unitId: number): Failure | undefined {
    return this.#units.get(unitId)?.silence?.reason
  }

  /** Returns how many answers the unit has given. */
  answers(unitId: number): number {
    return this.#unit(unitId).answers
  }

  /** Returns how often the unit was silent and came back. */
  returns(unitId: number): number {
    return this.#unit(unitId).returns
  }

  patienceMs(unitId: number, timeoutMs: number, patience: Patience): number {
    return patience === 'full' ? timeoutMs : Math.min(timeoutMs, SHORT_MS + 2 * this.#slowestAnswerMs(unitId))
  }

  /** Returns true from a missed read until the next answered one: reads then get a short timeout. */
  isInDoubt(unitId: number): boolean {
    return this.#unit(unitId).isInDoubt
  }

  /** Records an answer. Returns true if it ended a silence. */
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

  /** Records that the unit answered nothing. The first probe is due in a second. */
  fellSilent(unitId: number, reason: Failure, now: number): void {
    const unit = this.#unit(unitId)
    unit.silence ??= { reason, nextProbeAt: now + RETRY_MS, isProbing: false, shortProbes: 0 }
  }

  /** Starts a probe of a silent unit and returns its patience; `undefined` if none is due. */
  beginProbe(unitId: number, now: number): Patience | undefined {
    const unit = this.#unit(unitId)
    const { silence } = unit
    if (!silence || silence.isProbing || now < silence.nextProbeAt) return undefined
    silence.isProbing = true
    const isFull =
      silence.shortProbes >= PROBES_UNTIL_FULL && (now >= this.#nextFullAt || !this.#slowsOthers(unit, now))
    silence.shortProbes = isFull ? 0 : silence.shortProbes + 1
    silence.nextProbeAt = now + RETRY_MS
    return isFull ? 'full' : 'short'
  }

  /** Ends a probe; `missed` is absent if the probe was answered or never sent. */
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
   * Returns the patience for a retry of a silent range that was last read at `askedAt`; `undefined` if none is due. A
   * unit may retry one of its ranges once a minute, however much the others retry.
   */
  retryPatience(unitId: number, askedAt: number, now: number): Patience | undefined {
    const isUnitsTurn = now >= this.#unit(unitId).lastRetryAt + MAX_RETRY_MS
    if (now < askedAt + RETRY_MS || (now < this.#nextRetryAt && !isUnitsTurn)) return undefined
    return now < this.#nextFullAt ? 'short' : 'full'
  }

  /** Records that a range is still silent, which says nothing about the rest of the unit. */
  retryMissed(unitId: number, missed: Unanswered, timeoutMs: number, now: number): void {
    const unit = this.#unit(unitId)
    unit.lastRetryAt = now
    unit.isInDoubt = false
    this.#lastRetryMissAt = now
    this.#nextRetryAt = now + this.#pauseMs(unitId, missed, timeoutMs, now)
  }

  /** Returns the pause after a missing answer. A full timeout costs no more, because it is rare. */
  #pauseMs(unitId: number, { patience, cause, waitedMs, reconnectMs }: Unanswered, timeoutMs: number, now: number) {
    const isFull = patience === 'full' && cause === 'timeout'
    const countedMs = isFull ? Math.min(waitedMs, this.patienceMs(unitId, timeoutMs, 'short')) : waitedMs
    return Math.min(SHARE * (countedMs + reconnectMs) * this.#sharers(now), MAX_RETRY_MS)
  }

  /** Counts the silent units, and all silent ranges as one: they share the time for retries. */
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

  /** Returns the unit's slowest answer; before its first one, that of the slowest other unit. */
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
