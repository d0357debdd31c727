import type { UnplacedValue } from '@plantroom/contract/conversion-account'
import type { ConversionJob, SourceFlaw } from '@plantroom/contract/conversion-jobs'
import { CONVERSION_JOB_NAMES, type ConversionJobName } from '@plantroom/contract/jobs'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { insertGiven } from '../../platform/db/given-rows.ts'
import { type Page, type PageQuery, readPage } from '../../platform/db/page.ts'
import { listProblems, type PageOfJob } from '../../platform/jobs/index.ts'
import type { ConversionOptions } from './conversion-options.ts'

export type ConversionStore = ReturnType<typeof createConversionStore>

/** Reads the jobs of conversions and what they reported. */
export function createConversionStore(db: Db) {
  return {
    async find(siteId: string, id: string): Promise<ConversionJob | undefined> {
      const row = await jobs(db).where('site_id', '=', siteId).where('id', '=', id).executeTakeFirst()
      return row && toJob(row)
    },

    /** Returns one page, newest first. */
    list: ({ siteId, ...page }: PageQuery & { siteId: string }): Promise<Page<ConversionJob>> =>
      readPage(jobs(db).where('site_id', '=', siteId), page, { by: 'position', order: 'desc' }, toJob),

    problems: (page: PageOfJob): Promise<Page<SourceFlaw>> =>
      listProblems(db, page, ({ path, value, rule }) => ({ place: path, column: value, message: rule })),

    unplaced({ jobId, ...page }: PageOfJob): Promise<Page<UnplacedValue>> {
      const rows = db.selectFrom('conversion_unplaced').select(['position', 'cells']).where('job_id', '=', jobId)
      return readPage(rows, page, { by: 'position', order: 'asc' }, ({ cells }) => cells)
    },
  }
}

const jobs = (db: Db) =>
  db
    .selectFrom('job')
    .where('name', 'in', CONVERSION_JOB_NAMES)
    .select(['id', 'position', 'name', 'filename', 'status', 'resolved', 'scheduled'])
    .select(['options', 'output', 'progress', 'started_by'])

type Columns = Awaited<ReturnType<ReturnType<typeof jobs>['executeTakeFirstOrThrow']>>

function toJob(row: Columns): ConversionJob {
  const { source, files, attachments, mapping, analysisId } = row.options as ConversionOptions
  const shown = ({ uploadId, filename }: ConversionOptions['files'][number]) => ({ uploadId, filename })
  return {
    id: row.id,
    name: row.name as ConversionJobName,
    status: row.status,
    resolved: row.resolved,
    scheduled: formatTimestamp(row.scheduled.getTime()),
    filename: row.filename,
    startedBy: row.started_by,
    progress: row.progress,
    source,
    files: files.map(shown),
    attachments: attachments && shown(attachments),
    mapping,
    analysisId,
    output: row.output as ConversionJob['output'],
  }
}

export async function siteTimeZone(db: Db, siteId: string): Promise<string> {
  const site = await db.selectFrom('site').where('id', '=', siteId).select('time_zone').executeTakeFirstOrThrow()
  return site.time_zone
}

/** Replaces the listed part of an account, which an earlier run may have written. */
export async function saveUnplaced(db: Db, jobId: string, rows: readonly UnplacedValue[]): Promise<void> {
  await db.deleteFrom('conversion_unplaced').where('job_id', '=', jobId).execute()
  if (rows.length === 0) return
  await insertGiven('conversion_unplaced', { job_id: jobId }, rows, {
    position: ['integer', (_, place) => place],
    cells: ['json', (row) => row],
  }).execute(db)
}

/** Removes what analyses and trials of an uploaded file quote from it. */
export async function forgetQuotes(db: Db, siteId: string, uploadId: string): Promise<void> {
  await sql`
    UPDATE job SET output = NULL
    WHERE site_id = ${siteId} AND name IN ('TICKET_SOURCE_ANALYSIS', 'TICKET_CONVERSION_TRIAL') AND status = 'SUCCESS'
      AND options -> 'files' @> jsonb_build_array(jsonb_build_object('uploadId', ${uploadId}::text))`.execute(db)
}

/** Removes what analyses and trials that ended before a time quote. Returns how many did. */
export async function forgetOldQuotes(db: Db, before: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('job')
    .set({ output: null })
    .where('name', 'in', ['TICKET_SOURCE_ANALYSIS', 'TICKET_CONVERSION_TRIAL'])
    .where('status', '=', 'SUCCESS')
    .where('finished_at', '<', before)
    .where('output', 'is not', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Lists conversions that ended before a time and still have their account. */
export async function listOldAccounts(
  db: Db,
  before: Date,
  limit: number,
): Promise<{ siteId: string; jobId: string }[]> {
  const { rows } = await sql<{ siteId: string; jobId: string }>`
    SELECT site_id AS "siteId", id AS "jobId" FROM job
    WHERE name = 'TICKET_CONVERSION' AND status = 'SUCCESS' AND finished_at < ${before}
      AND output ->> 'hasAccount' = 'true'
    ORDER BY finished_at LIMIT ${limit}`.execute(db)
  return rows
}

/** Forgets the account of a conversion, whose file is removed. */
export async function forgetAccount(db: Db, jobId: string): Promise<void> {
  await db.deleteFrom('conversion_unplaced').where('job_id', '=', jobId).execute()
  await sql`UPDATE job SET output = jsonb_set(output, '{hasAccount}', 'false') WHERE id = ${jobId}`.execute(db)
}
