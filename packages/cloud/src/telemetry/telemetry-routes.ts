import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp, parseTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../routes/index.ts'
import type { EventStreams } from '../streams/index.ts'
import type { Broadcasts } from './broadcasts.ts'
import type { MeasurementStore } from './measurement-store.ts'

const DAY_MS = 86_400_000
/** The latest time a timestamp can express. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

type FindDevice = (deviceId: string) => { organizationId: string } | undefined

/** Lists the archived values of a datapoint. */
export function measurementRoutes(
  app: FastifyInstance,
  deps: {
    store: Pick<MeasurementStore, 'list' | 'listGaps'>
    findDevice: FindDevice
    clock: Clock
  },
): void {
  const { store, findDevice, clock } = deps

  addRoute(app, API.listMeasurements, async (request) => {
    const { orgId, deviceId, datapointId } = request.params
    requireDevice(findDevice, orgId, deviceId)
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

/** Streams the values that a device broadcasts as server-sent events. */
export function broadcastRoutes(
  app: FastifyInstance,
  deps: {
    broadcasts: Pick<Broadcasts, 'follow'>
    findDevice: FindDevice
    streams: EventStreams
  },
): void {
  const { broadcasts, findDevice, streams } = deps

  addRoute(app, API.followBroadcasts, (request, reply) => {
    const { orgId, deviceId } = request.params
    requireDevice(findDevice, orgId, deviceId)
    const stream = streams.open(reply, { isOpen: () => request.sessionIsOpen() })
    stream.onClose(broadcasts.follow(deviceId, (broadcast) => stream.send('values', broadcast)))
  })
}

function requireDevice(findDevice: FindDevice, orgId: string, deviceId: string): void {
  if (findDevice(deviceId)?.organizationId === orgId) return
  throw new Failure('notFound', `this organization has no device ${shown(deviceId)}`)
}

const timeOf = (timestamp: string | undefined) => (timestamp === undefined ? undefined : parseTimestamp(timestamp))

/** Clamps to 1970: there are no earlier measurements, and the database rejects some earlier times. */
const toDate = (ms: number) => new Date(Math.max(0, ms))
