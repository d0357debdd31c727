import type { JobName, NamedJob } from '@plantroom/contract/jobs'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export interface JobPage {
  jobs: NamedJob[]
  /** The `before` of the next page; `null` when this is the last. */
  next: string | null
}

export interface JobCount {
  name: JobName
  state: 'waiting' | 'running' | 'succeeded' | 'failed'
  count: number
}

export type JobStore = ReturnType<typeof createJobStore>

/** Jobs as the API shows them. */
export function createJobStore(db: Db) {
  return {
    async find(siteId: string, id: string): Promise<NamedJob | undefined> {
      const row = await columns(db).where('site_id', '=', siteId).where('id', '=', id).executeTakeFirst()
      return row && toJob(row)
    },

    /** The newest first. */
    async list(query: { siteId: string; limit: number; before?: string | undefined }): Promise<JobPage> {
      let rows = columns(db).where('site_id', '=', query.siteId)
      if (query.before !== undefined) rows = rows.where('position', '<', query.before)
      // One more than asked for tells whether there is a next page.
      const found = await rows
        .orderBy('position', 'desc')
        .limit(query.limit + 1)
        .execute()
      const page = found.slice(0, query.limit)
      return {
        jobs: page.map(toJob),
        next: found.length > query.limit ? (page.at(-1)?.position ?? null) : null,
      }
    },

    async counts(): Promise<JobCount[]> {
      const { rows } = await sql<JobCount>`
        SELECT name,
          CASE
            WHEN resolved THEN CASE status WHEN 'SUCCESS' THEN 'succeeded' ELSE 'failed' END
            WHEN status = 'RUNNING' THEN 'running'
            ELSE 'waiting'
          END AS state,
          count(*)::integer AS count
        FROM job GROUP BY 1, 2`.execute(db)
      return rows
    },
  }
}

const columns = (db: Db) =>
  db
    .selectFrom('job')
    .select([
      'id',
      'position',
      'name',
      'filename',
      'status',
      'resolved',
      'retry_count',
      'max_attempts',
      'scheduled',
      'output',
      'progress',
    ])

type Columns = Awaited<ReturnType<ReturnType<typeof columns>['executeTakeFirstOrThrow']>>

function toJob(row: Columns): NamedJob {
  return {
    id: row.id,
    name: row.name,
    filename: row.filename,
    status: row.status,
    resolved: row.resolved,
    retryCount: row.retry_count,
    maxAttempts: row.max_attempts,
    scheduled: formatTimestamp(row.scheduled.getTime()),
    output: row.output,
    progress: row.progress,
  }
}
