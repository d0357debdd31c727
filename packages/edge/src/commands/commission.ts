import type { DeviceCheck } from '@plantroom/contract/commissioning'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import type { Connections } from '../connections/connections.ts'
import type { Commits } from '../store/commits.ts'
import type { TechnicalSystemStore } from '../store/technical-system-store.ts'
import type { Arbiter } from '../writing/arbiter.ts'
import type { CommandHandler } from './command.ts'

export interface CommissionDeps {
  connections: Connections
  systems: TechnicalSystemStore
  commits: Commits
  /** Reports whether a writer holds the datapoint, now or later, or it is not restored yet. */
  isHeld(datapointId: string): boolean
  /** Stops looking after released datapoints whose equipment changes. */
  arbiter: Pick<Arbiter, 'forgetRestored'>
  /** Makes the device run the system. */
  apply(system: TechnicalSystem): Promise<void>
}

/** `commission`: checks the system as a whole, saves it, then runs it. A rejected system changes nothing. */
export function createCommissioning(deps: CommissionDeps): CommandHandler {
  let lastTurn: Promise<unknown> = Promise.resolve()

  // One at a time: which datapoints the second system moves depends on the result of the first.
  function inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const turn = lastTurn.then(change)
    lastTurn = turn.catch(() => {})
    return turn
  }

  return async (data, { inTime }) => {
    const system = data.technicalSystem as TechnicalSystem
    return inTurn(async () => {
      const problems = deps.connections.problemsOf(system)
      if (problems.length > 0) throw rejected(problems.map(({ path, message }) => `${path}: ${message}`).join('; '))
      await saveAndApply(deps, system, inTime)
      return '{}'
    })
  }
}

/** `checkCommissioning`: says what `commission` would reject, all of it, and changes nothing. */
export function checkCommissioning({ connections, isHeld }: CommissionDeps): CommandHandler {
  return (data) => {
    const system = data.technicalSystem as TechnicalSystem
    const held = connections
      .moved(system)
      .filter(({ place }) => isHeld(place.datapoint.id))
      .map(({ place: { connection, datapoint }, fields }) => {
        return { connection: connection.config.name, datapoint: datapoint.name, fields }
      })
    return JSON.stringify({ problems: connections.problemsOf(system), held } satisfies DeviceCheck)
  }
}

async function saveAndApply(deps: CommissionDeps, system: TechnicalSystem, inTime: () => boolean): Promise<void> {
  const { connections, apply } = deps
  const moved = connections.moved(system)
  // From now on no writer may hold them. Earlier requests are already in the journal, so `save` sees them.
  connections.leave(new Set(moved.map(({ place }) => place.datapoint.id)))
  try {
    await save(deps, { system, moved, inTime })
    await apply(system)
  } finally {
    connections.leave(new Set())
  }
}

function save(
  { systems, commits, isHeld, arbiter }: CommissionDeps,
  { system, moved, inTime }: { system: TechnicalSystem; moved: readonly Moved[]; inTime: () => boolean },
): Promise<void> {
  return commits.save((to) => {
    if (!inTime()) throw rejected('the command arrived after its deadline; nothing was done')
    rejectMovingHeld(moved.filter(({ place }) => isHeld(place.datapoint.id)))
    for (const { place } of moved) arbiter.forgetRestored(to, place.datapoint.id)
    if (system.connections.length === 0) systems.remove(to, system.id)
    else systems.save(to, system)
  })
}

/** How many datapoints one rejection names. The first ones are enough to find the others. */
const MOST_NAMED = 20

type Moved = ReturnType<Connections['moved']>[number]

/** Rejects a system that would move held equipment, which can only be restored at the address and scaling it was held with. */
function rejectMovingHeld(held: readonly Moved[]): void {
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
