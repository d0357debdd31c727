import { isDeepStrictEqual } from 'node:util'
import { newId } from '@plantroom/base/ids'
import type { Actor } from '@plantroom/contract/activity'
import type { CommissioningFile, DeviceTarget, FileProblem } from '@plantroom/contract/commissioning'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { Db } from '../../platform/db/database.ts'
import { type Ask, UnreadableReply } from './ask.ts'
import {
  askDevice,
  baseOf,
  secondPowerLimit,
  sharedProblems,
  WHEN_TOO_LARGE,
  withoutLabels,
} from './check-commissioning.ts'
import { createCommissioningVersionStore } from './commissioning-version-store.ts'
import { buildTechnicalSystem, systemIdOf } from './technical-system.ts'
import { createTechnicalSystemStore } from './technical-system-store.ts'
import { createWrittenAddressStore } from './written-address-store.ts'

interface Load {
  deviceId: string
  orgId: string
  /** Stands for what the caller has seen; `undefined` loads over anything. */
  base: string | undefined
  keyId: string
  by: Actor
  ask: Ask
  now: number
}

interface Loaded {
  before: TechnicalSystem | undefined
  after: TechnicalSystem
  version: number | undefined
  /** Signs the audit of the device. An earlier device does not say it. */
  auditKey: string | undefined
}

/**
 * Loads a valid file onto a device and stores what the device accepted, with a new version if anything changed. Resolves
 * with `undefined` when the device does not exist. Rejects with a `Failure`; then nothing is stored.
 */
export async function loadSystem(
  tx: Db,
  file: CommissioningFile,
  { deviceId, orgId, base, keyId, by, ask, now }: Load,
): Promise<Loaded | undefined> {
  const { sameEquipment, keep, templates } = file
  const loadId = newId('load')
  const addresses = createWrittenAddressStore(tx)
  let targets: readonly DeviceTarget[] = []
  let auditKey: string | undefined
  const systems = createTechnicalSystemStore(tx)
  const loaded = await systems.change(deviceId, file.technicalSystem, async (before, timeZone) => {
    if (base !== undefined && base !== baseOf(before)) throw await changedMeanwhile(tx, deviceId, file)
    const [second] = await secondPowerLimit(file, { deviceId, systems })
    if (second) throw new Failure('invalid', `${second.path}: ${second.message}`, second.path)
    const after = buildTechnicalSystem(file, { deviceId, timeZone, before, now: formatTimestamp(now) })
    targets = await targetsOf(after, { deviceId, ask, keyId })
    if (targets.length > 0) {
      await addresses.lock(orgId)
      rejectShared(sharedProblems(await addresses.shared(deviceId, targets), after))
    }
    // The device validates settings and data, which belong to its drivers. Only accepted systems are stored.
    const how = { loadId, ...(sameEquipment && { sameEquipment }), ...(keep && { keep }) }
    const data = { technicalSystem: withoutLabels(after), ...how }
    const reply = await ask(deviceId, 'commission', data, { keyId }).catch(withRemedy)
    auditKey = reply.auditKey
    return after
  })
  if (!loaded) return undefined
  const { before, after } = loaded
  if (after.connections.length > 0) await addresses.replace(deviceId, after, targets)
  const version = isUnchanged(before, after)
    ? undefined
    : await createCommissioningVersionStore(tx).add(deviceId, after, { at: new Date(now), by, loadId, templates })
  return { before, after, version, auditKey }
}

/** Compared as stored: JSON has no `undefined`, and no -0. */
function isUnchanged(before: TechnicalSystem | undefined, after: TechnicalSystem): boolean {
  return before ? isDeepStrictEqual(before, JSON.parse(JSON.stringify(after))) : after.connections.length === 0
}

/** The conflict of a caller who saw an earlier state of the system, with who changed it and when. */
async function changedMeanwhile(tx: Db, deviceId: string, file: CommissioningFile): Promise<Failure> {
  const { technicalSystem } = file
  const systemId = systemIdOf(deviceId, technicalSystem)
  const { at = null, by = null } = (await createCommissioningVersionStore(tx).lastChange(deviceId, systemId)) ?? {}
  const who = by?.name ?? (by?.kind === 'operator' ? 'the operator' : 'someone else')
  const when = at === null ? '' : ` at ${at}`
  return new Failure(
    'conflict',
    `${who} changed ${shown(technicalSystem)}${when}, after you looked at it; nothing was changed: check the file again`,
  )
}

/**
 * Asks the controller what a system writes: its drivers know addresses. One that is too old for the question, or finds
 * mistakes, says nothing; it answers `commission` itself.
 */
async function targetsOf(
  system: TechnicalSystem,
  on: Omit<Parameters<typeof askDevice>[1], 'sameEquipment'>,
): Promise<readonly DeviceTarget[]> {
  if (system.connections.length === 0) return []
  try {
    return (await askDevice(system, on)).targets ?? []
  } catch (error) {
    if ((error instanceof Failure && error.kind === 'rejected') || error instanceof UnreadableReply) return []
    return withRemedy(error)
  }
}

function rejectShared(problems: readonly FileProblem[]): void {
  if (problems.length === 0) return
  throw new Failure('rejected', problems.map(({ path, message }) => `${path}: ${message}`).join('; '))
}

/** A command is `invalid` only when it is too large for a device, so the caller must change the file. */
function withRemedy(error: unknown): never {
  if (!(error instanceof Failure) || error.kind !== 'invalid') throw error
  throw new Failure('invalid', `${error.message}: ${WHEN_TOO_LARGE}`, 'body')
}
