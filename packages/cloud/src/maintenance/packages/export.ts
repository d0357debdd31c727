import { createHash } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { ExportOutput } from '@plantroom/contract/jobs'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { writePackage } from '@plantroom/fpl/write-package'
import { blobKey, explainWrite, exportKey, type FileStore } from '../../platform/files/index.ts'
import { JobFailure, type JobTools } from '../../platform/jobs/index.ts'
import type { ExportStore, SiteSnapshot } from '../requests/index.ts'
import { createManifestCheck, explainWriterLimit, refuseTooLarge } from './export-checks.ts'
import { createManifestMaker, exportFileName, type PackedFile } from './export-manifest.ts'

export interface ExportDeps {
  store: ExportStore
  files: Pick<FileStore, 'read' | 'put'>
  /** Folder in which the package is written before it moves to the file store, ideally on the same disk. */
  folder: string
  /** Public address of the manifest schema. */
  /** Undefined when the settings do not say how others reach this service. */
  schemaUrl: string | undefined
  /** How much may still be written to the disk of `folder`. */
  freeBytes(): Promise<number>
  clock: Clock
}

/** Exports leave this much free, less than uploads do: the database needs it, and an export can be repeated. */
const RESERVE_BYTES = 128 * 1024 * 1024

/**
 * Writes a snapshot of a site's requests into a package and stores it. Safe to run again: it replaces the package of an
 * earlier attempt. The output's `url` is the key of the package; `withDownloadUrl` turns it into an address.
 */
export async function exportPackage({ job, progress, signal }: JobTools, deps: ExportDeps): Promise<ExportOutput> {
  const { store, files, clock } = deps
  const path = join(deps.folder, `${job.id}.fpl`)
  await using snapshot = await store.open(job.siteId)
  const { siteName, totals } = snapshot
  if (!snapshot.maintenanceRequests) {
    throw new JobFailure('Maintenance Requests are turned off for this site', { final: true })
  }
  refuseTooLarge(totals)
  if ((await deps.freeBytes()) - totals.fileBytes < RESERVE_BYTES) throw new JobFailure(NO_ROOM, { final: true })

  const at = clock.now()
  const maker = createManifestMaker()
  let filesDone = 0
  async function* items() {
    const check = createManifestCheck()
    let done = 0
    for await (const request of snapshot.requests()) {
      const item = maker.item(request)
      check.item(item)
      yield item
      progress({ stage: 'requests', done: ++done, total: totals.tickets })
    }
    check.end()
    // Writing the files can take an hour; the database should not keep the snapshot that long.
    await snapshot.close()
  }
  async function* attachments() {
    for (const file of maker.files()) yield { path: file.path, content: bytesOf(file) }
  }
  async function* bytesOf(file: PackedFile) {
    for await (const chunk of checked(file, await open(file))) {
      filesDone += chunk.length
      progress({ stage: 'files', done: filesDone, total: totals.fileBytes })
      yield chunk
    }
  }
  async function open(file: PackedFile): Promise<Readable> {
    try {
      return await files.read(blobKey(job.siteId, file.sha256))
    } catch (error) {
      if (error instanceof Failure && error.kind === 'notFound') throw damagedFile(file, 'is missing')
      throw error
    }
  }

  try {
    const { schemaUrl: schema } = deps
    const content = { ...(schema !== undefined && { schema }), exportedAt: formatTimestamp(at), tickets: items() }
    await writePackage(path, { ...content, attachments: attachments() }, { signal })
    const { size: bytes } = await stat(path)
    const key = exportKey(job.siteId, job.id)
    await files.put(key, path)
    const adjusted = maker.adjusted()
    return {
      ...{ url: key, filename: exportFileName(siteName, at), ...countsOf(totals), bytes },
      ...(adjusted.length > 0 && { adjusted }),
    }
  } catch (error) {
    throw explainWriterLimit(error) ?? explainWrite(error)
  } finally {
    await rm(path, { force: true })
  }
}

const NO_ROOM =
  'The disk of the service is too full for this export: ask the operator to free space, then export again.'

function countsOf({ tickets, comments, attachments }: SiteSnapshot['totals']) {
  return { tickets, comments, attachments }
}

/** Passes the bytes on and throws when their hash is wrong: a package must not contain damaged files. */
async function* checked(file: PackedFile, source: Readable): AsyncGenerator<Uint8Array, void> {
  const hash = createHash('sha256')
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    hash.update(chunk)
    yield chunk
  }
  if (!hash.digest().equals(file.sha256)) throw damagedFile(file, 'is damaged')
}

function damagedFile({ name, number }: PackedFile, how: string): JobFailure {
  return new JobFailure(
    `The export stopped at request #${number}: its attachment ${shown(name)} ${how} in the file store. Restore it from a backup, then export again.`,
    { final: true },
  )
}
