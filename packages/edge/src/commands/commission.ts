import { isDeepStrictEqual } from 'node:util'
import type { Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import type { Connections, Place } from '../connections/connections.ts'
import type { Commits } from '../store/commits.ts'
import type { TechnicalSystemStore } from '../store/technical-system-store.ts'
import type { CommandHandler } from './command.ts'

export interface Commissioning {
  /** `commission`: judged whole, on disk, then running, in this order; what is rejected changes nothing. */
  commission: CommandHandler
  /** Is the datapoint about to go? Then nobody may take hold of it: it could not be handed back. */
  isLeaving(datapointId: string): boolean
}

export function createCommissioning(deps: {
  connections: Connections
  store: TechnicalSystemStore
  commits: Commits
  /** Is the datapoint held by somebody, now or later, or not yet handed back? */
  isHeld(datapointId: string): boolean
  /** Makes the device what the system says. */
  apply(system: TechnicalSystem): Promise<void>
}): Commissioning {
  const { connections, store, commits, isHeld, apply } = deps
  let leaving: ReadonlySet<string> = new Set()
  let lastTurn: Promise<unknown> = Promise.resolve()

  // One at a time: what leaves with the second follows from what the first has made.
  function inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const turn = lastTurn.then(change)
    lastTurn = turn.catch(() => {})
    return turn
  }

  function keep(system: TechnicalSystem, leaving: readonly Place[], inTime: () => boolean): Promise<void> {
    return commits.save((to) => {
      if (!inTime()) throw rejected('the command came after its deadline; nothing was done')
      refuseToAbandon(leaving.filter(({ datapoint }) => isHeld(datapoint.id)))
      if (system.connections.length === 0) store.remove(to, system.id)
      else store.save(to, system)
    })
  }

  async function make(system: TechnicalSystem, inTime: () => boolean): Promise<string> {
    const places = leavingPlaces(connections, system)
    // From now on nobody takes hold of them. Whoever asked before is ahead in the journal, and seen when this is judged.
    leaving = new Set(places.map(({ datapoint }) => datapoint.id))
    try {
      await keep(system, places, inTime)
      await apply(system)
    } finally {
      leaving = new Set()
    }
    return '{}'
  }

  return {
    async commission(data, { inTime }) {
      const system = data.technicalSystem as TechnicalSystem
      connections.check(system)
      return inTurn(() => make(system, inTime))
    },
    isLeaving: (datapointId) => leaving.has(datapointId),
  }
}

/** The datapoints of the system that can be written where they are now, and will not be any more. */
function leavingPlaces(connections: Connections, system: TechnicalSystem): Place[] {
  const next = new Map(system.connections.flatMap(({ datapoints }) => datapoints.map((one) => [one.id, one] as const)))
  return [...connections.all()].filter(({ systemId, datapoint }) => {
    const becomes = next.get(datapoint.id)
    return systemId === system.id && datapoint.accessType !== 'READ' && !(becomes && stays(datapoint, becomes))
  })
}

function stays(now: Datapoint, next: Datapoint): boolean {
  // At another address its release would be written to something else, and what is held stays held.
  const sameAddress = now.connectionId === next.connectionId && isDeepStrictEqual(now.data, next.data)
  return next.accessType !== 'READ' && sameAddress
}

/** Equipment that is held must be handed back, and only a datapoint that is there can be. */
function refuseToAbandon(held: readonly Place[]): void {
  if (held.length === 0) return
  const names = held.map(({ datapoint }) => datapoint.name).join(', ')
  throw rejected(
    `${names} would no longer be there to be written, but is held; cancel its overrides and take it out of peakShaving and schedules first, or wait until it has been handed back`,
  )
}

const rejected = (message: string) => new Failure('rejected', message)
