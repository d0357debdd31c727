import { randomUUID } from 'node:crypto'
import type { Clock } from '@plantroom/base/clock'
import { COMMISSION } from '@plantroom/contract/commands'
import {
  type CommissioningFile,
  type CommissioningResult,
  commissioningSchema,
} from '@plantroom/contract/commissioning'
import { fileProblems } from '@plantroom/contract/commissioning-problems'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance } from 'fastify'
import type { Mirror } from '../db/mirror.ts'
import type { Device } from './device-store.ts'
import type { Dispatch } from './dispatch.ts'
import { layOut } from './lay-out.ts'
import type { TechnicalSystemStore } from './technical-system-store.ts'
import { createTurns } from './turns.ts'

const BODY_LIMIT = 3 * 1024 * 1024
const named = { id: { type: 'string' }, name: { type: 'string' } } as const
const config = { access: { by: 'operator' } } as const

type OfDevice = { Params: { orgId: string; deviceId: string } }

/** Loads commissioning files onto devices, for the operator. */
export function commissioningRoutes(
  app: FastifyInstance,
  deps: { devices: Mirror<Device>; systems: TechnicalSystemStore; dispatch: Dispatch; clock: Clock },
): void {
  const { devices, systems, dispatch, clock } = deps
  const turns = createTurns({ underWay: 5, waiting: 1000 })

  function requireDevice({ orgId, deviceId }: OfDevice['Params']): void {
    if (devices.get(deviceId)?.organizationId !== orgId) {
      throw new Failure('notFound', `this organization has no device ${deviceId}`)
    }
  }

  app.get<OfDevice>(
    '/api/orgs/:orgId/devices/:deviceId/technical-systems',
    {
      config,
      schema: {
        tags: ['Administration'],
        summary: 'What is commissioned on a device',
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
      return { technicalSystems: await systems.list(request.params.deviceId) }
    },
  )

  app.put<OfDevice & { Body: CommissioningFile }>(
    '/api/orgs/:orgId/devices/:deviceId/commissioning',
    {
      config,
      bodyLimit: BODY_LIMIT,
      schema: {
        tags: ['Administration'],
        summary: 'Load a commissioning file onto a device; what is matched by name keeps its id',
        body: commissioningSchema,
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
      // Each holds a connection to the database while its device answers: a few at a time, or nobody else gets one.
      const loaded = await turns.take('commissioning', () =>
        systems.change(deviceId, file.technicalSystem, async (before, timeZone) => {
          const after = layOut(file, { deviceId, timeZone, before, now: formatTimestamp(clock.now()) })
          // The device judges settings and data, which belong to its drivers; only what it took is kept here.
          await dispatch(deviceId, COMMISSION, {
            reqId: randomUUID(),
            keyId: 'operator',
            data: { technicalSystem: after },
          })
          return after
        }),
      )
      if (!loaded) throw new Failure('notFound', `this organization has no device ${deviceId}`)
      return toResult(loaded)
    },
  )
}

function toResult(system: TechnicalSystem): CommissioningResult {
  return {
    technicalSystemId: system.id,
    connections: system.connections.map(({ id, name, datapoints }) => ({
      id,
      name,
      datapoints: datapoints.map(({ id, name }) => ({ id, name })),
    })),
  }
}
