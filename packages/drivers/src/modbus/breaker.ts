import { Failure } from '@plantroom/contract/failure'
import type { Reply } from './frame.ts'

const SHORTEST_MS = 1000
const LONGEST_MS = 60_000

// Probes of silent units take at most one part in 50 of the time, and questions with their whole timeout another.
const PARTS = 50

// How long a probe is waited for, beyond twice the time that the slowest answer took.
const PROBE_MS = 50
// With each answer a slow one counts a little less.
const FADING = 0.99

interface Unit {
  /** Why its last question had no proper answer: no word came, or its gateway could not reach it. */
  reason: Failure | Reply | undefined
  leftAloneUntil: number
  lastWholeAt: number
}

/** A question that had no proper answer. */
export interface Miss {
  reason: Failure | Reply
  now: number
  /** How long it was waited for, and how long it may be waited for at most. */
  waitedMs: number
  timeoutMs: number
  /** How long the others must wait besides, where the socket was lost. */
  reconnectMs: number
}

/**
 * Decides when units that gave no proper answer are asked again. The first time after 1 s, as it may have been one lost
 * answer; then in proportion to what asking in vain costs the others: all silent units together less than 5 % of their
 * time. At the latest after 60 s, and after 1 s where there is nobody to be slowed.
 */
export class Breaker {
  readonly #units = new Map<number, Unit>()
  #slowestAnswerMs = 0

  /** The outcome of the unit's last question, when it is too early for another. */
  standing(unitId: number, now: number): Failure | Reply | undefined {
    const { reason, leftAloneUntil } = this.#unit(unitId)
    return now < leftAloneUntil ? reason : undefined
  }

  /**
   * How long to wait for a sign of life that must come before the next question; `undefined` when it can be asked
   * straight away. Now and then a silent unit is given its whole timeout: it may be slower than the others.
   */
  probeMs(unitId: number, timeoutMs: number, now: number): number | undefined {
    const unit = this.#unit(unitId)
    // What a gateway says of a silent unit comes in the gateway's own time, and takes no socket with it.
    if (!(unit.reason instanceof Failure) || !this.#hasOthersThan(unit)) return undefined
    const wholeDueAt = unit.lastWholeAt + Math.max(LONGEST_MS, PARTS * timeoutMs * this.#silentUnits())
    return now < wholeDueAt ? this.#patienceMs(timeoutMs) : undefined
  }

  answered(unitId: number, tookMs: number): void {
    this.#units.set(unitId, aUnit())
    this.#slowestAnswerMs = Math.max(tookMs, this.#slowestAnswerMs * FADING)
  }

  missed(unitId: number, miss: Miss): void {
    const unit = this.#unit(unitId)
    const first = unit.reason === undefined
    const { reason, now, waitedMs, timeoutMs, reconnectMs } = miss
    const whole = reason instanceof Failure && waitedMs >= timeoutMs
    unit.reason = reason
    if (whole) unit.lastWholeAt = now
    // What a whole timeout costs is paid by how seldom there is one.
    const costMs = reconnectMs + (whole ? Math.min(waitedMs, this.#patienceMs(timeoutMs)) : waitedMs)
    const proportionMs = first || !this.#hasOthersThan(unit) ? 0 : PARTS * costMs * this.#silentUnits()
    unit.leftAloneUntil = now + Math.min(Math.max(proportionMs, SHORTEST_MS), LONGEST_MS)
  }

  #patienceMs(timeoutMs: number): number {
    return Math.min(timeoutMs, PROBE_MS + 2 * this.#slowestAnswerMs)
  }

  #silentUnits(): number {
    return [...this.#units.values()].filter(isSilent).length
  }

  /** Is there a unit that would be slowed by waiting for this one? */
  #hasOthersThan(one: Unit): boolean {
    return [...this.#units.values()].some((unit) => unit !== one && !isSilent(unit))
  }

  #unit(unitId: number): Unit {
    let unit = this.#units.get(unitId)
    if (!unit) {
      unit = aUnit()
      this.#units.set(unitId, unit)
    }
    return unit
  }
}

const aUnit = (): Unit => ({
  reason: undefined,
  leftAloneUntil: Number.NEGATIVE_INFINITY,
  lastWholeAt: Number.NEGATIVE_INFINITY,
})

const isSilent = ({ reason }: Unit) => reason !== undefined
