import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { insertGiven } from '../../platform/db/given-rows.ts'

/** The fields of one request that a fill set, or would set. */
export interface FilledFields {
  /** Index in the package. */
  readonly position: number
  readonly number: number
  readonly externalId: string
  readonly fields: readonly string[]
}

/** Saves what a job filled. A request that the job has already filled only adds its fields. */
export async function addFills(db: Db, jobId: string, fills: readonly FilledFields[]): Promise<void> {
  if (fills.length === 0) return
  const columns = { position: 'integer', number: 'integer', external_id: 'text', fields: 'text[]' } as const
  await sql`
    ${insertGiven('job_fill', { job_id: jobId }, fills, columns)}
    ON CONFLICT (job_id, position) DO UPDATE
      SET fields = ARRAY(SELECT DISTINCT unnest(job_fill.fields || excluded.fields) ORDER BY 1)`.execute(db)
}

export async function removeFills(db: Db, jobId: string): Promise<void> {
  await db.deleteFrom('job_fill').where('job_id', '=', jobId).execute()
}

/** Counts the requests that a job filled, over all attempts, and in how many it filled each field. */
export async function countFills(db: Db, jobId: string): Promise<{ filled: number; fields: Record<string, number> }> {
  const { rows } = await sql<{ field: string | null; count: number }>`
    SELECT NULL AS field, count(*)::integer AS count FROM job_fill WHERE job_id = ${jobId}
    UNION ALL (
      SELECT field, count(*)::integer FROM job_fill, unnest(fields) AS field
      WHERE job_id = ${jobId} GROUP BY field ORDER BY field
    )`.execute(db)
  const fields = rows.flatMap(({ field, count }) => (field === null ? [] : [[field, count] as const]))
  return { filled: rows.find(({ field }) => field === null)?.count ?? 0, fields: Object.fromEntries(fields) }
}
