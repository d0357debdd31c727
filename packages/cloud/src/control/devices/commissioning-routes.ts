import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import {
  type CommissioningCheck,
  type CommissioningFile,
  type CommissioningResult,
  type FileProblem,
  fileProblems,
  fileWarnings,
  isCommissioningFile,
} from '@plantroom/contract/commissioning'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ActivityLog, Happened } from '../../organization/activity/index.ts'
import type { Mirror } from '../../platform/db/mirror.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { createOrganizationQueue } from '../../platform/work/index.ts'
import type { Ask } from './ask.ts'
import { assignIds } from './assign-ids.ts'
import { baseOf, checkDocument, WHEN_TOO_LARGE } from './check-commissioning.ts'
import { commissioningFileOf } from './commissioning-file.ts'
import type { CommissioningVersionStore } from './commissioning-version-store.ts'
import type { Device } from './device-store.ts'
import { loadSystem } from './load-system.ts'
import { signWarnings } from './meter-signs.ts'
import type { OutputTestStore } from './output-test-store.ts'
import { buildTechnicalSystem, systemIdOf } from './technical-system.ts'
import type { TechnicalSystemStore } from './technical-system-store.ts'
import type { WrittenAddressStore } from './written-address-store.ts'

const BODY_LIMIT = 3 * 1024 * 1024
/** By organization. */
const QUEUE_LIMITS = { atOnce: 10, atOncePerGroup: 2, waiting: 1000, waitingPerGroup: 200 }

type DeviceRoute = { Params: { orgId: string; deviceId: string } }

/** Commissions devices, and returns their technical systems and commissioning files. */
export function commissioningRoutes(
  app: FastifyInstance,
  deps: {
    devices: Mirror<Device>
    systems: Pick<TechnicalSystemStore, 'list' | 'find' | 'findByName' | 'otherWithPowerLimit'>
    versions: CommissioningVersionStore
    addresses: Pick<WrittenAddressStore, 'shared'>
    tests: Pick<OutputTestStore, 'confirmedAt'>
    activity: ActivityLog
    ask: Ask
    clock: Clock
  },
): void {
  const { devices, systems, versions, addresses, tests, activity, ask, clock } = deps
  // A mute device keeps its organization waiting, not the others.
  const queue = createOrganizationQueue('files to be commissioned or checked', QUEUE_LIMITS)

  function requireDevice({ orgId, deviceId }: DeviceRoute['Params']): void {
    if (devices.get(deviceId)?.organizationId !== orgId) {
      throw new Failure('notFound', `this organization has no device ${shown(deviceId)}`)
    }
  }

  addRoute(app, API.listTechnicalSystems, async (request) => {
    requireDevice(request.params)
    const found = await systems.list(request.params.deviceId)
    return { technicalSystems: isAdministrator(request) ? found : found.map(withoutSettings) }
  })

  addRoute(app, API.getCommissioningFile, async (request): Promise<CommissioningFile> => {
    requireDevice(request.params)
    const { deviceId, systemId } = request.params
    const system = await systems.find(deviceId, systemId)
    if (!system) throw new Failure('notFound', `this device has no technical system ${shown(systemId)}`)
    return commissioningFileOf(system, await versions.templatesOf(deviceId, systemId))
  })

  addRoute(app, API.listCommissioningVersions, async (request) => {
    requireDevice(request.params)
    return { versions: await versions.list(request.params.deviceId, request.query.technicalSystemId) }
  })

  addRoute(app, API.getCommissioningVersion, async (request): Promise<CommissioningFile> => {
    requireDevice(request.params)
    const { deviceId, version } = request.params
    const kept = VERSION.test(version) ? await versions.find(deviceId, Number(version)) : undefined
    if (!kept) {
      throw new Failure('notFound', `this device has no version ${shown(version)}, or it is older than those kept`)
    }
    const { system, templates } = kept
    return commissioningFileOf(system, templates)
  })

  addRoute(
    app,
    API.checkCommissioning,
    async (request): Promise<CommissioningCheck> => {
      requireDevice(request.params)
      const { orgId, deviceId } = request.params
      const { body } = request
      const { technicalSystem } = body
      const name = typeof technicalSystem === 'string' && technicalSystem.length <= 255 ? technicalSystem : ''
      const { before, timeZone } = await systems.findByName(deviceId, name)
      const now = formatTimestamp(clock.now())
      const keyId = request.callerId ?? 'operator'
      const check = () => checkDocument(body, { deviceId, timeZone, before, now, ask, keyId, addresses, systems })
      const checked = await queue.run(orgId, check)
      const lastChange = await versions.lastChange(deviceId, systemIdOf(deviceId, name))
      const isValid = checked.problems.length === 0 && isCommissioningFile(body)
      return {
        ...checked,
        ...(isValid && listMatched(body, { deviceId, before })),
        warnings: isValid
          ? [
              ...fileWarnings(body),
              ...(await signWarnings(tests, deviceId, buildTechnicalSystem(body, { deviceId, timeZone, before, now }))),
            ]
          : [],
        base: baseOf(before),
        before: before ? commissioningFileOf(before) : null,
        lastChange: lastChange ?? (before ? { at: null, by: null } : null),
      }
    },
    { whenTooLarge: WHEN_TOO_LARGE, bodyLimit: BODY_LIMIT },
  )

  addRoute(
    app,
    API.commission,
    async (request): Promise<CommissioningResult> => {
      requireDevice(request.params)
      const { deviceId } = request.params
      const file = request.body
      const problems = fileProblems(file)
      if (problems[0]) {
        throw new Failure(
          'invalid',
          problems.map(({ path, message }) => `${path}: ${message}`).join('; '),
          problems[0].path,
        )
      }
      // Each uses a database connection until its device answers: without a limit, other requests would get none.
      const load = () =>
        activity.change(request, async (tx, note) => {
          const { orgId } = request.params
          const { base } = request.query
          const { callerId: keyId = 'operator', actor: by } = request
          const loaded = await loadSystem(tx, file, { deviceId, orgId, base, keyId, by, ask, now: clock.now() })
          if (!loaded) return undefined
          const { before, after, version, auditKey: key } = loaded
          const device = devices.get(deviceId)
          if (device && key !== undefined) (await activity.auditKeys.changes(tx, [{ device, key }])).forEach(note)
          note(commissioned(device, after, { version, file }))
          return { after, ...listMatched(file, { deviceId, before }) }
        })
      const loaded = await queue.run(request.params.orgId, load)
      if (!loaded) throw new Failure('notFound', `this organization has no device ${shown(deviceId)}`)
      const { after, ...matched } = loaded
      const warnings = [...fileWarnings(file), ...(await signWarnings(tests, deviceId, after))]
      return { ...toResult(after, warnings), ...matched }
    },
    { whenTooLarge: WHEN_TOO_LARGE, bodyLimit: BODY_LIMIT },
  )
}

