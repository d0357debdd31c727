import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp, parseTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance } from 'fastify'
import { CURSOR, STORABLE } from '../db/patterns.ts'
import type { MeasurementStore } from './measurement-store.ts'

const MAX_LIMIT = 10_000
const DEFAULT_LIMIT = 1000
const DAY_MS = 86_400_000
/** The latest time a timestamp can express. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

const id = { type: 'string', maxLength: 255, pattern: STORABLE } as const
const time = (description: string) => ({ type: 'string', format: 'timestamp', description }) as const
const formattedTime = { type: 'string', format: 'date-time' } as const

const querystring = {
  type: 'object',
  properties: {
    from: time('Inclusive; 24 hours before `to` by default'),
    to: time('Exclusive; now by default'),
    limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    cursor: { type: 'string', pattern: CURSOR, description: 'The nextCursor of the previous page' },
  },
} as const

interface MeasurementsRoute {
  Params: { orgId: string; deviceId: string; datapointId: string }
  Querystring: { from?: string; to?: string; limit: number; cursor?: string }
}

/** Lists the archived values of a datapoint. */
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
        summary: 'List the archived values of a datapoint, oldest first, page by page',
        params: { type: 'object', properties: { orgId: id, deviceId: id, datapointId: id } },
        querystring,
        response: {
          200: {
            type: 'object',
            properties: {
              measurements: {
                type: 'array',
                items: { type: 'object', properties: { at: formattedTime, value: { type: 'number' } } },
              },
              gaps: {
                type: 'array',
                description:
                  'Periods in which the device had to drop measurements, for all its datapoints; at most 1000',
                items: {
                  type: 'object',
                  properties: { from: formattedTime, to: formattedTime, dropped: { type: 'integer' } },
                },
              },
              nextCursor: {
                type: ['string', 'null'],
                description: 'The cursor of the next page; null on the last page',
              },
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
      const period = { deviceId, from: toDate(start), to: toDate(end) }
      const after = cursor === undefined ? undefined : Math.min(Number(cursor), LATEST)
      const [page, gaps] = await Promise.all([
        store.list(period, datapointId, { after, limit }),
        store.listGaps(period),
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

/** Clamps to 1970: there are no earlier measurements, and the database rejects some earlier times. */
const toDate = (ms: number) => new Date(Math.max(0, ms))
