import { randomUUID } from 'node:crypto'
import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import {
  type CommissioningFile,
  type CommissioningResult,
  type FileProblem,
  fileProblems,
  fileWarnings,
} from '@plantroom/contract/commissioning'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ActivityLog, Happened } from '../activity/index.ts'
import type { Mirror } from '../db/mirror.ts'
import { addRoute } from '../routes/index.ts'
import { commissioningFileOf } from './commissioning-file.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import type { Device } from './device-store.ts'
import type { Dispatch } from './dispatch.ts'
import { buildTechnicalSystem } from './technical-system.ts'
import { createTechnicalSystemStore, type TechnicalSystemStore } from './technical-system-store.ts'

const BODY_LIMIT = 3 * 1024 * 1024
const WHEN_TOO_LARGE = 'split the file into several technical systems, or shorten names and data'

type DeviceRoute = { Params: { orgId: string; deviceId: string } }

/** Commissions devices, and returns their technical systems and commissioning files. */
export function commissioningRoutes(
  app: FastifyInstance,
  deps: {
    devices: Mirror<Device>
    systems: Pick<TechnicalSystemStore, 'list' | 'find'>
    activity: ActivityLog
    dispatch: Dispatch
    clock: Clock
  },
): void {
  const { devices, systems, activity, dispatch, clock } = deps
  const limits = {
    // A mute device keeps its organization waiting, not the others.
    ofOrganization: createConcurrencyLimit({ running: 2, queued: 200 }, 'commissioning is busy'),
    ofAll: createConcurrencyLimit({ running: 10, queued: 1000 }, 'commissioning is busy'),
  }

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
    return commissioningFileOf(system)
  })

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
          const systems = createTechnicalSystemStore(tx)
          const loaded = await systems.change(deviceId, file.technicalSystem, async (before, timeZone) => {
            const now = formatTimestamp(clock.now())
            const after = buildTechnicalSystem(file, { deviceId, timeZone, before, now })
            // The device validates settings and data, which belong to its drivers. Only accepted systems are stored.
            await dispatch(deviceId, 'commission', {
              reqId: randomUUID(),
              keyId: request.callerId ?? 'operator',
              data: { technicalSystem: withoutLabels(after) },
            }).catch(withRemedy)
            return after
          })
          if (loaded) note(commissioned(devices.get(deviceId), loaded))
          return loaded
        })
      const loaded = await limits.ofOrganization.run(request.params.orgId, () => limits.ofAll.run('all', load))
      if (!loaded) throw new Failure('notFound', `this organization has no device ${shown(deviceId)}`)
      return toResult(loaded, fileWarnings(file))
    },
    { whenTooLarge: WHEN_TOO_LARGE, bodyLimit: BODY_LIMIT },
  )
}

function commissioned(device: Device | undefined, { id, name, connections }: TechnicalSystem): Happened {
  return {
    organizationId: device?.organizationId ?? null,
    siteId: device?.siteId,
    action: 'commissioned',
    subject: { kind: 'device', id: device?.id ?? null, name: device?.name ?? null },
    details: {
      technicalSystem: { id, name },
      connections: connections.length,
      datapoints: connections.reduce((sum, { datapoints }) => sum + datapoints.length, 0),
    },
  }
}

/** True for the operator and for people who may commission devices. */
function isAdministrator({ callerId, role }: FastifyRequest): boolean {
  return callerId === undefined || role === 'admin'
}

/** Removes the settings of connections, which contain passwords of equipment. */
function withoutSettings(system: TechnicalSystem): TechnicalSystem {
  return { ...system, connections: system.connections.map((connection) => ({ ...connection, settings: {} })) }
}

/** A controller has no use for units, kinds and tags, and an earlier version would show them in its export. */
function withoutLabels(system: TechnicalSystem): TechnicalSystem {
  const connections = system.connections.map((connection) => ({
    ...connection,
    datapoints: connection.datapoints.map(({ unit: _unit, kind: _kind, tags: _tags, ...datapoint }) => datapoint),
  }))
  return { ...system, connections }
}

/** A command is `invalid` only when it is too large for a device, so the caller must change the file. */
function withRemedy(error: unknown): never {
  if (!(error instanceof Failure) || error.kind !== 'invalid') throw error
  throw new Failure('invalid', `${error.message}: ${WHEN_TOO_LARGE}`, 'body')
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
