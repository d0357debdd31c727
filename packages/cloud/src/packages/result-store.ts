import type { ImportOutput } from '@plantroom/contract/jobs'
import type { Db } from '../db/database.ts'
import { type JobRow, requireClaim } from '../jobs/index.ts'

/** What an import has come to, if all of it is done. */
export async function findResult(db: Db, jobId: string): Promise<ImportOutput | undefined> {
  const row = await db.selectFrom('import_result').where('job_id', '=', jobId).select('output').executeTakeFirst()
  return row?.output
}

export async function saveResult(db: Db, job: JobRow, output: ImportOutput): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await requireClaim(trx, job)
    await trx
      .insertInto('import_result')
      .values({ job_id: job.id, output: JSON.stringify(output) })
      .execute()
  })
}
