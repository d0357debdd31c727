import type { Failure } from '@plantroom/contract/failure'
import type { Patience } from './read-policy.ts'

const FIRST_RETRY_MS = 950
const MAX_RELEASE_RETRY_MS = 5000
const MAX_RETRY_MS = 30_000
const SHARE = 20
const FULL_EVERY = 5

/** Consecutive writes without an answer. */
interface Misses {
  count: number
  reason: Failure
  at: number
  costMs: number
}

interface Unit {
  addresses: Map<string, Misses>
  /** The misses since the unit last answered any request. */
  sinceAnswer: Misses | undefined
}

export interface WriteAttempt {
  unitId: number
  /** The registers to write. */
  target: string
  release: boolean
}

/**
 * Decides when an address may be written again after a write got no answer. Reads do not matter here, except that a unit
 * which answers neither reads nor writes gets one write a second in total.
 */
export class WritePolicy {
  readonly #units = new Map<number, Unit>()

  /** Returns the reason why a write may not be sent yet; `undefined` if it may. */
  refusal({ unitId, target, release }: WriteAttempt, unitIsSilent: boolean, now: number): Failure | undefined {
    const unit = this.#units.get(unitId)
    if (!unit) return undefined
    const { sinceAnswer } = unit
    if (unitIsSilent && sinceAnswer && now < sinceAnswer.at + FIRST_RETRY_MS) return sinceAnswer.reason
    const misses = unit.addresses.get(target)
    return misses && now < misses.at + pauseMs(misses, release) ? misses.reason : undefined
  }

  /**
   * Returns the full timeout for the first and every fifth attempt at an address, or at any address of a silent unit.
   * While a unit has not answered since a missed write, writes to its other addresses get a short timeout: many of them
   * would block the socket for everyone else.
   */
  patience({ unitId, target }: WriteAttempt, unitIsSilent: boolean): Patience {
    const unit = this.#units.get(unitId)
    const address = unit?.addresses.get(target)
    if (!unitIsSilent && !address && unit?.sinceAnswer) return 'short'
    const count = (unitIsSilent ? unit?.sinceAnswer : address)?.count ?? 0
    return count === 0 || (count + 1) % FULL_EVERY === 0 ? 'full' : 'short'
  }

  missed({ unitId, target }: WriteAttempt, miss: { reason: Failure; costMs: number; now: number }): void {
    let unit = this.#units.get(unitId)
    if (!unit) {
      unit = { addresses: new Map(), sinceAnswer: undefined }
      this.#units.set(unitId, unit)
    }
    const { reason, costMs, now: at } = miss
    const add = (before: Misses | undefined) => ({ count: (before?.count ?? 0) + 1, reason, at, costMs })
    unit.addresses.set(target, add(unit.addresses.get(target)))
    unit.sinceAnswer = add(unit.sinceAnswer)
  }

  answered({ unitId, target }: WriteAttempt): void {
    this.#units.get(unitId)?.addresses.delete(target)
    this.unitAnswered(unitId)
  }

  /** Records any answer of the unit: it is alive, though an address may still ignore writes. */
  unitAnswered(unitId: number): void {
    const unit = this.#units.get(unitId)
    if (unit) unit.sinceAnswer = undefined
  }

  /** Records that a silent unit is back: all its addresses may be written again. */
  unitReturned(unitId: number): void {
    this.#units.delete(unitId)
  }
}

function pauseMs({ count, costMs }: Misses, release: boolean): number {
  if (count === 1) return FIRST_RETRY_MS
  const longestMs = release ? MAX_RELEASE_RETRY_MS : MAX_RETRY_MS
  return Math.min(Math.max(SHARE * costMs, FIRST_RETRY_MS), longestMs)
}
