import { REPORT_CODES, REPORT_PHASES, REPORT_REASONS, type ReportCode } from '@plantroom/contract/reports'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance } from 'fastify'
import { CURSOR, STORABLE } from '../db/patterns.ts'
import { sendCsv } from '../streams/index.ts'
import type { DeviceNameStore } from './device-name-store.ts'
import { createNaming, REPORT_COLUMNS, reportCells } from './report-csv.ts'
import type { ReportStore } from './report-store.ts'

const MAX_LIMIT = 1000
const DEFAULT_LIMIT = 100

const text = { type: 'string' } as const
const textOrNull = { type: ['string', 'null'] } as const
const value = (description: string) => ({ type: ['number', 'string', 'null'], description }) as const
const id = (description: string) => ({ type: 'string', maxLength: 255, pattern: STORABLE, description }) as const
const time = (description: string) => ({ type: 'string', format: 'timestamp', description }) as const

const querystring = {
  type: 'object',
  properties: {
    siteId: id('Only entries of devices of this site'),
    technicalSystemId: id('Only entries of this technical system'),
    datapointId: id('Only entries of this datapoint'),
    deviceId: id('Only entries of this device'),
    code: { enum: Object.keys(REPORT_CODES).map(Number), description: 'Only entries of this code' },
    from: time('Only entries at or after this time'),
    to: time('Only entries before this time'),
    format: {
      enum: ['json', 'csv'],
      default: 'json',
      description: 'json returns pages; csv returns everything, with names',
    },
    limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    cursor: { type: 'string', pattern: CURSOR, description: 'The nextCursor of the previous page' },
  },
} as const

const entry = {
  type: 'object',
  properties: {
    id: text,
    code: { type: 'integer' },
    name: text,
    title: text,
    group: text,
    level: text,
    at: { type: 'string', format: 'date-time', description: 'When it happened, according to the clock of the device' },
    deviceId: text,
    technicalSystemId: text,
    connectionId: text,
    datapointId: text,
    overrideId: textOrNull,
    reqId: textOrNull,
    phase: { type: 'string', enum: REPORT_PHASES },
    reason: { type: 'string', enum: REPORT_REASONS },
    valueBefore: value('The value of the datapoint before this writer took over'),
    value: value('The value written to the datapoint; null on a release that wrote nothing'),
    readBack: value('The value the equipment reported right after; null when it was not read or did not answer'),
    seq: { type: 'integer', description: 'Increases by one with every entry of a device' },
  },
} as const

const page = {
  type: 'object',
  properties: {
    reports: { type: 'array', items: entry },
    nextCursor: { ...textOrNull, description: 'The cursor of the next page; null on the last page' },
  },
} as const

interface ReportsRoute {
  Params: { orgId: string }
  Querystring: {
    siteId?: string
    technicalSystemId?: string
    datapointId?: string
    deviceId?: string
    code?: ReportCode
    from?: string
    to?: string
    format: 'json' | 'csv'
    limit: number
    cursor?: string
  }
}

/** Lists the audit entries of an organization. Keys and people see only the entries of their sites. */
export function reportRoutes(
  app: FastifyInstance,
  deps: { store: Pick<ReportStore, 'list'>; names: Pick<DeviceNameStore, 'find'> },
): void {
  app.get<ReportsRoute>(
    '/api/orgs/:orgId/reports',
    {
      config: { access: { by: 'key-or-operator', permission: 'edge-device:read_write', role: 'viewer' } },
      schema: {
        tags: ['History'],
        summary: 'List what demand response, peak shaving and schedules did to datapoints, newest first, page by page',
        params: { type: 'object', properties: { orgId: id('The organization') } },
        querystring,
        response: {
          200: { content: { 'application/json': { schema: page }, 'text/csv': { schema: text } } },
        },
      },
    },
    async (request, reply) => {
      const { from, to, format, limit, cursor, ...filters } = request.query
      const query = {
        ...pick(filters),
        organizationId: request.params.orgId,
        siteIds: request.siteIds,
        from: toDate(from),
        to: toDate(to),
      }
      if (format === 'json') {
        const { reports, next } = await deps.store.list({ ...query, limit, before: cursor })
        return reply.type('application/json').send({ reports, nextCursor: next })
      }
      const addNames = createNaming(deps)
      return sendCsv(reply, {
        filename: 'reports.csv',
        columns: REPORT_COLUMNS,
        cells: reportCells,
        async read(before) {
          const { reports, next } = await deps.store.list({ ...query, limit: MAX_LIMIT, before })
          return { items: await addNames(reports), next }
        },
      })
    },
  )
}

/** Keeps the known filters: a query may contain other parameters. */
function pick({ siteId, technicalSystemId, datapointId, deviceId, code }: Partial<ReportsRoute['Querystring']>) {
  return { siteId, technicalSystemId, datapointId, deviceId, code }
}

/** Clamps to 1970: there are no earlier entries, and the database rejects some earlier times. */
function toDate(timestamp: string | undefined): Date | undefined {
  const ms = timestamp === undefined ? undefined : parseTimestamp(timestamp)
  return ms === undefined ? undefined : new Date(Math.max(0, ms))
}
