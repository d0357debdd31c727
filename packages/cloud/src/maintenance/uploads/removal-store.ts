import type { Db } from '../../platform/db/database.ts'
import { type FileStore, packageKey } from '../../platform/files/index.ts'
import type { JobRow } from '../../platform/jobs/index.ts'

/** Records that the package of an import is to be removed. Call it in the transaction that ends the import. */
export async function planRemoval(trx: Db, job: JobRow): Promise<void> {
  if (job.packageVersion === null) return
  await trx
    .insertInto('package_removal')
    .values({
      job_id: job.id,
      organization_id: job.organizationId,
      site_id: job.siteId,
      filename: job.filename,
      version: job.packageVersion,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

interface RemovalDeps {
  db: Db
  files: Pick<FileStore, 'remove'>
}

/** Removes the package of an import that has ended, unless another was uploaded under its name. */
export async function removeImported({ db, files }: RemovalDeps, jobId: string): Promise<void> {
  const removal = await db.selectFrom('package_removal').selectAll().where('job_id', '=', jobId).executeTakeFirst()
  if (!removal) return
  const { organization_id: organizationId, site_id: siteId, filename, version } = removal
  await files.remove(packageKey(organizationId, siteId, filename), version)
  await db.deleteFrom('package_removal').where('job_id', '=', jobId).execute()
}

/**
 * Removes packages that their imports could not remove. Returns how many were removed; throws the first error when it has
 * tried all of them.
 */
export async function retryRemovals(deps: RemovalDeps): Promise<number> {
  const due = await deps.db.selectFrom('package_removal').select('job_id').orderBy('job_id').execute()
  const failures: unknown[] = []
  for (const { job_id: jobId } of due) await removeImported(deps, jobId).catch((error) => failures.push(error))
  if (failures.length > 0) throw failures[0]
  return due.length
}

/** Keeps what is uploaded under a name from now on: the same bytes are the same version, which a removal would find. */
export async function forgetRemovals(
  db: Db,
  { siteId, filename }: { siteId: string; filename: string },
): Promise<void> {
  await db.deleteFrom('package_removal').where('site_id', '=', siteId).where('filename', '=', filename).execute()
}
