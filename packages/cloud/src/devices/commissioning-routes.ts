import { randomUUID } from 'node:crypto'
import type { Clock } from '@plantroom/base/clock'
import { CommissioningFile, type CommissioningResult, type FileProblem } from '@plantroom/contract/commissioning'
import { fileProblems } from '@plantroom/contract/commissioning-problems'
import { fileWarnings } from '@plantroom/contract/commissioning-warnings'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Mirror } from '../db/mirror.ts'
import { STORABLE } from '../db/storable.ts'
import { commissioningFileOf } from './commissioning-file.ts'
import type { Device } from './device-store.ts'
import type { Dispatch } from './dispatch.ts'
import { layOut } from './lay-out.ts'
import type { TechnicalSystemStore } from './technical-system-store.ts'
import { createTurns } from './turns.ts'

const BODY_LIMIT = 3 * 1024 * 1024
const WHEN_TOO_LARGE = 'split the file into several technical systems, or shorten names and data'
const named = { id: { type: 'string' }, name: { type: 'string' } } as const
const config = { access: { by: 'operator', role: 'admin' } } as const

type OfDevice = { Params: { orgId: string; deviceId: string } }

/** Loads commissioning files onto devices, returns them, and lists what is commissioned. */
export function commissioningRoutes(
  app: FastifyInstance,
  deps: { devices: Mirror<Device>; systems: TechnicalSystemStore; dispatch: Dispatch; clock: Clock },
): void {
  const { devices, systems, dispatch, clock } = deps
  const turns = createTurns({ underWay: 5, waiting: 1000 })

  function requireDevice({ orgId, deviceId }: OfDevice['Params']): void {
    if (devices.get(deviceId)?.organizationId !== orgId) {
      throw new Failure('notFound', `this organization has no device ${shown(deviceId)}`)
    }
  }

  app.get<OfDevice>(
    '/api/orgs/:orgId/devices/:deviceId/technical-systems',
    {
      config: { access: { by: 'key-or-operator', permission: 'edge-device:read_write', role: 'viewer' } },
      schema: {
        tags: ['Administration'],
        summary: 'What is commissioned on a device; the settings of connections are for administrators alone',
        response: {
          200: {
            type: 'object',
            properties: { technicalSystems: { type: 'array', items: { type: 'object', additionalProperties: true } } },
          },
        },
      },
    },
    async (request) => {
      requireDevice(request.params)
      const found = await systems.list(request.params.deviceId)
      return { technicalSystems: administers(request) ? found : found.map(withoutSettings) }
    },
  )

  app.get<{ Params: OfDevice['Params'] & { systemId: string } }>(
    '/api/orgs/:orgId/devices/:deviceId/technical-systems/:systemId/file',
    {
      config,
      schema: {
        tags: ['Administration'],
        summary: 'The commissioning file of a technical system; loaded again, it changes nothing',
        params: {
          type: 'object',
          properties: { systemId: { type: 'string', maxLength: 255, pattern: STORABLE } },
        },
        response: { 200: { type: 'object', additionalProperties: true } },
      },
    },
    async (request): Promise<CommissioningFile> => {
      requireDevice(request.params)
      const { deviceId, systemId } = request.params
      const system = await systems.find(deviceId, systemId)
      if (!system) throw new Failure('notFound', `this device has no technical system ${shown(systemId)}`)
      return commissioningFileOf(system)
    },
  )

  app.put<OfDevice & { Body: CommissioningFile }>(
    '/api/orgs/:orgId/devices/:deviceId/commissioning',
    {
      config: { ...config, whenTooLarge: WHEN_TOO_LARGE },
      bodyLimit: BODY_LIMIT,
      schema: {
        tags: ['Administration'],
        summary: 'Load a commissioning file onto a device; connections and datapoints keep their ids by name',
        body: CommissioningFile,
        response: {
          200: {
            type: 'object',
            properties: {
              technicalSystemId: { type: 'string' },
              connections: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: {
                    ...named,
                    datapoints: { type: 'array', items: { type: 'object', properties: named } },
                  },
                },
              },
              warnings: {
                type: 'array',
                description: 'What the installer should reconsider; absent when there is nothing',
                items: {
                  type: 'object',
                  properties: { path: { type: 'string' }, message: { type: 'string' } },
                },
              },
            },
          },
        },
      },
    },
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
      // Each holds a database connection while its device answers: without a bound, other requests would get none.
      const loaded = await turns.take('commissioning', () =>
        systems.change(deviceId, file.technicalSystem, async (before, timeZone) => {
          const after = layOut(file, { deviceId, timeZone, before, now: formatTimestamp(clock.now()) })
          // The device validates settings and data, which belong to its drivers; only what it accepted is stored here.
          await dispatch(deviceId, 'commission', {
            reqId: randomUUID(),
            keyId: request.callerId ?? 'operator',
            data: { technicalSystem: after },
          }).catch(withRemedy)
          return after
        }),
      )
      if (!loaded) throw new Failure('notFound', `this organization has no device ${shown(deviceId)}`)
      return toResult(loaded, fileWarnings(file))
    },
  )
}

/** The operator, or a person who may load commissioning files, too. */
function administers({ callerId, role }: FastifyRequest): boolean {
  return callerId === undefined || role === 'admin'
}

/** They hold the passwords of equipment. */
function withoutSettings(system: TechnicalSystem): TechnicalSystem {
  return { ...system, connections: system.connections.map((connection) => ({ ...connection, settings: {} })) }
}

/** A command is `invalid` only when it exceeds what a device accepts: the file is the caller's to change. */
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
