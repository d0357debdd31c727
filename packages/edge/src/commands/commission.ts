import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import type { Connections } from '../connections/connections.ts'
import type { Change, Commits } from '../store/commits.ts'
import type { TechnicalSystemStore } from '../store/technical-system-store.ts'
import type { StoredTrial, TrialStore } from '../store/trial-store.ts'
import type { Arbiter } from '../writing/arbiter.ts'
import type { CommandHandler } from './command.ts'
import { createTrials, type Trials } from './trials.ts'

export interface CommissionDeps {
  connections: Connections
  systems: TechnicalSystemStore
  commits: Commits
  /** Reports whether a writer holds the datapoint, now or later, or it is not restored yet. */
  isHeld(datapointId: string): boolean
  /** Reports whether equipment behind the datapoint, or what it guards, may have been written for a hold. */
  isWritten(datapointId: string): boolean
  /** Stops looking after released datapoints whose equipment changes. */
  arbiter: Pick<Arbiter, 'forgetRestored'>
  /** The public key that signs the audit, as far as there is one. */
  auditKey(): string | undefined
  /** Makes the device run the system. */
  apply(system: TechnicalSystem): Promise<void>
  trials: TrialStore
  /** Asks the cloud for an answer. */
  askCloud(): void
  clock: Clock
  log: Log
}

/** Loads technical systems, and goes back from those that do not pass their trial. */
export interface Commissioning {
  /** `commission`: checks the system as a whole, saves it, then runs it. A rejected system changes nothing. */
  load: CommandHandler<'commission'>
  trials: Trials
}

export function createCommissioning(deps: CommissionDeps): Commissioning {
  let lastTurn: Promise<unknown> = Promise.resolve()

  // One at a time: which datapoints the second system moves depends on the result of the first.
  function inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const turn = lastTurn.then(change)
    lastTurn = turn.catch(() => {})
    return turn
  }

  const trials = createTrials({
    ...deps,
    store: deps.trials,
    ask: deps.askCloud,
    goBack: (trial, { isWanted, ended }) =>
      inTurn(async () => (isWanted() ? goBack(deps, trial, (to) => ended(to)) : [])),
  })

  return {
    trials,
    load: ({ technicalSystem: system, sameEquipment = false, keep = false, loadId }, { inTime }) =>
      inTurn(async () => {
        const problems = deps.connections.problemsOf(system)
        if (problems.length > 0) throw rejected(problems.map(({ path, message }) => `${path}: ${message}`).join('; '))
        const trial = trials.begin({ system, loadId, keep, sameEquipment })
        await saveAndApply(deps, [system], {
          reject: (moved) => rejectMovingHeld(moved, sameEquipment),
          keepsRestored: sameEquipment,
          also(to) {
            if (!inTime()) throw rejected('the command arrived after its deadline; nothing was done')
            trials.put(to, trial)
          },
        })
        trials.started(trial)
        const auditKey = deps.auditKey()
        return { ...(auditKey && { auditKey }) }
      }),
  }
}

/** `checkCommissioning`: says what `commission` would reject, all of it, and changes nothing. */
export function checkCommissioning({
  connections,
  isHeld,
}: Pick<CommissionDeps, 'connections' | 'isHeld'>): CommandHandler<'checkCommissioning'> {
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

/**
 * Runs again what was there before a trial. Returns the held datapoints for which it has to wait: their equipment may have
 * been written over the address that they would leave.
 */
async function goBack(
  deps: CommissionDeps,
  { before, sameEquipment }: StoredTrial,
  also: (to: Change) => void,
): Promise<readonly string[]> {
  const { connections, isHeld, isWritten } = deps
  const brokenOf = (moved: readonly Moved[]) =>
    moved.filter(({ place: { datapoint }, fields, fixed }) => {
      if (!isHeld(datapoint.id)) return false
      if (fields.includes('datapoint')) return true
      return isWritten(datapoint.id) && !(sameEquipment && fixed.length === 0)
    })
  const waitsFor = brokenOf(before.flatMap(connections.moved))
  if (waitsFor.length > 0) return waitsFor.map(({ place: { datapoint } }) => datapoint.name)
  await saveAndApply(deps, before, {
    reject(held) {
      if (brokenOf(held).length > 0) throw rejected('a datapoint has just been taken; the controller goes back later')
    },
    keepsRestored: sameEquipment,
    also,
  })
  return []
}

interface How {
  /** Throws when these held datapoints must not be moved. */
  reject(held: readonly Moved[]): void
  /** Released datapoints are on the same equipment afterwards. */
  keepsRestored: boolean
  /** Part of the same change, before everything else. */
  also(to: Change): void
}

/** Replaces technical systems, all of them or none. */
async function saveAndApply(
  deps: CommissionDeps,
  systems: readonly TechnicalSystem[],
  { reject, keepsRestored, also }: How,
): Promise<void> {
  const { connections, isHeld, apply, commits, arbiter } = deps
  const moved = systems.flatMap(connections.moved)
  const rejectHeld = () => reject(moved.filter(({ place }) => isHeld(place.datapoint.id)))
  // Before the datapoints are marked, because a mark ends what is on its way to the equipment.
  rejectHeld()
  // From now on no writer may take them, and a release that waits is not sent to the address that they leave. Earlier
  // requests are already in the journal, so the change sees them.
  connections.leave(new Set(moved.map(({ place }) => place.datapoint.id)))
  try {
    await commits.save((to) => {
      also(to)
      rejectHeld()
      if (!keepsRestored) for (const { place } of moved) arbiter.forgetRestored(to, place.datapoint.id)
      for (const system of systems) {
        if (system.connections.length === 0) deps.systems.remove(to, system.id)
        else deps.systems.save(to, system)
      }
    })
    for (const system of systems) await apply(system)
  } finally {
    connections.leave(new Set())
  }
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
