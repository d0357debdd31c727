import { DIRECTIONS, type MovedLoad } from '@plantroom/contract/power-limit'
import type { LoadState } from '../optimisation/regulator-state.ts'
import type { Moment } from '../overrides/timeline.ts'
import type { Change } from '../store/commits.ts'
import { bindLoads } from './bind-loads.ts'
import type { LimiterState, MovesKw } from './limiter-state.ts'
import type { Moves } from './loads.ts'
import { NO_SIDE } from './side.ts'

/** Returns how the loads are moved. */
export function movesOf({ sides }: Pick<LimiterState, 'sides'>): MovesKw {
  return new Map(
    DIRECTIONS.flatMap((direction) =>
      [...sides[direction].regulator.loads].map(([id, { atMostKw }]) => [`${direction} ${id}`, atMostKw] as const),
    ),
  )
}

/** A load that switches, or has moved by a tenth of what was remembered, is remembered for the next start. */
export function hasMoved(remembered: MovesKw, now: MovesKw): boolean {
  if (remembered.size !== now.size) return true
  return [...now].some(([id, kw]) => {
    const was = remembered.get(id)
    return was === undefined || (was !== kw && !(Math.abs(kw - was) < Math.abs(was) / 10))
  })
}

/** Records how the loads are moved, for the next start. */
export function remember({ store, sides, settings }: LimiterState, to: Change, now: Moment): void {
  for (const { datapointId: id } of settings?.loads ?? []) {
    const [drawn, fed] = [sides.import.regulator.loads.get(id), sides.export.regulator.loads.get(id)]
    store.putMoved(to, id, movedLoad({ import: drawn, export: fed }, now))
  }
}

function movedLoad({ import: drawn, export: fed }: Moves, { wall, monotonic }: Moment): MovedLoad | undefined {
  if (!drawn && !fed) return undefined
  const { atMostKw, since, relapses } = drawn ?? { ...FREE, since: monotonic }
  return {
    atMostKw: ifFinite(atMostKw),
    since: wall - (monotonic - since),
    relapses,
    ...(fed && { atMostExportKw: ifFinite(fed.atMostKw) }),
  }
}

const ifFinite = (kw: number) => (Number.isFinite(kw) ? kw : null)
const FREE = { atMostKw: Number.POSITIVE_INFINITY, relapses: -1 }

/** Bounds the loads as they were before the restart. */
export function resumeBounds(state: LimiterState): void {
  const { settings, store, timekeeper } = state
  if (!settings) return
  const { wall, monotonic } = timekeeper.now()
  const moved = [...store.moved()]
  if (moved.length === 0) return
  const drawn = moved.map(([id, { atMostKw, since, relapses }]): [string, LoadState] => [
    id,
    { atMostKw: atMostKw ?? FREE.atMostKw, since: monotonic - Math.max(0, wall - since), relapses },
  ])
  const fed = moved.flatMap(([id, { atMostExportKw }]): [string, LoadState][] =>
    atMostExportKw === undefined
      ? []
      : [[id, { ...FREE, atMostKw: atMostExportKw ?? FREE.atMostKw, since: monotonic }]],
  )
  state.sides.import = { ...NO_SIDE, regulator: { loads: new Map(drawn), above: 0 } }
  state.sides.export = { ...NO_SIDE, regulator: { loads: new Map(fed), above: 0 } }
  state.remembered = movesOf(state)
  bindLoads(state)
}
