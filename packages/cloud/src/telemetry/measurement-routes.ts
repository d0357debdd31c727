import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp, parseTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../routes/index.ts'
import type { MeasurementStore } from './measurement-store.ts'

const DAY_MS = 86_400_000
/** The latest time a timestamp can express. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

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

  addRoute(app, API.listMeasurements, async (request) => {
    const { orgId, deviceId, datapointId } = request.params
    if (findDevice(deviceId)?.organizationId !== orgId) {
      throw new Failure('notFound', `this organization has no device ${shown(deviceId)}`)
    }
    const { limit, cursor, from, to } = request.query
    const end = timeOf(to) ?? clock.now()
    const start = timeOf(from) ?? end - DAY_MS
    const period = { deviceId, from: toDate(start), to: toDate(end) }
    const after = cursor === undefined ? undefined : Math.min(Number(cursor), LATEST)
    const [page, gaps] = await Promise.all([store.list(period, datapointId, { after, limit }), store.listGaps(period)])
    return {
      measurements: page.measurements.map(({ at, value }) => ({ at: formatTimestamp(at.getTime()), value })),
      gaps: gaps.map(({ from, to, dropped }) => ({
        from: formatTimestamp(from.getTime()),
        to: formatTimestamp(to.getTime()),
        dropped,
      })),
      nextCursor: page.next === null ? null : String(page.next),
    }
  })
}

const timeOf = (timestamp: string | undefined) => (timestamp === undefined ? undefined : parseTimestamp(timestamp))

/** Clamps to 1970: there are no earlier measurements, and the database rejects some earlier times. */
const toDate = (ms: number) => new Date(Math.max(0, ms))
