import type { ExportDelivery, ExportRun } from '@plantroom/contract/automatic-exports'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { Db } from '../../platform/db/database.ts'
import { type Page, type PageQuery, readPage } from '../../platform/db/page.ts'
import { time } from './export-store.ts'

/** Returns one page of a site's runs, newest first. */
export async function listRuns(db: Db, siteId: string, page: PageQuery): Promise<Page<ExportRun>> {
  const rows = db.selectFrom('automatic_export_run').where('site_id', '=', siteId).selectAll()
  const { items, next } = await readPage(rows, page, { by: 'position', order: 'desc' }, (row) => ({
    id: row.id,
    dueAt: formatTimestamp(row.due_at.getTime()),
    byHand: row.started_by !== null,
    state: row.state,
    jobId: row.job_id,
    endedAt: time(row.ended_at),
    bytes: row.bytes === null ? null : Number(row.bytes),
    tickets: row.tickets,
    error: row.error,
  }))
  const ids = items.map(({ id }) => id)
  const deliveries = await deliveriesOf(db, ids)
  return { items: items.map((run) => ({ ...run, deliveries: deliveries.get(run.id) ?? [] })), next }
}

async function deliveriesOf(db: Db, runIds: readonly string[]): Promise<Map<string, ExportDelivery[]>> {
  const rows = await db
    .selectFrom('automatic_export_delivery')
    .where('run_id', 'in', ['', ...runIds])
    .selectAll()
    .orderBy('label')
    .orderBy('target_id')
    .execute()
  const byRun = Map.groupBy(rows, ({ run_id }) => run_id)
  return new Map(
    [...byRun].map(([runId, own]) => [
      runId,
      own.map((row) => ({
        targetId: row.target_id,
        label: row.label,
        state: row.state,
        attempts: row.attempts,
        filename: row.filename,
        deliveredAt: time(row.delivered_at),
        nextAttemptAt: row.state === 'waiting' ? time(row.due_at) : null,
        removedAt: time(row.removed_at),
        error: row.error,
      })),
    ]),
  )
}
