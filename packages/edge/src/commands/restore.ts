import type { Clock } from '@plantroom/base/clock'
import type { Memory as MemoryIdentity } from '@plantroom/contract/control-state'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import type { RestoreOutcome, RestorePart } from '@plantroom/contract/replacement'
import type { Connections } from '../connections/connections.ts'
import type { Change, Commits } from '../store/commits.ts'
import type { AppliedStore, HoldStore } from '../store/hold-store.ts'
import type { LimitStore } from '../store/limit-store.ts'
import type { OverrideStore } from '../store/override-store.ts'
import type { PowerLimitStore } from '../store/power-limit-store.ts'
import type { RestoreStore } from '../store/restore-store.ts'
import type { TechnicalSystemStore } from '../store/technical-system-store.ts'
import type { HoldDocument } from '../writing/hold-document.ts'
import type { LimitState } from '../writing/limits.ts'
import type { CommandHandler } from './command.ts'
import { restoredRows, withOwnHolds } from './restored-rows.ts'

/** As far as a clock may be off without being suspect. */
const NEAR_MS = 60_000

export interface RestoreDeps {
  connections: Pick<Connections, 'problemsOf'>
  commits: Pick<Commits, 'save'>
  systems: TechnicalSystemStore
  rows: {
    restore: RestoreStore
    overrides: Pick<OverrideStore, 'add'>
    applied: Pick<AppliedStore, 'put'>
    holds: Pick<HoldStore<HoldDocument>, 'load' | 'put'>
    limits: Pick<LimitStore<LimitState>, 'put'>
    powerLimits: Pick<PowerLimitStore, 'moved' | 'put' | 'putMoved'>
  }
  /** Which memory this is, and whether it has lost something. */
  memory(): MemoryIdentity
  /** Reports whether this run of the controller has accepted an override or a power limit. */
  hasAccepted(): boolean
  /** The public key that signs the audit, as far as there is one. */
  auditKey(): string | undefined
  deviceId: string
  clock: Pick<Clock, 'now'>
  /** The journal has everything. The controller must start again from it, before anything else is done. */
  onRestored(): void
}

/**
 * `restore`: keeps one part of what the controller before this one had. With the last part, everything goes to the
 * journal in one transaction, and the controller starts from there as after a power cut.
 */
export function createRestore(deps: RestoreDeps): CommandHandler<'restore'> {
  return async (given, { inTime }) => {
    const outcome = await deps.commits.save((to) => take(deps, to, given, inTime))
    const auditKey = deps.auditKey()
    if (outcome === 'restored now') deps.onRestored()
    return { outcome: outcome === 'restored now' ? 'restored' : outcome, ...(auditKey && { auditKey }) }
  }
}

function take(
  deps: RestoreDeps,
  to: Change,
  given: RestorePart,
  inTime: () => boolean,
): RestoreOutcome | 'restored now' {
  const { restore } = deps.rows
  const { replacementId, part, parts } = given
  if (!inTime()) throw rejected('the command arrived after its deadline; nothing was done')
  if (restore.restoredBy() === replacementId) return 'restored'
  if (!restore.isEmpty() && !isReplaceable(deps, given)) return whenInUse(deps, given)
  const all = [...restore.otherParts(replacementId, part).map((text) => JSON.parse(text) as RestorePart), given]
  if (all.length < parts) {
    restore.keepPart(to, replacementId, part, JSON.stringify(given))
    return 'waiting'
  }
  write(
    deps,
    to,
    all.toSorted((a, b) => a.part - b.part),
  )
  return 'restored now'
}

/**
 * Reports whether what is here may be replaced: the controller has lost something and therefore accepts nothing, or the
 * cloud saw that this memory is an older copy, and nothing was accepted since the start. A newer override is never replaced.
 */
function isReplaceable({ memory, hasAccepted }: RestoreDeps, { memory: seen }: RestorePart): boolean {
  const { id, run, lost } = memory()
  return seen?.id === id && (lost !== undefined || (seen.run === run && !hasAccepted()))
}

/** A controller with the data of this device keeps it. Other data must not be mixed with it. */
function whenInUse({ systems }: RestoreDeps, { technicalSystem }: RestorePart): 'kept' {
  const own = systems.load()
  if (technicalSystem && own.some(({ id }) => id === technicalSystem.id)) return 'kept'
  const names = own.map(({ name }) => name).join(', ') || 'overrides'
  throw rejected(
    `this controller is not empty (${names}), so it was given nothing; stop it, empty the folder edge in PLANTROOM_DATA, and start it again`,
  )
}

function write(deps: RestoreDeps, to: Change, parts: readonly RestorePart[]): void {
  const { systems, rows, deviceId, clock } = deps
  const commissioned = parts.flatMap(({ technicalSystem }) => technicalSystem ?? [])
  rejectProblems(deps, commissioned)
  rows.restore.empty(to)
  for (const system of commissioned) systems.save(to, system)
  for (const { id, placedBy } of parts.flatMap(({ issued }) => issued ?? [])) rows.restore.addIssued(to, id, placedBy)
  const control = parts.find((part) => part.control)?.control
  if (!control) throw rejected('the replacement does not say what was held; update the service')
  const own = { holds: rows.holds.load(), moved: rows.powerLimits.moved() }
  const restored = withOwnHolds(restoredRows(control, commissioned, deviceId), own, commissioned)
  const { overrides, applied, holds, limits, powerLimits, moved } = restored
  for (const override of overrides) rows.overrides.add(to, override)
  for (const limit of powerLimits) rows.powerLimits.put(to, limit)
  for (const { id, placedBy } of [...overrides, ...powerLimits]) rows.restore.addIssued(to, id, placedBy)
  for (const [overrideId, valueBefore] of applied) rows.applied.put(to, overrideId, valueBefore)
  for (const [datapointId, document] of holds) rows.holds.put(to, datapointId, document)
  for (const [datapointId, state] of limits) rows.limits.put(to, datapointId, state)
  for (const [datapointId, load] of moved) rows.powerLimits.putMoved(to, datapointId, load)
  const { replacementId = '' } = parts[0] ?? {}
  // What runs still has the memory from before, and must not write it over this.
  to.isLast()
  rows.restore.finish(to, replacementId, { at: latestTime(clock, Date.parse(control.at)), audit: control.audit })
}

/** A clock near the time of the cloud is right. The start must not find it behind, and release the equipment for that. */
const latestTime = ({ now }: Pick<Clock, 'now'>, cloudTime: number) =>
  Math.abs(now() - cloudTime) <= NEAR_MS ? now() : cloudTime

function rejectProblems({ connections }: RestoreDeps, systems: readonly TechnicalSystem[]): void {
  const problems = systems.flatMap((system) => connections.problemsOf(system))
  if (problems.length === 0) return
  throw rejected(problems.map(({ path, message }) => `${path}: ${message}`).join('; '))
}

const rejected = (message: string) => new Failure('rejected', message)
