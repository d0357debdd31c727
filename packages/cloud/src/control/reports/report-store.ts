import { OutputTestResult } from '@plantroom/contract/output-test'
import { isKept, LimitInterval } from '@plantroom/contract/power-limit'
import { read } from '@plantroom/contract/read'
import {
  REPORT_CODES,
  REPORT_GROUP,
  REPORT_LEVEL,
  type ReportCode,
  type ReportEntry,
  SourceInCharge,
} from '@plantroom/contract/reports'
import { formatTimestamp, parseTimestamp } from '@plantroom/contract/timestamp'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { givenRows } from '../../platform/db/given-rows.ts'
import { type PageQuery, readPage } from '../../platform/db/page.ts'
import type { Schema } from '../../platform/db/schema.ts'
import { readCaller } from './entry-caller.ts'

/** The organization and site of a device. */
export interface Place {
  organizationId: string
  siteId: string
}

interface ReportQuery extends PageQuery {
  organizationId: string
  /** `undefined` for all sites of the organization. */
  siteIds: ReadonlySet<string> | undefined
  /** The site of the device when it sent the entry. */
  siteId?: string | undefined
  technicalSystemId?: string | undefined
  datapointId?: string | undefined
  deviceId?: string | undefined
  code?: ReportCode | undefined
  /** Inclusive. */
  from?: Date | undefined
  /** Exclusive. */
  to?: Date | undefined
}

/** An entry as a device sends it. Its callers are not validated. */
export type ReceivedEntry = Omit<ReportEntry, 'placedBy' | 'cancelledBy'> & {
  placedBy?: unknown
  cancelledBy?: unknown
}

/** An entry, and the id of whoever placed its override; `null` when that is unknown or there is none. */
export interface StoredReport {
  entry: ReportEntry
  siteId: string
  owner: string | null
}

interface ReportPage {
  reports: StoredReport[]
  /** The cursor of the next page; `null` on the last page. */
  next: string | null
}

export type ReportStore = ReturnType<typeof createReportStore>

export function createReportStore(db: Db) {
  return {
    /** Stores all entries in the given order, each once, or none. Resolves with the number of new entries. */
    add: (place: Place, entries: readonly ReceivedEntry[]): Promise<number> => insertEntries(db, place, entries),

    /** Lists entries, newest first. */
    async list(query: ReportQuery): Promise<ReportPage> {
      const { siteIds, siteId, technicalSystemId, datapointId, deviceId, code, from, to } = query
      let rows = db
        .selectFrom('report')
        .leftJoin('override_owner as owner', (join) =>
          join.onRef('owner.device_id', '=', 'report.device_id').onRef('owner.override_id', '=', 'report.override_id'),
        )
        .where('organization_id', '=', query.organizationId)
      if (siteIds) rows = rows.where('site_id', '=', sql<string>`ANY(${[...siteIds]}::text[])`)
      if (siteId !== undefined) rows = rows.where('site_id', '=', siteId)
      if (technicalSystemId !== undefined) rows = rows.where('technical_system_id', '=', technicalSystemId)
      if (datapointId !== undefined) rows = rows.where('datapoint_id', '=', datapointId)
      if (deviceId !== undefined) rows = rows.where('report.device_id', '=', deviceId)
      if (code !== undefined) rows = rows.where('code', '=', code)
      if (from) rows = rows.where('at', '>=', from)
      if (to) rows = rows.where('at', '<', to)
      const entries = rows.selectAll('report').select('owner.placed_by as owner')
      const { items, next } = await readPage(entries, query, { by: 'position', order: 'desc' }, (row) => ({
        entry: toEntry(row),
        siteId: row.site_id,
        owner: row.owner ?? row.placed_by?.id ?? null,
      }))
      return { reports: items, next }
    },
  }
}

function toEntry(row: Selectable<Schema['report']>): ReportEntry {
  return {
    id: row.id,
    code: row.code,
    ...REPORT_CODES[row.code],
    group: REPORT_GROUP,
    level: REPORT_LEVEL,
    at: formatTimestamp(row.at.getTime()),
    deviceId: row.device_id,
    technicalSystemId: row.technical_system_id,
    connectionId: row.connection_id,
    datapointId: row.datapoint_id,
    overrideId: row.override_id,
    reqId: row.req_id,
    phase: row.phase,
    reason: row.reason,
    valueBefore: row.value_before,
    value: row.value,
    readBack: row.read_back,
    seq: Number(row.seq),
    placedBy: row.placed_by,
    cancelledBy: row.cancelled_by,
    ...(row.interval && { interval: row.interval }),
    ...(row.test && { test: row.test }),
    ...(row.in_charge && { inCharge: row.in_charge }),
  }
}

const formatted = (time: string) => formatTimestamp(parseTimestamp(time) ?? 0)

/** The interval of an entry of that phase, with its declared fields. */
function intervalOf({ phase, interval }: ReceivedEntry): LimitInterval | undefined {
  if (phase !== 'interval' || !interval) return undefined
  return { ...read(LimitInterval, interval), from: formatted(interval.from), to: formatted(interval.to) }
}

/** What was read in the test of an entry of that phase, with its declared fields. */
const testOf = ({ phase, test }: ReceivedEntry) =>
  phase === 'tested' && test ? read(OutputTestResult, test) : undefined

const inChargeOf = ({ inCharge }: ReceivedEntry) => inCharge && read(SourceInCharge, inCharge)

const keptOf = (interval: LimitInterval | undefined) =>
  interval && interval.source === undefined ? isKept(interval) : undefined

async function insertEntries(
  db: Db,
  { organizationId, siteId }: Place,
  entries: readonly ReceivedEntry[],
): Promise<number> {
  if (entries.length === 0) return 0
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO report (
      organization_id, site_id, device_id, id, code, at, technical_system_id, connection_id, datapoint_id,
      override_id, req_id, phase, reason, value_before, value, read_back, seq, placed_by, cancelled_by,
      interval, interval_from, interval_kept, test, in_charge
    )
    SELECT ${organizationId}, ${siteId}, device_id, id, code, at, technical_system_id, connection_id, datapoint_id,
      override_id, req_id, phase, reason, value_before, value, read_back, seq, placed_by, cancelled_by,
      interval, interval_from, interval_kept, test, in_charge
    FROM ${givenRows(entries, {
      place: ['integer', (_, place) => place],
      device_id: 'text',
      id: 'text',
      code: 'integer',
      at: ['timestamptz', ({ at }) => formatted(at)],
      technical_system_id: 'text',
      connection_id: 'text',
      datapoint_id: 'text',
      override_id: 'text',
      req_id: 'text',
      phase: 'text',
      reason: 'text',
      value_before: 'jsonb',
      value: 'jsonb',
      read_back: 'jsonb',
      seq: 'bigint',
      placed_by: ['jsonb', ({ placedBy }) => readCaller(placedBy)],
      cancelled_by: ['jsonb', ({ cancelledBy }) => readCaller(cancelledBy)],
      interval: ['jsonb', (entry) => intervalOf(entry)],
      interval_from: ['timestamptz', (entry) => intervalOf(entry)?.from],
      test: ['jsonb', (entry) => testOf(entry)],
      in_charge: ['jsonb', (entry) => inChargeOf(entry)],
      interval_kept: ['boolean', (entry) => keptOf(intervalOf(entry))],
    })}
    ORDER BY place
    ON CONFLICT (device_id, id) DO NOTHING`.execute(db)
  return Number(numAffectedRows)
}
