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
  /** The public key that signs the audit, as far as there is one. */
  auditKey(): string | undefined
  /** Makes the device run the system. */
  apply(system: TechnicalSystem): Promise<void>
}

/** `commission`: checks the system as a whole, saves it, then runs it. A rejected system changes nothing. */
export function createCommissioning(deps: CommissionDeps): CommandHandler<'commission'> {
  let lastTurn: Promise<unknown> = Promise.resolve()

  // One at a time: which datapoints the second system moves depends on the result of the first.
  function inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const turn = lastTurn.then(change)
    lastTurn = turn.catch(() => {})
    return turn
  }

  return ({ technicalSystem: system, sameEquipment = false }, { inTime }) =>
    inTurn(async () => {
      const problems = deps.connections.problemsOf(system)
      if (problems.length > 0) throw rejected(problems.map(({ path, message }) => `${path}: ${message}`).join('; '))
      await saveAndApply(deps, { system, sameEquipment, inTime })
      const auditKey = deps.auditKey()
      return { ...(auditKey && { auditKey }) }
    })
}

/** `checkCommissioning`: says what `commission` would reject, all of it, and changes nothing. */
export function checkCommissioning({ connections, isHeld }: CommissionDeps): CommandHandler<'checkCommissioning'> {
  return ({ technicalSystem: system }) => {
    const held = connections
      .moved(system)
      .filter(({ place }) => isHeld(place.datapoint.id))
      .map(({ place: { connection, datapoint }, fields, fixed }) => {
        return { connection: connection.config.name, datapoint: datapoint.name, fields: [...fields], fixed: [...fixed] }
      })
    const problems = connections.problemsOf(system)
    const targets = problems.length === 0 ? connections.targetsOf(system) : []
    return { problems, held, ...(targets.length > 0 && { targets }) }
  }
}

interface Loaded {
  system: TechnicalSystem
  sameEquipment: boolean
  inTime: () => boolean
}

async function saveAndApply(deps: CommissionDeps, loaded: Loaded): Promise<void> {
  const { connections, isHeld, apply } = deps
  const { system, sameEquipment } = loaded
  const moved = connections.moved(system)
  const reject = () =>
    rejectMovingHeld(
      moved.filter(({ place }) => isHeld(place.datapoint.id)),
      sameEquipment,
    )
  // Before the datapoints are marked, because a mark ends what is on its way to the equipment.
  reject()
  // From now on no writer may take them, and a release that waits is not sent to the address that they leave. Earlier
  // requests are already in the journal, so `save` sees them.
  connections.leave(new Set(moved.map(({ place }) => place.datapoint.id)))
  try {
    await save(deps, loaded, { moved, reject })
    await apply(system)
  } finally {
    connections.leave(new Set())
  }
}

function save(
  { systems, commits, arbiter }: CommissionDeps,
  { system, sameEquipment, inTime }: Loaded,
  { moved, reject }: { moved: readonly Moved[]; reject: () => void },
): Promise<void> {
  return commits.save((to) => {
    if (!inTime()) throw rejected('the command arrived after its deadline; nothing was done')
    reject()
    if (!sameEquipment) for (const { place } of moved) arbiter.forgetRestored(to, place.datapoint.id)
    if (system.connections.length === 0) systems.remove(to, system.id)
    else systems.save(to, system)
  })
}

/** How many datapoints one rejection names. The first ones are enough to find the others. */
const MOST_NAMED = 20

type Moved = ReturnType<Connections['moved']>[number]

/**
 * Rejects a system that would move held equipment, which is restored with the value and the meaning it was held with. On
 * the same equipment the hold continues over the new way.
 */
function rejectMovingHeld(held: readonly Moved[], sameEquipment: boolean): void {
  const refused = sameEquipment ? held.filter(({ fixed }) => fixed.length > 0) : held
  if (refused.length === 0) return
  const named = refused.map(({ place: { datapoint, connection }, fields, fixed }) => {
    const what = fields.includes('datapoint')
      ? 'must not be removed'
      : `must keep its ${(sameEquipment ? fixed : fields).join(', ')}`
    return `${connection.config.name}/${datapoint.name} ${what}`
  })
  const listed =
    named.length > MOST_NAMED ? [...named.slice(0, MOST_NAMED), `${named.length - MOST_NAMED} more`] : named
  const isOtherWay = !sameEquipment && refused.every(({ fixed }) => fixed.length === 0)
  const remedy = isOtherWay ? `${SAME_EQUIPMENT} ${RELEASE}` : RELEASE
  throw rejected(
    `${listed.join('; ')}: the equipment there is held or not yet restored. Nothing was changed. ${remedy}`,
  )
}

const SAME_EQUIPMENT =
  'If the new file reaches the same equipment in another way, add "sameEquipment": true at the top of the file (--same-equipment on the command line): the hold then continues there. Otherwise:'
const RELEASE =
  'Cancel its overrides and take it out of peakShaving and schedules, or close a hold that cannot be restored (holds/{datapointId}/close), then commission again'

const rejected = (message: string) => new Failure('rejected', message)
