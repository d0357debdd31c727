import { zstdDecompressSync } from 'node:zlib'
import { type FileKey, readKey } from '../files/index.ts'
import { damaged, NAMES, SECRETS, type Summary } from './format.ts'
import type { BackupEntry, BackupReader } from './reader.ts'

/** COPY cannot have a longer row. */
const MAX_PART_BYTES = 1024 * 1024 * 1024

/** What an entry is. */
export type Meaning =
  | { kind: 'secret'; name: string }
  | { kind: 'sequences' }
  | { kind: 'table'; name: string }
  | { kind: 'file'; key: FileKey }
  | { kind: 'objects' }

/** Says what an entry is. Throws for a name that no backup has: it could lead anywhere. */
export function meaningOf(path: string, { name }: Pick<BackupEntry, 'name'>): Meaning | undefined {
  if (name === NAMES.description) return undefined
  if (name === NAMES.sequences) return { kind: 'sequences' }
  const [folder, first = '', ...rest] = name.split('/')
  if (folder === 'secrets' && SECRETS.includes(first) && rest.length === 0) return { kind: 'secret', name: first }
  if (folder === 'database' && rest.length === 1) return { kind: 'table', name: first }
  if (folder === 'bucket') return { kind: 'objects' }
  const key = folder === 'files' ? readKey(first, ...rest) : undefined
  if (key) return { kind: 'file', key }
  throw damaged(path, `${name} does not belong into a backup`)
}

/** Returns the rows of a part of a table, in COPY's text format. */
export async function rowsIn(path: string, entry: BackupEntry): Promise<Buffer> {
  const compressed = await entry.whole()
  try {
    return zstdDecompressSync(compressed, { maxOutputLength: MAX_PART_BYTES })
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('ZSTD_')) {
      throw damaged(path, `${entry.name} cannot be decompressed`)
    }
    throw error
  }
}

/** Reads the whole backup and compares it with its digests and counts. Changes nothing, and needs no database. */
export async function verifyBackup(path: string, reader: BackupReader): Promise<Summary> {
  const rows: Record<string, number> = Object.fromEntries(reader.description.tables.map(({ name }) => [name, 0]))
  let files = 0
  const entries = reader.entries()
  for (;;) {
    const next = await entries.next()
    if (next.done) {
      const manifest = next.value
      const wrong = Object.keys({ ...rows, ...manifest.rows }).find((name) => rows[name] !== manifest.rows[name])
      if (wrong !== undefined) throw damaged(path, `the table ${wrong} has another number of rows`)
      if (reader.description.files === 'backup' && files !== manifest.files) {
        throw damaged(path, 'it has another number of files')
      }
      return { description: reader.description, manifest, bytes: reader.bytes }
    }
    const meaning = meaningOf(path, next.value)
    if (meaning?.kind === 'table') {
      rows[meaning.name] = (rows[meaning.name] ?? 0) + countLines(await rowsIn(path, next.value))
    }
    if (meaning?.kind === 'file') files += 1
  }
}

/** COPY writes one line per row, and line breaks of texts as `\n`. */
function countLines(text: Buffer): number {
  let count = 0
  for (let at = text.indexOf(10); at >= 0; at = text.indexOf(10, at + 1)) count += 1
  return count
}
