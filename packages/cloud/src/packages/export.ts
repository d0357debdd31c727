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
import { explainWrite, type FileStore } from '../files/file-store.ts'
import { blobKey, exportKey } from '../files/keys.ts'
import { JobFailure, type JobTools } from '../jobs/index.ts'
import type { ExportStore, SiteSnapshot } from '../tickets/export-store.ts'
import { exportFileName } from './export-file-name.ts'
import { refuseTooLarge, tooLarge } from './export-limits.ts'
import { createManifestMaker, type PackedFile } from './export-manifest.ts'
import { createOwnCheck } from './export-own-check.ts'

export interface ExportDeps {
  store: ExportStore
  files: Pick<FileStore, 'read' | 'put'>
  /** Where the package is written before it is handed over; best on the disk of the files. */
  folder: string
  /** The public address of the schema. */
  schemaUrl: string
  clock: Clock
}

/**
 * Writes the requests of a site, as they are at one moment, into a package and keeps it. Safe to run again: the package
 * of an earlier attempt is replaced. The output's `url` is the key of the package: see `showExport`.
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

  const at = clock.now()
  const maker = createManifestMaker()
  let filesDone = 0
  async function* tickets() {
    const check = createOwnCheck()
    let done = 0
    for await (const ticket of snapshot.tickets()) {
      const item = maker.item(ticket)
      check.item(item)
      yield item
      progress({ stage: 'requests', done: ++done, total: totals.tickets })
    }
    check.end()
    // The files of a site can take an hour: the database need not keep this moment for so long.
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
      if (error instanceof Failure && error.kind === 'notFound') throw damaged(file, 'is missing')
      throw error
    }
  }

  try {
    const content = { schema: deps.schemaUrl, exportedAt: formatTimestamp(at), tickets: tickets() }
    await writePackage(path, { ...content, attachments: attachments() }, { signal })
    const { size: bytes } = await stat(path)
    const key = exportKey(job.siteId, job.id)
    await files.put(key, path)
    return { url: key, filename: exportFileName(siteName, at), ...countsOf(totals), bytes }
  } catch (error) {
    throw tooLarge(error) ?? explainWrite(error)
  } finally {
    await rm(path, { force: true })
  }
}

function countsOf({ tickets, comments, attachments }: SiteSnapshot['totals']) {
  return { tickets, comments, attachments }
}

/** The same bytes. What is not what was once stored fails the export: a package must not pass damage on as a good file. */
async function* checked(file: PackedFile, source: Readable): AsyncGenerator<Uint8Array, void> {
  const hash = createHash('sha256')
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    hash.update(chunk)
    yield chunk
  }
  if (!hash.digest().equals(file.sha256)) throw damaged(file, 'is damaged')
}

function damaged({ name, number }: PackedFile, how: string): JobFailure {
  return new JobFailure(
    `The export stopped at request #${number}: its attachment ${shown(name)} ${how} in the files of this service. Restore it from a backup, then export again.`,
    { final: true },
  )
}
