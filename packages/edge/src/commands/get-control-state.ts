import type { Clock } from '@plantroom/base/clock'
import type { Hold, PlacedOverride } from '@plantroom/contract/control-state'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { Connections } from '../connections/connections.ts'
import { holdOf } from '../overrides/hold.ts'
import { outlook, windowsOf } from '../overrides/outlook.ts'
import type { Overrides } from '../overrides/overrides.ts'
import type { Held, Window } from '../overrides/step.ts'
import type { Arbiter } from '../writing/arbiter.ts'
import { plainValue } from '../writing/controls.ts'
import type { CommandHandler } from './command.ts'

/** A device may hold ten times as many: with those, the reply would not fit into a message. */
export const MAX_SHOWN_WINDOWS = 1_000

/** `getControlState`: from memory, and nothing changes by it; neither equipment nor disk is touched. */
export function getControlState(deps: {
  connections: Connections
  arbiter: Arbiter
  overrides: Overrides
  clock: Clock
}): CommandHandler {
  const { connections, arbiter, overrides, clock } = deps
  return () => {
    const { held, now, clockSuspect } = overrides.view()
    const holds: Hold[] = []
    for (const holding of arbiter.holdings()) {
      const { datapointId, control } = holding
      const place = connections.find(datapointId)
      const overrides = held.get(datapointId)
      holds.push(
        holdOf(holding, {
          plain: place ? plainValue(control, place) : null,
          outlook: overrides && outlook(overrides, now),
        }),
      )
    }
    // The values of a connection are JSON already: they are joined as they are.
    const values = Array.from(connections.running(), (connection) => connection.values()).join(',')
    const head = JSON.stringify({ at: formatTimestamp(clock.now()), clockSuspect })
    const tail = JSON.stringify({ holds, ...shownWindows(held) })
    return `${head.slice(0, -1)},"connections":[${values}],${tail.slice(1)}`
  }
}

/** Those that rule, then those to come, then those that are covered; what is beyond the bound is counted. */
function shownWindows(held: ReadonlyMap<string, Held>): { overrides: PlacedOverride[]; overridesLeftOut?: number } {
  const found: Record<PlacedOverride['state'], Window[]> = { active: [], queued: [], superseded: [] }
  for (const overrides of held.values()) for (const { window, state } of windowsOf(overrides)) found[state].push(window)
  const all = (['active', 'queued', 'superseded'] as const).flatMap((state) =>
    found[state].map((window) => ({ window, state })),
  )
  const overrides = all.slice(0, MAX_SHOWN_WINDOWS).map(({ window, state }) => ({
    id: window.id,
    datapointId: window.datapointId,
    value: window.value,
    from: formatTimestamp(window.from),
    to: formatTimestamp(window.to),
    reqId: window.reqId,
    placedBy: window.placedBy,
    state,
  }))
  const overridesLeftOut = all.length - overrides.length
  return { overrides, ...(overridesLeftOut > 0 && { overridesLeftOut }) }
}
