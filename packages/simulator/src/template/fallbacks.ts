import type { Clock } from '@plantroom/base/clock'
import { failsafeOf } from '@plantroom/contract/commissioning'
import type { SimulatedPoint } from './start-values.ts'

/** How often a value that must be repeated may be missed before the equipment forgets it. */
const MISSED = 3

/** What equipment does by itself when its controller is gone. */
export interface Fallbacks {
  /** Notes that a datapoint was written. */
  written(name: string, raw: number): void
  stop(): void
}

/**
 * Follows the failsafes of a template: a datapoint returns to what it was at the start when its reversion timer runs out,
 * when its heartbeat is missing, or when it must be repeated and is not.
 */
export function createFallbacks(
  points: readonly SimulatedPoint[],
  clock: Clock,
  set: (name: string, raw: number) => void,
): Fallbacks {
  const timers = new Map<string, () => void>()
  const start = new Map(points.map(({ datapoint, raw }) => [datapoint.name, raw]))

  function arm(held: string, seconds: number, also: readonly string[] = []): void {
    timers.get(held)?.()
    timers.delete(held)
    if (seconds === 0) return
    const revert = () => {
      timers.delete(held)
      for (const name of [held, ...also]) set(name, start.get(name) ?? 0)
    }
    timers.set(held, clock.after(seconds * 1000, revert))
  }

  return {
    written(name, raw) {
      for (const { datapoint } of points) {
        const { failsafe, writeInterval = 0 } = datapoint
        const found = failsafe && failsafeOf(failsafe)
        if (found?.register === name) {
          const isTimer = found.kind === 'reversion'
          arm(datapoint.name, isTimer ? raw : (failsafe?.seconds ?? 0), isTimer ? [name] : [])
        } else if (datapoint.name === name && writeInterval > 0) arm(name, MISSED * writeInterval)
      }
    },
    stop() {
      for (const cancel of timers.values()) cancel()
      timers.clear()
    },
  }
}
