import type { OpenadrReport, OpenadrReportState } from '@plantroom/contract/openadr'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type Page, pageOf } from '../../platform/db/page.ts'
import { isSeen, type ProgramView } from './program-store.ts'

interface ReportQuery {
  programId?: string | undefined
  state?: OpenadrReportState | undefined
  limit: number
  cursor?: string | undefined
}

interface Row extends Omit<OpenadrReport, 'from' | 'to' | 'dueAt' | 'sentAt' | 'nextAttemptAt'> {
  position: string
  from: Date | null
  to: Date | null
  shouldAt: Date
  dueAt: Date
  sentAt: Date | null
}

/** Reports as people see them. Newest first. */
export async function listReports(db: Db, view: ProgramView, query: ReportQuery): Promise<Page<OpenadrReport>> {
  const { programId, state, limit, cursor } = query
  const { rows } = await sql<Row>`
    SELECT report.id, report.position, report.program_id AS "programId", openadr_program.name AS "programName",
      event.vtn_id AS "eventId", event.known #>> '{event,name}' AS "eventName", payloads, report.resources,
      from_at AS "from", to_at AS "to", should_at AS "shouldAt", report.due_at AS "dueAt", report.state, report.attempts,
      sent_at AS "sentAt", status, answer, error
    FROM openadr_report AS report
    JOIN openadr_program ON openadr_program.id = report.program_id
    LEFT JOIN openadr_event AS event ON event.id = report.event_id
    WHERE ${isSeen(view)}
      AND ${programId === undefined ? sql`true` : sql`report.program_id = ${programId}`}
      AND ${state === undefined ? sql`true` : sql`report.state = ${state}`}
      AND ${cursor === undefined ? sql`true` : sql`report.position < ${cursor}::bigint`}
    ORDER BY report.position DESC LIMIT ${limit + 1}`.execute(db)
  return pageOf(rows, limit, ({ position }) => position, shownReport)
}

function shownReport({ position: _position, shouldAt, dueAt, ...row }: Row): OpenadrReport {
  const text = (time: Date | null) => time && formatTimestamp(time.getTime())
  return {
    ...row,
    from: text(row.from),
    to: text(row.to),
    dueAt: formatTimestamp(shouldAt.getTime()),
    sentAt: text(row.sentAt),
    nextAttemptAt: row.state === 'waiting' ? text(dueAt) : null,
  }
}
