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

/**
 * Removes the package of an import that has ended, unless another was uploaded under its name. Another job that waits for
 * the same package still reads it: the last of them removes it, or the sweep. Returns whether it was removed.
 */
export async function removeImported({ db, files }: RemovalDeps, jobId: string): Promise<boolean> {
  const removal = await db
    .selectFrom('package_removal')
    .selectAll()
    .where('job_id', '=', jobId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('job')
            .whereRef('job.site_id', '=', 'package_removal.site_id')
            .whereRef('job.filename', '=', 'package_removal.filename')
            .whereRef('job.package_version', '=', 'package_removal.version')
            .where('job.resolved', '=', false)
            .where('job.id', '<>', jobId),
        ),
      ),
    )
    .executeTakeFirst()
  if (!removal) return false
  const { organization_id: organizationId, site_id: siteId, filename, version } = removal
  await files.remove(packageKey(organizationId, siteId, filename), version)
  await db.deleteFrom('package_removal').where('job_id', '=', jobId).execute()
  return true
}

/**
 * Removes packages that their imports could not remove. Returns how many were removed; throws the first error when it has
 * tried all of them.
 */
export async function retryRemovals(deps: RemovalDeps): Promise<number> {
  const due = await deps.db.selectFrom('package_removal').select('job_id').orderBy('job_id').execute()
  const failures: unknown[] = []
  let removed = 0
  for (const { job_id: jobId } of due) {
    const isRemoved = await removeImported(deps, jobId).catch((error) => {
      failures.push(error)
      return false
    })
    if (isRemoved) removed += 1
  }
  if (failures.length > 0) throw failures[0]
  return removed
}

/** Keeps what is uploaded under a name from now on: the same bytes are the same version, which a removal would find. */
export async function forgetRemovals(
  db: Db,
  { siteId, filename }: { siteId: string; filename: string },
): Promise<void> {
  await db.deleteFrom('package_removal').where('site_id', '=', siteId).where('filename', '=', filename).execute()
}
