import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp, parseTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance } from 'fastify'
import { CURSOR } from '../db/paging.ts'
import { STORABLE } from '../db/storable.ts'
import type { MeasurementStore } from './measurement-store.ts'

const MAX_LIMIT = 10_000
const DEFAULT_LIMIT = 1000
const DAY_MS = 86_400_000
/** The last moment that a timestamp can say. */
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

const id = { type: 'string', maxLength: 255, pattern: STORABLE } as const
const time = (description: string) => ({ type: 'string', format: 'timestamp', description }) as const
const told = { type: 'string', format: 'date-time' } as const

const querystring = {
  type: 'object',
  properties: {
    from: time('Inclusive; 24 hours before `to` when missing'),
    to: time('Exclusive; now when missing'),
    limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    cursor: { type: 'string', pattern: CURSOR, description: 'The nextCursor of the page before' },
  },
} as const

interface MeasurementsRoute {
  Params: { orgId: string; deviceId: string; datapointId: string }
  Querystring: { from?: string; to?: string; limit: number; cursor?: string }
}

/** The archived values of a datapoint, for the operator and for keys that reach its device. */
export function measurementRoutes(
  app: FastifyInstance,
  deps: {
    store: Pick<MeasurementStore, 'list' | 'listGaps'>
    findDevice(deviceId: string): { organizationId: string } | undefined
    clock: Clock
  },
): void {
  const { store, findDevice, clock } = deps

  app.get<MeasurementsRoute>(
    '/api/orgs/:orgId/devices/:deviceId/datapoints/:datapointId/measurements',
    {
      config: { access: { by: 'key-or-operator', permission: 'edge-device:read_write', role: 'viewer' } },
      schema: {
        tags: ['History'],
        summary: 'The archived values of a datapoint, the oldest first, by pages',
        params: { type: 'object', properties: { orgId: id, deviceId: id, datapointId: id } },
        querystring,
        response: {
          200: {
            type: 'object',
            properties: {
              measurements: {
                type: 'array',
                items: { type: 'object', properties: { at: told, value: { type: 'number' } } },
              },
              gaps: {
                type: 'array',
                description: 'What the device had to give up in this time, of all its datapoints; at most 1000 gaps',
                items: { type: 'object', properties: { from: told, to: told, dropped: { type: 'integer' } } },
              },
              nextCursor: { type: ['string', 'null'], description: 'The cursor of the next page; null on the last' },
            },
          },
        },
      },
    },
    async (request) => {
      const { orgId, deviceId, datapointId } = request.params
      if (findDevice(deviceId)?.organizationId !== orgId) {
        throw new Failure('notFound', `this organization has no device ${shown(deviceId)}`)
      }
      const { limit, cursor, from, to } = request.query
      const end = timeOf(to) ?? clock.now()
      const start = timeOf(from) ?? end - DAY_MS
      const stretch = { deviceId, from: toDate(start), to: toDate(end) }
      const after = cursor === undefined ? undefined : Math.min(Number(cursor), LAST)
      const [page, gaps] = await Promise.all([
        store.list(stretch, datapointId, { after, limit }),
        store.listGaps(stretch),
      ])
      return {
        measurements: page.measurements.map(({ at, value }) => ({ at: formatTimestamp(at.getTime()), value })),
        gaps: gaps.map(({ from, to, dropped }) => ({
          from: formatTimestamp(from.getTime()),
          to: formatTimestamp(to.getTime()),
          dropped,
        })),
        nextCursor: page.next === null ? null : String(page.next),
      }
    },
  )
}

const timeOf = (timestamp: string | undefined) => (timestamp === undefined ? undefined : parseTimestamp(timestamp))

/** Nothing is measured before 1970: times of which some cannot be written as the database wants them. */
const toDate = (ms: number) => new Date(Math.max(0, ms))
