import { quotaReached } from '@plantroom/contract/failure'
import type { UploadPart, UploadPurpose } from '@plantroom/contract/uploads'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { givenRows } from '../../platform/db/given-rows.ts'
import { type PartUpload, packageKey, tooManyPackageBytes } from '../../platform/files/index.ts'
import { storedNameOf } from './upload-names.ts'

const RETRY_S = 3600
const MOST_LISTED = 20

/** An upload in parts, as it is recorded. */
export interface RecordedUpload extends PartUpload {
  id: string
  organizationId: string
  siteId: string
  purpose: UploadPurpose
  filename: string
  /** The name under which the file is stored and recorded. */
  storedName: string
  startedAt: Date
  usedAt: Date
  completedAt: Date | null
}

/** Records a new upload, or returns undefined when the name has an unfinished one. Throws `quota` without room for it. */
export async function addUpload(
  tx: Db,
  upload: Omit<RecordedUpload, 'key' | 'storedName' | 'usedAt' | 'completedAt'>,
  { stored, max }: { stored: number; max: number },
): Promise<RecordedUpload | undefined> {
  const { id, organizationId, siteId, purpose, filename, size, storeId, startedAt } = upload
  // Two uploads that start at the same time must see each other.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`uploads of ${organizationId}`}, 0))`.execute(tx)
  const { bytes } = await tx
    .selectFrom('part_upload')
    .where('organization_id', '=', organizationId)
    .where('completed_at', 'is', null)
    .select(({ fn }) => fn.sum<string | null>('size').as('bytes'))
    .executeTakeFirstOrThrow()
  if (stored + Number(bytes ?? 0) + size > max) throw quotaReached(tooManyPackageBytes(max), RETRY_S)
  const row = await tx
    .insertInto('part_upload')
    .values({
      id,
      organization_id: organizationId,
      site_id: siteId,
      purpose,
      filename,
      size,
      store_id: storeId,
      started_at: startedAt,
      used_at: startedAt,
    })
    .onConflict((conflict) => conflict.columns(['site_id', 'filename']).where('completed_at', 'is', null).doNothing())
    .returningAll()
    .executeTakeFirst()
  return row && toUpload(row)
}

export async function findUnfinished(db: Db, siteId: string, filename: string): Promise<RecordedUpload | undefined> {
  const row = await db
    .selectFrom('part_upload')
    .where('site_id', '=', siteId)
    .where('filename', '=', filename)
    .where('completed_at', 'is', null)
    .selectAll()
    .executeTakeFirst()
  return row && toUpload(row)
}

/** Finds an upload of a site; locks it until the end of the transaction if asked to. */
export async function findUpload(
  db: Db,
  { siteId, id }: Pick<RecordedUpload, 'siteId' | 'id'>,
  options: { lock?: boolean } = {},
): Promise<RecordedUpload | undefined> {
  const query = db.selectFrom('part_upload').where('id', '=', id).where('site_id', '=', siteId).selectAll()
  const row = await (options.lock ? query.forUpdate() : query).executeTakeFirst()
  return row && toUpload(row)
}

export async function listUnfinished(db: Db, siteId: string, purpose?: UploadPurpose): Promise<RecordedUpload[]> {
  const all = db.selectFrom('part_upload').where('site_id', '=', siteId).where('completed_at', 'is', null)
  const rows = await (purpose ? all.where('purpose', '=', purpose) : all)
    .orderBy('used_at', 'desc')
    .limit(MOST_LISTED)
    .selectAll()
    .execute()
  return rows.map(toUpload)
}

/**
 * Keeps what parts contain, unless that is known, and returns what is known of them; undefined when the upload has ended.
 * In a transaction, so that it cannot end meanwhile.
 */
export async function recordSums(
  tx: Db,
  id: string,
  parts: readonly UploadPart[],
  usedAt: Date,
): Promise<ReadonlyMap<number, string> | undefined> {
  const { numUpdatedRows } = await tx
    .updateTable('part_upload')
    .set({ used_at: usedAt })
    .where('id', '=', id)
    .where('completed_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return undefined
  await sql`
    INSERT INTO part_upload_sum (upload_id, number, sha256)
    SELECT ${id}, number, decode(sha256, 'hex')
    FROM ${givenRows(parts, { number: 'integer', sha256: 'text' })}
    ORDER BY number
    ON CONFLICT DO NOTHING`.execute(tx)
  return listSums(
    tx,
    id,
    parts.map(({ number }) => number),
  )
}

/** Returns what is known of the parts of an upload, or of some of them, by number. */
export async function listSums(db: Db, id: string, numbers?: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const all = db.selectFrom('part_upload_sum').where('upload_id', '=', id)
  const some = numbers ? all.where('number', '=', sql<number>`ANY(${numbers}::integer[])`) : all
  const rows = await some.select(['number', 'sha256']).orderBy('number').execute()
  return new Map(rows.map(({ number, sha256 }) => [number, sha256.toString('hex')]))
}

export async function completeUpload(tx: Db, id: string, completedAt: Date): Promise<void> {
  await tx
    .updateTable('part_upload')
    .set({ completed_at: completedAt, used_at: completedAt })
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('part_upload_sum').where('upload_id', '=', id).execute()
}

export async function removeUpload(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('part_upload').where('id', '=', id).execute()
}

/** Locks an upload that nobody has used since a time. Skips what another sweep has locked. */
export async function lockUnusedPartUpload(tx: Db, before: Date): Promise<RecordedUpload | undefined> {
  const row = await tx
    .selectFrom('part_upload')
    .where('used_at', '<', before)
    .orderBy('used_at')
    .limit(1)
    .selectAll()
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row && toUpload(row)
}

export async function isRecorded(db: Db, storeId: string): Promise<boolean> {
  const row = await db.selectFrom('part_upload').where('store_id', '=', storeId).select('id').executeTakeFirst()
  return row !== undefined
}

interface Row {
  id: string
  purpose: UploadPurpose
  organization_id: string
  site_id: string
  filename: string
  size: string
  store_id: string
  started_at: Date
  used_at: Date
  completed_at: Date | null
}

function toUpload(row: Row): RecordedUpload {
  const { id, purpose, filename } = row
  const storedName = storedNameOf(row)
  return {
    ...{ id, purpose, filename, storedName },
    organizationId: row.organization_id,
    siteId: row.site_id,
    key: packageKey(row.organization_id, row.site_id, storedName),
    storeId: row.store_id,
    size: Number(row.size),
    startedAt: row.started_at,
    usedAt: row.used_at,
    completedAt: row.completed_at,
  }
}
