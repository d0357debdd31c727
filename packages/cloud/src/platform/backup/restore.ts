import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '@plantroom/contract/failure'
import { restoringIn } from '../../data-folder.ts'
import type { DatabaseAddress } from '../db/database.ts'
import { unknownMigrations } from '../db/migrate.ts'
import { type LoadTarget, loadDatabase } from '../db/transfer/load.ts'
import { type FileKey, type FileStore, flushAll, pathOf, type S3Store } from '../files/index.ts'
import { damaged, type Summary } from './format.ts'
import type { BackupEntry, BackupReader } from './reader.ts'
import { meaningOf, rowsIn, verifyBackup } from './verify.ts'

/** Where the files go. */
export type FilesTarget = { kind: 'disk'; root: string } | { kind: 'bucket'; store: S3Store; scratch: string }

export interface RestoreDeps {
  /** For messages. */
  path: string
  reader: BackupReader
  address(): Promise<DatabaseAddress>
  folder: string
  files: FilesTarget
  replace: boolean
}

export interface Restored extends Summary {
  /** Attachments that the backup only lists, and that the bucket no longer has. */
  missing: string[]
}

/** Throws unless this version and these settings can restore the backup. Changes nothing. */
export function checkRestorable(path: string, reader: BackupReader, files: Pick<FilesTarget, 'kind'>): void {
  const { migrations, plantroom, files: place } = reader.description
  const unknown = unknownMigrations(migrations)
  if (unknown.length > 0) {
    throw new Failure(
      'unavailable',
      `${path} was made by a newer Plantroom (${plantroom}, with ${unknown.join(', ')}): restore it with that version or a later one`,
    )
  }
  if (place === 'bucket' && files.kind === 'disk') {
    throw new Failure(
      'unavailable',
      `${path} has only a list of the files, which are in a bucket: set S3_BUCKET as on the old machine, or make the backup with --with-bucket`,
    )
  }
}

/**
 * Restores a verified backup: files beside the current ones, the database in one transaction, then files and secrets in
 * their place. A kill before the last step leaves everything as it was. A kill during it leaves a mark, with which the
 * service does not start until the restore was repeated.
 */
export async function restoreBackup(deps: RestoreDeps): Promise<Restored> {
  const { path, reader, folder, files } = deps
  checkRestorable(path, reader, files)
  const summary = await verifyBackup(path, reader)
  const mark = restoringIn(folder)
  const isRepeated = await mark.exists()
  // Inside of the folder, which may be a file system of its own.
  const fresh = files.kind === 'disk' ? join(files.root, 'restoring') : undefined
  if (fresh) {
    await rm(fresh, { recursive: true, force: true })
    mkdirSync(fresh, { recursive: true, mode: 0o700 })
  }
  const state: State = { secrets: new Map(), missing: [], fresh, folders: new Set() }
  try {
    const address = await deps.address()
    const { migrations } = reader.description
    const fillAll = async (target: LoadTarget) => {
      await fill(deps, state, target)
      if (!fresh) return
      await flushAll(
        fresh,
        Array.from({ length: 8 }, () => fresh),
      )
    }
    const options = { migrations, replace: deps.replace || isRepeated }
    // It stays when this fails: without the answer to the commit, the database may have the new data.
    await loadDatabase(address, options, fillAll, mark.set)
  } catch (error) {
    if (fresh) await rm(fresh, { recursive: true, force: true })
    throw error
  }
  if (fresh && files.kind === 'disk') await swap(fresh, files.root)
  for (const [name, secret] of state.secrets) await replaceFile(join(folder, name), secret)
  await mark.clear()
  return { ...summary, missing: state.missing }
}

interface State {
  secrets: Map<string, Buffer>
  missing: string[]
  fresh: string | undefined
  /** Folders that exist. */
  folders: Set<string>
}

