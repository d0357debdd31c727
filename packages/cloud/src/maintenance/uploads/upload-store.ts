import { quotaReached } from '@plantroom/contract/failure'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { attachmentUploadName } from '../../platform/files/index.ts'
import { forgetRemovals } from './removal-store.ts'

/** A name under which a file may have been uploaded. */
export interface Upload {
  organizationId: string
  siteId: string
  filename: string
}

const RETRY_S = 3600

/** How long a package is kept that was not imported, after its last upload address, preview or failed import. */
export const UPLOAD_KEPT_MS = 7 * 86_400_000

/** Records that an upload address is given out. Throws `quota` when the organization uses too many names. */
export async function recordUpload(db: Db, upload: Upload, options: { at: Date; max: number }): Promise<void> {
  const { organizationId, siteId, filename } = upload
  const { rows } = await sql`
    INSERT INTO package_upload (organization_id, site_id, filename, offered_at)
    SELECT ${organizationId}, ${siteId}, ${filename}, ${options.at}
    WHERE (SELECT count(*) FROM package_upload WHERE organization_id = ${organizationId}) < ${options.max}
      OR EXISTS (SELECT FROM package_upload WHERE site_id = ${siteId} AND filename = ${filename})
    ON CONFLICT (site_id, filename) DO UPDATE SET offered_at = excluded.offered_at
    RETURNING 1`.execute(db)
  if (rows.length > 0) return forgetRemovals(db, upload)
  throw quotaReached(
    `this organization has reached its limit of ${options.max} package names and unattached files in 7 days: upload under a name that is in use, or attach what you uploaded`,
    RETRY_S,
  )
}

export async function forgetUpload(db: Db, { siteId, filename }: Pick<Upload, 'siteId' | 'filename'>): Promise<void> {
  await db.deleteFrom('package_upload').where('site_id', '=', siteId).where('filename', '=', filename).execute()
}

/**
 * Locks an upload that nobody has used since a time: no address was given out, and no job that reads it waits, runs or
 * ended since. Skips what another sweep has locked.
 */
export async function lockUnusedUpload(trx: Db, before: Date): Promise<Upload | undefined> {
  const { rows } = await sql<Upload>`
    SELECT organization_id AS "organizationId", site_id AS "siteId", filename FROM package_upload AS upload
    WHERE offered_at < ${before} AND NOT EXISTS (
      SELECT FROM job
      WHERE job.site_id = upload.site_id AND job.filename = upload.filename
        AND package_version IS NOT NULL
        AND (NOT resolved OR finished_at >= ${before})
    )
    ORDER BY offered_at LIMIT 1
    FOR UPDATE SKIP LOCKED`.execute(trx)
  return rows[0]
}

/** Lists the names of an organization under which packages were, or may have been, uploaded. */
export const listRecordedUploads = (db: Db, organizationId: string) =>
  db
    .selectFrom('package_upload')
    .where('organization_id', '=', organizationId)
    .select(['site_id as siteId', 'filename'])
    .execute()

/** Lists the packages of an organization with a job that reads them and waits, runs or ended since a time. */
export const listUsedPackages = (db: Db, organizationId: string, since: Date) =>
  db
    .selectFrom('job')
    .where('organization_id', '=', organizationId)
    .where('package_version', 'is not', null)
    .where((eb) => eb.or([eb('resolved', '=', false), eb('finished_at', '>=', since)]))
    .select(['site_id as siteId', 'filename'])
    .distinct()
    .execute()

/** Returns those of the uploaded files that were offered to this site and not attached yet. */
export async function findAttachable(
  db: Db,
  siteId: string,
  uploadIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await db
    .selectFrom('package_upload')
    .where('site_id', '=', siteId)
    .where('filename', '=', sql<string>`ANY(${uploadIds.map(attachmentUploadName)}::text[])`)
    .select('filename')
    .execute()
  const names = new Set(found.map(({ filename }) => filename))
  return new Set(uploadIds.filter((id) => names.has(attachmentUploadName(id))))
}

/** Uses up uploads, so that each is attached once. Returns how many were still there. */
export async function takeAttachable(tx: Db, siteId: string, uploadIds: readonly string[]): Promise<number> {
  if (uploadIds.length === 0) return 0
  const taken = await tx
    .deleteFrom('package_upload')
    .where('site_id', '=', siteId)
    .where('filename', '=', sql<string>`ANY(${uploadIds.map(attachmentUploadName)}::text[])`)
    .returning('filename')
    .execute()
  return taken.length
}
