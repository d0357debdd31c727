import type { Clock } from '@plantroom/base/clock'
import { Failure, quotaReached } from '@plantroom/contract/failure'
import type { Db } from '../../platform/db/database.ts'
import {
  type FileStore,
  organizationOfPackage,
  type PackageKey,
  packageKey,
  type StoredPackage,
  tooManyPackageBytes,
} from '../../platform/files/index.ts'
import { listRecordedUploads, listUsedPackages, recordUpload, type Upload } from './upload-store.ts'

const RETRY_S = 3600

type PackageFiles = Pick<FileStore, 'listPackages' | 'limitsUploads'>

/** What one organization may upload. */
export interface UploadQuota {
  /** Names under which packages are uploaded. */
  packagesPerOrganization: number
  packageBytesPerOrganization: number
}

/** Records the name of an upload, so that the file is removed if nobody uses it. Throws when there are too many. */
export type UploadRecorder = (upload: Upload) => Promise<void>

/** Returns a function that records an upload whose size is not known, within the quota. */
export function createUploadRecorder(deps: {
  db: Db
  files: PackageFiles
  quota: UploadQuota
  clock: Clock
}): UploadRecorder {
  const { db, files, quota, clock } = deps
  return async (upload) => {
    await requireRoom(files, upload.organizationId, quota.packageBytesPerOrganization)
    await recordUpload(db, upload, { at: new Date(clock.now()), max: quota.packagesPerOrganization })
  }
}

/**
 * Refuses another upload address to an organization that has stored as much as it may. Only for a store that takes every
 * upload itself, as a bucket does: an address cannot limit the size, because the caller does not declare it.
 */
export async function requireRoom(files: PackageFiles, organizationId: string, maxBytes: number): Promise<void> {
  if (files.limitsUploads) return
  if ((await storedBytes(files, organizationId)) >= maxBytes) throw quotaReached(tooManyPackageBytes(maxBytes), RETRY_S)
}

/** Returns the size of all packages of an organization. */
export async function storedBytes(files: Pick<FileStore, 'listPackages'>, organizationId: string): Promise<number> {
  let total = 0
  try {
    for await (const { size } of files.listPackages(organizationId)) total += size
  } catch (error) {
    // A bucket that does not allow lists still takes uploads.
    if (error instanceof Failure && error.kind === 'unavailable') return 0
    throw error
  }
  return total
}

/**
 * Removes packages that no record leads to, which earlier versions left behind, and, where the store does not limit
 * uploads, the newest ones beyond what an organization may store. Packages in use stay. Returns how many were removed.
 */
export async function sweepStoredPackages(
  { db, files }: { db: Db; files: PackageFiles & Pick<FileStore, 'remove'> },
  { before, maxBytes }: { before: Date; maxBytes: number },
): Promise<number> {
  let removed = 0
  for (const [organizationId, stored] of await byOrganization(files)) {
    const toKeys = (uploads: readonly { siteId: string; filename: string }[]) =>
      new Set<PackageKey>(uploads.map(({ siteId, filename }) => packageKey(organizationId, siteId, filename)))
    // Read after the list: what was recorded since is not in it, or has another version.
    const recorded = toKeys(await listRecordedUploads(db, organizationId))
    const used = toKeys(await listUsedPackages(db, organizationId, before))
    const isLeftBehind = ({ key, storedAt }: StoredPackage) => storedAt < before.getTime() && !recorded.has(key)
    const surplus = files.limitsUploads ? [] : beyond(stored, maxBytes)
    for (const one of new Set([...stored.filter(isLeftBehind), ...surplus])) {
      if (used.has(one.key)) continue
      await files.remove(one.key, one.version)
      removed += 1
    }
  }
  return removed
}

async function byOrganization(files: PackageFiles): Promise<Map<string, StoredPackage[]>> {
  const found = new Map<string, StoredPackage[]>()
  for await (const stored of files.listPackages()) {
    const organizationId = organizationOfPackage(stored.key)
    const known = found.get(organizationId)
    if (known) known.push(stored)
    else found.set(organizationId, [stored])
  }
  return found
}

/** Returns the newest packages, without which the others fit. */
function beyond(stored: readonly StoredPackage[], maxBytes: number): StoredPackage[] {
  let total = 0
  return stored
    .toSorted((a, b) => a.storedAt - b.storedAt)
    .filter(({ size }) => {
      const fits = total + size <= maxBytes
      if (fits) total += size
      return !fits
    })
}
