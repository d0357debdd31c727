import type { RequestSample } from '@plantroom/contract/request-sample'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Replaces the samples of a job, which an earlier run may have written. */
export async function saveSamples(db: Db, jobId: string, samples: readonly RequestSample[]): Promise<void> {
  await db.deleteFrom('job_sample').where('job_id', '=', jobId).execute()
  if (samples.length === 0) return
  await db
    .insertInto('job_sample')
    .values(samples.map((sample, position) => ({ job_id: jobId, position, sample: JSON.stringify(sample) })))
    .execute()
}

export async function listSamples(db: Db, jobId: string): Promise<RequestSample[]> {
  const rows = await db
    .selectFrom('job_sample')
    .where('job_id', '=', jobId)
    .select('sample')
    .orderBy('position')
    .execute()
  return rows.map(({ sample }) => sample)
}

/** Removes the samples of all previews of a package that is removed: they quote it. */
export async function removeSamples(db: Db, { siteId, filename }: { siteId: string; filename: string }): Promise<void> {
  await sql`
    DELETE FROM job_sample USING job
    WHERE job.id = job_sample.job_id AND job.site_id = ${siteId} AND job.filename = ${filename}
      AND job.name = 'PREVIEW_TICKET_IMPORT'`.execute(db)
}