async function fill(deps: RestoreDeps, state: State, target: LoadTarget): Promise<void> {
  const { path, reader } = deps
  const columns = new Map(reader.description.tables.map((table) => [table.name, table]))
  const entries = reader.entries()
  let next = await entries.next()
  const rows: Record<string, number> = {}
  /** The parts of a table are consecutive, and belong to one COPY. */
  async function* partsOf(name: string): AsyncGenerator<Buffer> {
    while (!next.done) {
      const meaning = meaningOf(path, next.value)
      if (meaning?.kind !== 'table' || meaning.name !== name) return
      yield await rowsIn(path, next.value)
      next = await entries.next()
    }
  }
  while (!next.done) {
    const meaning = meaningOf(path, next.value)
    if (meaning?.kind === 'table') {
      const table = columns.get(meaning.name)
      if (!table) throw damaged(path, `its description has no table ${meaning.name}`)
      rows[table.name] = await target.table(table, partsOf(table.name))
      continue
    }
    if (meaning?.kind === 'secret') state.secrets.set(meaning.name, await next.value.whole())
    if (meaning?.kind === 'sequences') await target.sequences(JSON.parse((await next.value.whole()).toString()))
    if (meaning?.kind === 'file') await putFile(deps, state, meaning.key, next.value)
    if (meaning?.kind === 'objects') await lookForObjects(deps, state, next.value)
    next = await entries.next()
  }
  const manifest = next.value
  const wrong = Object.keys(manifest.rows).find((name) => (rows[name] ?? 0) !== manifest.rows[name])
  if (wrong !== undefined) throw new Error(`the database took another number of rows of ${wrong}`)
}

async function putFile({ files }: RestoreDeps, state: State, key: FileKey, entry: BackupEntry): Promise<void> {
  const target = state.fresh === undefined ? undefined : pathOf(state.fresh, key)
  if (target !== undefined) return writeChunks(target, entry, state.folders)
  if (files.kind === 'disk') return
  const temporary = join(files.scratch, 'restored')
  await writeChunks(temporary, entry, state.folders)
  await (files.store as FileStore).put(key, temporary)
}

async function writeChunks(path: string, entry: BackupEntry, folders: Set<string>): Promise<void> {
  const folder = dirname(path)
  if (!folders.has(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 })
  folders.add(folder)
  const file = openSync(path, 'w', 0o600)
  try {
    for await (const chunk of entry.chunks()) {
      for (let done = 0; done < chunk.length; ) done += writeSync(file, chunk, done)
    }
  } finally {
    closeSync(file)
  }
}

async function lookForObjects({ files }: RestoreDeps, state: State, entry: BackupEntry): Promise<void> {
  if (files.kind === 'disk') return
  for (const line of (await entry.whole()).toString().split('\n').slice(0, -1)) {
    const { key } = JSON.parse(line) as { key: FileKey }
    // Packages and exports go by themselves.
    if (key.startsWith('blobs/') && !(await files.store.stat(key))) state.missing.push(key)
  }
}

/** Puts the restored files in the place of the others, which are removed. Repeated after a kill, it completes the rest. */
async function swap(fresh: string, root: string): Promise<void> {
  const old = join(root, 'replaced')
  await rm(old, { recursive: true, force: true })
  mkdirSync(old, { mode: 0o700 })
  // Parts belong to uploads that no backup has.
  for (const kind of ['packages', 'blobs', 'exports', 'parts']) {
    await rename(join(root, kind), join(old, kind)).catch(ignoreMissing)
    await rename(join(fresh, kind), join(root, kind)).catch(ignoreMissing)
  }
  await flushAll(root, [root])
  await rm(old, { recursive: true, force: true })
  await rm(fresh, { recursive: true, force: true })
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

async function replaceFile(path: string, bytes: Buffer): Promise<void> {
  const temporary = `${path}.restoring`
  const file = await open(temporary, 'w', 0o600)
  await file.writeFile(bytes)
  await file.sync()
  await file.close()
  await rename(temporary, path)
}
