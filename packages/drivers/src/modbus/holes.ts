import { type Hole, sameRange } from './plan.ts'

/** A hole that was learnt; with the exception where points stand in it, and without one between them. */
export interface KnownHole extends Hole {
  exception?: number
}

/** What the equipment refuses, as it was learnt by reading. */
export interface Holes {
  /** In the row in which they are asked for again. */
  known(): readonly KnownHole[]
  has(hole: KnownHole): boolean
  /** Another one each time that a plan which rests on the holes is out of date. */
  revision(): number
  remember(hole: KnownHole): void
  /** The range could be read. */
  forget(range: Hole): void
  /** Those that no point stands in. */
  forgetGaps(): void
  /** To the end of the row: whoever was asked is the last to be asked again. */
  moveToEnd(hole: KnownHole): void
}

export function createHoles(): Holes {
  const holes = new Set<KnownHole>()
  let revision = 0

  function forgetWhere(isGone: (hole: KnownHole) => boolean): void {
    for (const hole of holes) {
      if (!isGone(hole)) continue
      holes.delete(hole)
      revision += 1
    }
  }

  return {
    known: () => [...holes],
    has: (hole) => holes.has(hole),
    revision: () => revision,
    remember({ table, start, end, exception }) {
      const hole = { table, start, end, ...(exception !== undefined && { exception }) }
      for (const known of holes) if (sameRange(known, hole)) return
      holes.add(hole)
      revision += 1
    },
    forget(range) {
      forgetWhere((hole) => sameRange(hole, range))
    },
    forgetGaps() {
      forgetWhere((hole) => hole.exception === undefined)
    },
    moveToEnd(hole) {
      if (holes.delete(hole)) holes.add(hole)
    },
  }
}
