import type { Clock } from '@plantroom/base/clock'
import { API, type Api, type RecentValues } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { MAX_RECENT } from '@plantroom/contract/main-measurements'
import type { ValidQuery } from '@plantroom/contract/route'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp, parseTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { addRoute } from '../../platform/routes/index.ts'
import { type EventStreams, sendCsv } from '../../platform/streams/index.ts'
import type { Point } from './aggregate.ts'
import { DAY_MS } from './block-store.ts'
import type { Broadcasts } from './broadcasts.ts'
import type { HistoryStore } from './history-store.ts'
import type { MeasurementStore } from './measurement-store.ts'
import { type SteppedPeriod, toSteps } from './steps.ts'

const CSV_PAGE = 10_000

const HOUR_MS = 3_600_000
/** As fine as a small picture can show. */
const RECENT_STEP = 120

type FindDevice = (deviceId: string) => { organizationId: string; siteId: string } | undefined

/** Lists the archived values of a datapoint: by pages, downsampled, or as CSV; and the last hour of several datapoints. */
export function measurementRoutes(
  app: FastifyInstance,
  deps: {
    store: Pick<MeasurementStore, 'listGaps' | 'timeZoneOf'>
    history: HistoryStore
    findDevice: FindDevice
    clock: Clock
  },
): void {
  const { store, history, findDevice, clock } = deps

  addRoute(app, API.listMeasurements, async (request, reply) => {
    const { orgId, deviceId, datapointId } = request.params
    requireDevice(findDevice, orgId, deviceId)
    const { limit, cursor, format } = request.query
    const wanted = wantedSteps(request.query)
    const given = { deviceId, datapointId, ...periodOf(request.query, clock.now()) }
    const stepped = wanted && toSteps(given, wanted, await store.timeZoneOf(deviceId))
    if (format === 'csv')
      return stepped ? sendStepsCsv(reply, history, given, stepped) : sendCsvPages(reply, history, given)
    const answer = stepped
      ? { step: stepped.step, points: (await history.downsample(given, stepped)).map(shownPoint) }
      : shownPage(await history.list(given, { after: cursor === undefined ? undefined : Number(cursor), limit }))
    const { from, to } = stepped ?? given
    const gaps = await store.listGaps({ deviceId, from: toDate(from), to: toDate(to) })
    return reply.type('application/json').send({ ...answer, gaps })
  })

  addRoute(app, API.listRecentValues, async ({ params, query }) => {
    const wanted = readDatapoints(query.datapoints)
    for (const { deviceId } of wanted) requireDevice(findDevice, params.orgId, deviceId, params.siteId)
    const to = clock.now()
    const period = toSteps({ from: to - HOUR_MS, to }, { step: RECENT_STEP })
    const series: RecentValues['series'][number][] = []
    // One after another: a page that is opened by many people must not take every connection to the database.
    for (const of of wanted) {
      const points = await history.downsample({ ...of, from: to - HOUR_MS, to }, period)
      series.push({ ...of, means: meansOf(points, period) })
    }
    return { from: formatTimestamp(period.from), step: RECENT_STEP, series }
  })
}

function readDatapoints(text: string): { deviceId: string; datapointId: string }[] {
  const named = [...new Set(text.split(','))]
  if (named.length > MAX_RECENT) {
    const message = `datapoints: ask for at most ${MAX_RECENT} datapoints, not for ${named.length}`
    throw new Failure('invalid', message, 'datapoints')
  }
  return named.map((each) => {
    const slash = each.indexOf('/')
    if (slash > 0 && slash < each.length - 1) {
      return { deviceId: each.slice(0, slash), datapointId: each.slice(slash + 1) }
    }
    throw new Failure('invalid', `datapoints: ${shown(each)} must be deviceId/datapointId`, 'datapoints')
  })
}

/** Returns the mean of every step, in order. */
function meansOf(points: readonly Point[], { from, to, step }: SteppedPeriod): (number | null)[] {
  const means = new Map(points.map(({ at, mean }) => [at, mean]))
  return Array.from(
    { length: (to - from) / (step * 1000) },
    (_, place) => means.get(from + place * step * 1000) ?? null,
  )
}

type Query = ValidQuery<Api['listMeasurements']>

function wantedSteps({ points, step }: Query): Parameters<typeof toSteps>[1] | undefined {
  if (points !== undefined && step !== undefined) {
    throw new Failure('invalid', 'step: send only one of points and step', 'step')
  }
  if (points !== undefined) return { points }
  return step === undefined ? undefined : { step }
}

/** Starts in 1970 at the earliest: there are no earlier measurements. */
function periodOf({ from, to }: Query, now: number): { from: number; to: number } {
  const end = Math.max(0, timeOf(to) ?? now)
  return { from: Math.max(0, timeOf(from) ?? end - DAY_MS), to: end }
}

const shownPage = ({ measurements, next }: Awaited<ReturnType<HistoryStore['list']>>) => ({
  measurements: measurements.map(({ at, value, span }) => ({
    at: formatTimestamp(at),
    value,
    ...span,
  })),
  nextCursor: next === null ? null : String(next),
})

const shownPoint = ({ at, ...point }: Point) => ({ at: formatTimestamp(at), ...point })

type Given = Parameters<HistoryStore['list']>[0]

function sendCsvPages(reply: FastifyReply, history: HistoryStore, given: Given): Promise<FastifyReply> {
  return sendCsv(reply, {
    filename: 'measurements.csv',
    columns: ['at', 'value', 'mean', 'min', 'max', 'seconds', 'coverage', 'energyKwh', 'quality'],
    cells: ({ at, value, span }) => [
      formatTimestamp(at),
      value,
      ...(['mean', 'min', 'max', 'seconds', 'coverage', 'energyKwh'] as const).map((field) => span?.[field] ?? null),
      qualityOf(span?.coverage ?? null),
    ],
    async read(after) {
      const { measurements, next } = await history.list(given, {
        after: after === undefined ? undefined : Number(after),
        limit: CSV_PAGE,
      })
      return { items: measurements, next: next === null ? null : String(next) }
    },
  })
}

/** Says in a word how much of an interval or step is known. */
function qualityOf(coverage: number | null): 'samples' | 'complete' | 'partial' {
  if (coverage === null) return 'samples'
  return coverage === 100 ? 'complete' : 'partial'
}

function sendStepsCsv(
  reply: FastifyReply,
  history: HistoryStore,
  given: Given,
  stepped: SteppedPeriod,
): Promise<FastifyReply> {
  return sendCsv(reply, {
    filename: 'measurements.csv',
    columns: ['at', 'min', 'mean', 'max', 'count', 'last', 'coverage', 'energyKwh', 'quality'],
    cells: ({ at, min, mean, max, count, last, coverage, energyKwh }) => [
      ...[formatTimestamp(at), min, mean, max, count, last, coverage, energyKwh ?? null],
      qualityOf(coverage),
    ],
    read: async () => ({ items: await history.downsample(given, stepped), next: null }),
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

function requireDevice(findDevice: FindDevice, orgId: string, deviceId: string, siteId?: string): void {
  const found = findDevice(deviceId)
  const isThere = found?.organizationId === orgId && (siteId === undefined || found.siteId === siteId)
  if (isThere) return
  const where = siteId === undefined ? 'organization' : 'site'
  throw new Failure('notFound', `this ${where} has no device ${shown(deviceId)}`)
}

const timeOf = (timestamp: string | undefined) => (timestamp === undefined ? undefined : parseTimestamp(timestamp))

const toDate = (ms: number) => new Date(ms)
