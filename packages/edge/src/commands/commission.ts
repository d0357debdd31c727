import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import type { Connections } from '../connections/connections.ts'
import type { Commits } from '../store/commits.ts'
import type { TechnicalSystemStore } from '../store/technical-system-store.ts'
import type { CommandHandler } from './command.ts'

/** `commission`: judged as a whole, on disk, then running, in this order; a rejected system changes nothing. */
export function createCommissioning(deps: {
  connections: Connections
  store: TechnicalSystemStore
  commits: Commits
  /** Reports whether a writer holds the datapoint, now or later, or it is not restored yet. */
  isHeld(datapointId: string): boolean
  /** Makes the device what the system says. */
  apply(system: TechnicalSystem): Promise<void>
}): CommandHandler {
  const { connections, store, commits, isHeld, apply } = deps
  let lastTurn: Promise<unknown> = Promise.resolve()

  // One at a time: what moves with the second follows from what the first has made.
  function inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const turn = lastTurn.then(change)
    lastTurn = turn.catch(() => {})
    return turn
  }

  function keep(system: TechnicalSystem, moved: readonly Moved[], inTime: () => boolean): Promise<void> {
    return commits.save((to) => {
      if (!inTime()) throw rejected('the command came after its deadline; nothing was done')
      refuseToAbandon(moved.filter(({ place }) => isHeld(place.datapoint.id)))
      if (system.connections.length === 0) store.remove(to, system.id)
      else store.save(to, system)
    })
  }

  async function make(system: TechnicalSystem, inTime: () => boolean): Promise<string> {
    const moved = connections.moved(system)
    // From now on no writer takes hold of them. Earlier requests are ahead in the journal, and seen when this is judged.
    connections.leave(new Set(moved.map(({ place }) => place.datapoint.id)))
    try {
      await keep(system, moved, inTime)
      await apply(system)
    } finally {
      connections.leave(new Set())
    }
    return '{}'
  }

  return async (data, { inTime }) => {
    const system = data.technicalSystem as TechnicalSystem
    return inTurn(async () => {
      connections.check(system)
      return make(system, inTime)
    })
  }
}

/** So many datapoints are named in one refusal: the first ones are enough to find the others. */
const MOST_NAMED = 20

type Moved = ReturnType<Connections['moved']>[number]

/** Equipment that is held must be restored, and only under the address, and with the meaning, that it was held with. */
function refuseToAbandon(held: readonly Moved[]): void {
  if (held.length === 0) return
  const named = held.map(({ place: { datapoint, connection }, fields }) => {
    const what = fields.includes('datapoint') ? 'must not be removed' : `must keep its ${fields.join(', ')}`
    return `${connection.config.name}/${datapoint.name} ${what}`
  })
  const listed =
    named.length > MOST_NAMED ? [...named.slice(0, MOST_NAMED), `${named.length - MOST_NAMED} more`] : named
  throw rejected(
    `${listed.join('; ')}: the equipment there is held or not yet restored. Nothing was changed. Cancel its overrides and take it out of peakShaving and schedules, then commission again`,
  )
}

const rejected = (message: string) => new Failure('rejected', message)
