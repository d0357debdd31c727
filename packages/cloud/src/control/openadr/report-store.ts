import type { DueReport } from '@plantroom/openadr/due-reports'
import type { ReportToMake } from '@plantroom/openadr/report-body'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { insertGiven } from '../../platform/db/given-rows.ts'
import { storableJson } from '../../platform/db/storable-text.ts'
import { type Lease, type LeasedRows, settle, slowSubject } from '../../platform/work/index.ts'

/** The reports that were not sent. One at a time for each program. */
export const REPORTS: LeasedRows<'openadr_report', 'id'> = {
  table: 'openadr_report',
  key: ['id'],
  waiting: sql`state = 'waiting'`,
  group: { column: 'program_id', atOnce: 1 },
  slow: slowSubject({ table: 'openadr_report', key: ['id'] }, { table: 'openadr_program', column: 'program_id' }),
}

export interface NewReport {
  id: string
  eventId: string
  report: DueReport
  dueAt: Date
}

export interface OpenReport {
  id: string
  programId: string
  /** The row of its event. */
  eventId: string | null
  due: ReportToMake
  /** `null` until it was made. */
  body: Record<string, unknown> | null
  posted: boolean
  shouldAt: Date
  attempts: number
}

/** What came of an attempt. */
export interface ReportOutcome {
  state: 'waiting' | 'sent' | 'refused'
  dueAt?: Date
  sentAt?: Date
  /** Whether the VTN may have it although it did not say so. */
  posted: boolean
  status: number | null
  answer: string | null
  error: string | null
}

/** The reports of programs: the queue of the workers, and the log that people see. */
export function createReportStore(db: Db) {
  return {
    /** The keys of the reports of a program that were due after a time. */
    async keys(programId: string, after: Date): Promise<Set<string>> {
      const { rows } = await sql<{ key: string }>`
        SELECT key FROM openadr_report WHERE program_id = ${programId} AND should_at >= ${after}`.execute(db)
      return new Set(rows.map(({ key }) => key))
    },

    /** Stores reports; each key once. */
    async add(program: { id: string; organizationId: string }, reports: readonly NewReport[]): Promise<void> {
      if (reports.length === 0) return
      const shared = { program_id: program.id, organization_id: program.organizationId }
      await sql`
        ${insertGiven('openadr_report', shared, reports, {
          id: 'text',
          event_id: ['text', ({ eventId }) => eventId],
          key: ['text', ({ report }) => report.key],
          due: ['jsonb', ({ report }) => storedReport(report)],
          payloads: ['text[]', ({ report }) => report.items.map(({ payloadType }) => payloadType)],
          resources: ['text[]', ({ report }) => report.resources],
          from_at: ['timestamptz', ({ report }) => timeOf(report.intervals[0]?.from)],
          to_at: ['timestamptz', ({ report }) => timeOf(report.intervals.at(-1)?.to)],
          should_at: ['timestamptz', ({ report }) => new Date(report.dueAt)],
          due_at: 'timestamptz',
        })}
        ON CONFLICT (program_id, key) DO NOTHING`.execute(db)
    },

    async open(lease: Lease<'id'>): Promise<OpenReport | undefined> {
      const { rows } = await sql<OpenReport>`
        SELECT id, program_id AS "programId", event_id AS "eventId", due, body, posted, should_at AS "shouldAt", attempts
        FROM openadr_report WHERE id = ${lease.id} AND state = 'waiting'`.execute(db)
      return rows[0]
    },

    /** Keeps what is about to be sent, and that it may have arrived. False when another worker has the report by now. */
    async markPosted(lease: Lease<'id'>, body: Record<string, unknown>): Promise<boolean> {
      const { rows } = await sql`
        UPDATE openadr_report SET body = ${storableJson(body)}, posted = true
        WHERE id = ${lease.id} AND claim = ${lease.claim} RETURNING 1`.execute(db)
      return rows.length > 0
    },

    /** How many reports of a program the VTN has that say the same as this one. */
    async countSent({ id, programId }: Pick<OpenReport, 'id' | 'programId'>): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*)::integer AS count FROM openadr_report AS own JOIN openadr_report AS other
          ON other.program_id = own.program_id AND other.id <> own.id AND other.state = 'sent' AND other.body = own.body
        WHERE own.id = ${id} AND own.program_id = ${programId}`.execute(db)
      return rows[0]?.count ?? 0
    },

    async settle(lease: Lease<'id'>, { dueAt, sentAt, ...outcome }: ReportOutcome): Promise<void> {
      await settle(db, REPORTS, lease, {
        ...outcome,
        ...(dueAt && { due_at: dueAt }),
        ...(sentAt && { sent_at: sentAt }),
      })
    },

    /** What a program had placed for its resources within a time, and whether controllers accepted it. */
    async placed(programId: string, from: Date, to: Date) {
      const { rows } = await sql<PlacedValue>`
        SELECT resource_name AS "resourceName", placement.kind, placement.value, placement.from_at AS "from",
          least(placement.to_at, placement.ended_at) AS "to",
          coalesce((SELECT bool_and(outcome IN ('accepted', 'cancelled')) FROM fleet_target AS target
            WHERE target.dispatch_id = placement.dispatch_id AND NOT is_replaced), false) AS "isAccepted"
        FROM openadr_placement AS placement
        WHERE program_id = ${programId} AND from_at < ${to} AND to_at > ${from}
          AND (ended_at IS NULL OR ended_at > ${from})
        ORDER BY created_at DESC LIMIT 10000`.execute(db)
      return rows
    },
  }
}

export interface PlacedValue {
  resourceName: string
  kind: 'setpoint' | 'limit'
  value: number
  from: Date
  to: Date
  isAccepted: boolean
}

const storedReport = ({ event, ...rest }: DueReport): ReportToMake => ({
  ...rest,
  event: { id: event.id, programId: event.programId },
})

/** An interval may end with the world. */
const timeOf = (time: number | undefined) =>
  time === undefined || time > Date.parse('9999-01-01T00:00:00Z') ? null : new Date(time)