/** A number that the column of versions takes. */
const VERSION = /^[1-9]\d{0,8}$/

function commissioned(
  device: Device | undefined,
  { id, name, connections }: TechnicalSystem,
  { version, file: { sameEquipment, keep } }: { version: number | undefined; file: CommissioningFile },
): Happened {
  return {
    organizationId: device?.organizationId ?? null,
    siteId: device?.siteId,
    action: 'commissioned',
    subject: { kind: 'device', id: device?.id ?? null, name: device?.name ?? null },
    details: {
      technicalSystem: { id, name },
      connections: connections.length,
      datapoints: connections.reduce((sum, { datapoints }) => sum + datapoints.length, 0),
      ...(version !== undefined && { version }),
      ...(sameEquipment && { sameEquipment }),
      ...(keep && { keep }),
    },
  }
}

/** What a file renames and adds, where it does. */
function listMatched(
  file: CommissioningFile,
  on: Parameters<typeof assignIds>[1],
): Pick<CommissioningResult, 'matched'> {
  const { matched } = assignIds(file, on)
  return matched.length > 0 ? { matched } : {}
}

/** True for the operator and for people who may commission devices. */
function isAdministrator({ callerId, role }: FastifyRequest): boolean {
  return callerId === undefined || role === 'admin'
}

/** Removes the settings of connections, which contain passwords of equipment. */
function withoutSettings(system: TechnicalSystem): TechnicalSystem {
  return { ...system, connections: system.connections.map((connection) => ({ ...connection, settings: {} })) }
}

function toResult(system: TechnicalSystem, warnings: FileProblem[]): CommissioningResult {
  return {
    technicalSystemId: system.id,
    connections: system.connections.map(({ id, name, datapoints }) => ({
      id,
      name,
      datapoints: datapoints.map(({ id, name }) => ({ id, name })),
    })),
    ...(warnings.length > 0 && { warnings }),
  }
}
