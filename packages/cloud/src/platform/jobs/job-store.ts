import { type JobName, type NamedJob, PACKAGE_JOB_NAMES, type PackageJobName } from '@plantroom/contract/jobs'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { type Page, type PageQuery, readPage } from '../db/page.ts'
import type { JobKinds } from './job.ts'

interface JobCount {
  name: JobName
  state: 'waiting' | 'running' | 'succeeded' | 'failed'
  count: number
}

export type JobStore = ReturnType<typeof createJobStore>

/** Jobs of packages as the API shows them. Jobs of other kinds have routes of their own and do not exist here. */
export function createJobStore(db: Db, kinds: JobKinds) {
  const toJob = (row: Columns): NamedJob => ({
    id: row.id,
    name: row.name as PackageJobName,
    filename: row.filename,
    startedBy: row.started_by && orderLike(ACTOR_EXAMPLE, row.started_by),
    status: row.status,
    resolved: row.resolved,
    retryCount: row.attempts,
    maxAttempts: row.max_attempts,
    scheduled: formatTimestamp(row.scheduled.getTime()),
    output: row.output && orderLike(kinds[row.name].outputExample, row.output as NamedJob['output']),
    progress: row.progress && orderLike(PROGRESS_EXAMPLE, row.progress),
  })

  return {
    async find(siteId: string, id: string): Promise<NamedJob | undefined> {
      const row = await columns(db).where('site_id', '=', siteId).where('id', '=', id).executeTakeFirst()
      return row && toJob(row)
    },

    /** Returns one page, newest first. */
    list: ({ siteId, ...page }: PageQuery & { siteId: string }): Promise<Page<NamedJob>> =>
      readPage(columns(db).where('site_id', '=', siteId), page, { by: 'position', order: 'desc' }, toJob),

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

    /** Seconds that the job which is due for longest has waited for a worker; 0 when none waits. */
    async longestWait(): Promise<number> {
      const { rows } = await sql<{ seconds: number | null }>`
        SELECT extract(epoch FROM now() - min(due_at))::float8 AS seconds FROM job
        WHERE NOT resolved AND due_at <= now() AND (leased_until IS NULL OR leased_until <= now())`.execute(db)
      return rows[0]?.seconds ?? 0
    },
  }
}

const ACTOR_EXAMPLE = { kind: '', id: '', name: '' }
const PROGRESS_EXAMPLE = { stage: '', done: 0, total: 0 }

/** Orders the keys of a value, at every depth, like those of an example: `jsonb` does not keep their order. */
function orderLike<Value>(example: unknown, value: Value): Value
function orderLike(example: unknown, value: unknown): unknown {
  if (Array.isArray(value)) {
    const itemExample: unknown = Array.isArray(example) ? example[0] : undefined
    return value.map((item: unknown) => orderLike(itemExample, item))
  }
  if (!isRecord(value) || !isRecord(example)) return value
  const names = [...Object.keys(example).filter((name) => Object.hasOwn(value, name)), ...Object.keys(value)]
  return Object.fromEntries(names.map((name) => [name, orderLike(example[name], value[name])]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const columns = (db: Db) =>
  db
    .selectFrom('job')
    .where('name', 'in', PACKAGE_JOB_NAMES)
    .select([
      'id',
      'position',
      'name',
      'filename',
      'status',
      'resolved',
      'attempts',
      'max_attempts',
      'scheduled',
      'output',
      'progress',
      'started_by',
    ])

type Columns = Awaited<ReturnType<ReturnType<typeof columns>['executeTakeFirstOrThrow']>>
