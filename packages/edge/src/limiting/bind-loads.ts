import { isDeepStrictEqual } from 'node:util'
import { DIRECTIONS, type Direction } from '@plantroom/contract/power-limit'
import { within } from '../writing/hold.ts'
import type { LimiterState } from './limiter-state.ts'
import { boundOf, plainOf, wantedOf } from './loads.ts'

/** Bounds what is written to the loads, and holds those that no writer holds. */
export function bindLoads(state: LimiterState): void {
  const { settings, connections, arbiter, sides } = state
  for (const load of settings?.loads ?? []) {
    const id = load.datapointId
    const place = connections.find(id)
    if (!place) continue
    const bound = boundOf(load, {
      import: sides.import.regulator.loads.get(id),
      export: sides.export.regulator.loads.get(id),
    })
    const wanted = wantedOf(arbiter, place)
    const isBeyond = (value: number | null) => bound !== undefined && value !== null && within(value, bound) !== value
    const isMoved = isBeyond(wanted)
    if (!isDeepStrictEqual(place.bound(), bound)) {
      connections.bind(id, bound)
      arbiter.boundChanged(id)
    }
    // Also what was there before a hold, which would be restored when the hold ends.
    arbiter.claim(id, 'power-limit', isMoved || isBeyond(plainOf(arbiter, place)) ? { offset: 0 } : undefined)
    if (isMoved) for (const direction of DIRECTIONS) markMoved(sides, direction, id)
  }
}

function markMoved(sides: LimiterState['sides'], direction: Direction, id: string): void {
  const side = sides[direction]
  if (!side.regulator.loads.has(id) || side.parts.every(({ moved }) => moved.has(id))) return
  sides[direction] = { ...side, parts: side.parts.map((part) => ({ ...part, moved: new Set([...part.moved, id]) })) }
}

/** Forgets a load that is no longer limited. */
export function freeLoad({ connections, arbiter, sides }: LimiterState, datapointId: string): void {
  for (const direction of DIRECTIONS) {
    const { regulator, ...side } = sides[direction]
    const loads = new Map([...regulator.loads].filter(([id]) => id !== datapointId))
    sides[direction] = { ...side, regulator: { ...regulator, loads } }
  }
  connections.bind(datapointId, undefined)
  arbiter.boundChanged(datapointId)
  arbiter.claim(datapointId, 'power-limit', undefined)
}
