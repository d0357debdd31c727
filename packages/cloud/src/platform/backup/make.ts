import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import type { Clock } from '@plantroom/base/clock'
import { VERSION } from '@plantroom/contract/version'
import type { DatabaseAddress } from '../db/database.ts'
import { openSnapshot, type Snapshot } from '../db/transfer/snapshot.ts'
import { type FileKey, linkShortLived, listDiskFiles, type S3Store } from '../files/index.ts'
import { type Description, FORMAT, NAMES, SECRETS, type Summary } from './format.ts'
import { type BackupWriter, createBackupWriter, type Write } from './writer.ts'

const compress = promisify(zstdCompress)
/** The fastest: the database is a small part of most backups, and text shrinks to a fifth at any level. */
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const OBJECTS_PER_LIST = 10_000

/** Where the files are that belong to the database. */
export type FilesSource =
  | { kind: 'disk'; root: string }
  /** `copy` puts the objects into the backup; otherwise it gets a list of them. */
  | { kind: 'bucket'; store: S3Store; copy: boolean }

export interface BackupDeps {
  address: DatabaseAddress
  /** The data folder with the secrets. */
  folder: string
  files: FilesSource
  /** A folder for links and downloads, on the file system of the files. */
  scratch: string
  /** Names of settings with secrets that are not in the data folder. */
  settings: readonly string[]
  /** Leaves the secrets of the data folder out. */
  withoutSecrets?: boolean | undefined
  clock: Clock
}

/**
 * Writes a backup of one moment, while the service runs. The database comes first: each of its rows was written after its
 * file, and attachments are never removed, so that every file of a row is found afterwards.
 */
export async function makeBackup(deps: BackupDeps, write: Write): Promise<Summary> {
  const { files, scratch, clock } = deps
  const linked = new Map<FileKey, string>()
  // Twice, because a package may come and go around the moment of the snapshot.
  if (files.kind === 'disk') linkShortLived(files.root, scratch, linked)
  const snapshot = await openSnapshot(deps.address)
  try {
    if (files.kind === 'disk') linkShortLived(files.root, scratch, linked)
    const description: Description = {
      format: FORMAT,
      plantroom: VERSION,
      createdAt: new Date(clock.now()).toISOString(),
      postgresql: snapshot.serverVersion,
      migrations: snapshot.migrations,
      tables: snapshot.tables,
      files: files.kind === 'disk' || files.copy ? 'backup' : 'bucket',
      settings: deps.settings,
      ...(deps.withoutSecrets && { withoutSecrets: secretsIn(deps.folder).map(({ name }) => name) }),
    }
    const writer = createBackupWriter(write, clock.now())
    await writer.add(NAMES.description, json(description))
    if (!deps.withoutSecrets) await addSecrets(writer, deps.folder)
    const rows = await addDatabase(writer, snapshot)
    await snapshot.close()
    const counts =
      files.kind === 'disk' ? await addDisk(writer, files.root, linked) : await addBucket(writer, files, scratch)
    return { description, ...(await writer.finish({ rows, ...counts })) }
  } finally {
    await snapshot.close().catch(() => {})
  }
}

const json = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

async function addSecrets(writer: BackupWriter, folder: string): Promise<void> {
  for (const { name, secret } of secretsIn(folder)) await writer.add(`${NAMES.secrets}${name}`, secret)
}

function secretsIn(folder: string): { name: string; secret: Buffer }[] {
  return SECRETS.flatMap((name) => {
    const secret = readIfThere(join(folder, name))
    return secret ? [{ name, secret }] : []
  })
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function addDatabase(writer: BackupWriter, snapshot: Snapshot): Promise<Record<string, number>> {
  await writer.add(NAMES.sequences, json(await snapshot.sequences()))
  const rows: Record<string, number> = {}
  for (const table of snapshot.tables) {
    const parts = snapshot.read(table)
    let compressing: Promise<Buffer> | undefined
    let count = 0
    const add = async () => {
      if (!compressing) return
      count += 1
      await writer.add(`${NAMES.tables}${table.name}/${String(count).padStart(6, '0')}.copy.zst`, await compressing)
    }
    for (;;) {
      const next = await parts.next()
      // The next part is read while this one is compressed.
      await add()
      if (next.done) {
        rows[table.name] = next.value
        break
      }
      compressing = compress(next.value, ZSTD)
    }
  }
  return rows
}

interface FileCounts {
  files: number
  fileBytes: number
}

async function addDisk(writer: BackupWriter, root: string, linked: ReadonlyMap<FileKey, string>): Promise<FileCounts> {
  const counts = { files: 0, fileBytes: 0 }
  const add = async (key: FileKey, path: string) => {
    const { size } = await writer.addFile(`${NAMES.files}${key}`, path)
    counts.files += 1
    counts.fileBytes += size
  }
  for (const [key, path] of linked) await add(key, path)
  for (const { key, path } of listDiskFiles(root, ['blobs'])) await add(key, path)
  return counts
}

async function addBucket(
  writer: BackupWriter,
  { store, copy }: Extract<FilesSource, { kind: 'bucket' }>,
  scratch: string,
): Promise<FileCounts> {
  const counts = { files: 0, fileBytes: 0 }
  let list: string[] = []
  let lists = 0
  const addList = async () => {
    lists += 1
    await writer.add(`${NAMES.bucket}${String(lists).padStart(6, '0')}.jsonl`, Buffer.from(list.join('')))
    list = []
  }
  for await (const object of store.list()) {
    if (copy) {
      const path = await store.fetch(object.key, object.version, scratch).catch(isPassing(object.key))
      if (path === undefined) continue
      await writer.addFile(`${NAMES.files}${object.key}`, path)
      rmSync(path)
    } else {
      list.push(`${JSON.stringify(object)}\n`)
      if (list.length === OBJECTS_PER_LIST) await addList()
    }
    counts.files += 1
    counts.fileBytes += object.size
  }
  if (list.length > 0) await addList()
  return counts
}

/** Packages and exports may be removed or replaced while the bucket is read; attachments stay. */
const isPassing = (key: FileKey) => (error: unknown) => {
  if (key.startsWith('blobs/')) throw error
  return undefined
}
