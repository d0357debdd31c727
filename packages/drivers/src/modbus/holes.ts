import { type Hole, sameRange } from './blocks.ts'
import { exceptionText, isTemporary } from './frame.ts'

/** Why a range cannot be read: the equipment refuses it or does not answer. */
export type Cause = { exception: number } | { silence: string }

/** A range that cannot be read. */
export interface KnownHole extends Hole {
  cause: Cause
  /** True for a hole between points: both sides can be read, but not in one request. */
  isGap: boolean
  /** The monotonic time of the last attempt to read it. */
  askedAt: number
}

/** A range that could not be read. The unreadable part of it is not known yet. */
export interface Suspect extends Hole {
  cause: Cause
}

/** Remembers which ranges of a unit cannot be read. */
export interface Holes {
  /** Returns the holes in the order in which they are retried. */
  known(): readonly KnownHole[]
  has(hole: KnownHole): boolean
  /** Returns true if exactly this range is a hole or a suspect. */
  isRemembered(range: Hole): boolean
  /** Changes whenever existing plans become outdated. */
  revision(): number
  remember(hole: KnownHole): void
  /** Forgets the hole and the suspect with exactly this range, because it could be read. */
  forget(range: Hole): void
  /** Forgets gaps caused by an illegal address: the equipment may have been starting up. Other gaps are retried. */
  forgetIllegalGaps(): void
  /** Moves a hole that is being retried to the end of the queue. */
  asked(hole: KnownHole, now: number): void
  /** Makes all silent ranges due for a retry. */
  retryAllNow(): void

  suspects(): readonly Suspect[]
  suspect(range: Suspect): void
  forgetSuspect(range: Hole): void
}

const ILLEGAL_ADDRESS = 2
// Some equipment sends this instead of 2 when a block is too long.
const ILLEGAL_VALUE = 3

/** Returns true for exceptions that blame the addresses, as opposed to the state of the equipment. */
export const isIllegal = (exception: number) => exception === ILLEGAL_ADDRESS || exception === ILLEGAL_VALUE

/** Returns true if the equipment was busy or failed, which need not have anything to do with the range. */
export const isPassing = (cause: Cause) => 'exception' in cause && isTemporary(cause.exception)

export const causeText = (cause: Cause) => ('silence' in cause ? cause.silence : exceptionText(cause.exception))

export function createHoles(): Holes {
  const holes = new Set<KnownHole>()
  let suspects: readonly Suspect[] = []
  let revision = 0

  function forgetWhere(isGone: (hole: KnownHole) => boolean): void {
    for (const hole of holes) {
      if (!isGone(hole)) continue
      holes.delete(hole)
      revision += 1
    }
  }

  function forgetSuspect(range: Hole): void {
    if (!suspects.some((known) => sameRange(known, range))) return
    suspects = suspects.filter((known) => !sameRange(known, range))
    revision += 1
  }

  return {
    known: () => [...holes],
    has: (hole) => holes.has(hole),
    isRemembered: (range) => [...holes, ...suspects].some((known) => sameRange(known, range)),
    revision: () => revision,
    remember({ table, start, end, cause, isGap, askedAt }) {
      for (const known of holes) {
        if (!sameRange(known, { table, start, end })) continue
        if (isGap && !known.isGap) return
        if (known.isGap && !isGap) revision += 1
        Object.assign(known, { cause, isGap, askedAt })
        return
      }
      holes.add({ table, start, end, cause, isGap, askedAt })
      revision += 1
    },
    forget(range) {
      if (holes.size > 0) forgetWhere((hole) => sameRange(hole, range))
      if (suspects.length > 0) forgetSuspect(range)
    },
    forgetIllegalGaps() {
      forgetWhere(({ isGap, cause }) => isGap && 'exception' in cause && isIllegal(cause.exception))
    },
    asked(hole, now) {
      hole.askedAt = now
      if (holes.delete(hole)) holes.add(hole)
    },
    retryAllNow() {
      for (const hole of holes) hole.askedAt = Number.NEGATIVE_INFINITY
    },
    suspects: () => suspects,
    suspect({ table, start, end, cause }) {
      const range = { table, start, end, cause }
      if (suspects.some((known) => sameRange(known, range))) return
      suspects = [...suspects, range]
      revision += 1
    },
    forgetSuspect,
  }
}
