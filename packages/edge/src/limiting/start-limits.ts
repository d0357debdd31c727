import { isOver, type Moment, runsOutAt } from '../overrides/timeline.ts'
import type { PowerLimit } from '../store/power-limit-store.ts'

/** The limits that have started, by id: when each runs out by the monotonic clock. */
export type StartedLimits = ReadonlyMap<string, number>

/** Starts the limits whose time has come. One that has started counts until it ends, also when the clock is set back. */
export function startLimits(started: StartedLimits, limits: readonly PowerLimit[], now: Moment): StartedLimits {
  return new Map(
    limits.flatMap(({ id, from, to }): [string, number][] => {
      const until = started.get(id) ?? (Math.min(from, to) <= now.wall ? runsOutAt(to, now) : undefined)
      return until === undefined ? [] : [[id, until]]
    }),
  )
}

/** Reports whether a limit counts now, is over, or waits. As an override, it ends by whichever clock comes first. */
export function phaseOf({ id, to }: PowerLimit, started: StartedLimits, now: Moment): 'queued' | 'active' | 'over' {
  const until = started.get(id)
  if (until === undefined) return 'queued'
  return isOver({ to, until }, now) ? 'over' : 'active'
}
