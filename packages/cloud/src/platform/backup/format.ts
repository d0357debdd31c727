import { Failure } from '@plantroom/contract/failure'

/** The version of the format. A reader refuses others. */
export const FORMAT = 1

/** The names in a backup, which is a tar file. They come in this order. */
export const NAMES = {
  description: 'backup.json',
  secrets: 'secrets/',
  sequences: 'database/sequences.json',
  tables: 'database/',
  files: 'files/',
  bucket: 'bucket/',
  /** Lists as `sha256sum` writes and checks them, each of the entries since the one before. */
  digests: 'digests/',
  /** The last entry: without it, the backup is incomplete. */
  manifest: 'manifest.json',
} as const

/** The secrets that the cloud keeps in its data folder. */
export const SECRETS: readonly string[] = ['admin-token', 'activity-key', 'factor-key', 'files-secret', 'setup-token']

/** Where the files of a backup are: inside, or in the bucket, of which the backup has a list. */
export type FilesPlace = 'backup' | 'bucket'

/** What a backup contains, in its first entry. */
export interface Description {
  format: number
  plantroom: string
  createdAt: string
  postgresql: string
  migrations: readonly string[]
  tables: readonly { name: string; columns: string[] }[]
  files: FilesPlace
  /** Settings of the source with secrets that the backup does not have. */
  settings: readonly string[]
  /** Secrets of the data folder that were left out; none in older backups. */
  withoutSecrets?: readonly string[] | undefined
}

/** What was written, in the last entry. */
export interface Manifest {
  format: number
  /** The number of rows of each table. */
  rows: Readonly<Record<string, number>>
  files: number
  fileBytes: number
  /** The SHA-256 of all lists of digests, one after another. */
  digest: string
}

export interface Summary {
  description: Description
  manifest: Manifest
  bytes: number
}

export const damaged = (path: string, what: string) =>
  new Failure('unavailable', `${path} is damaged (${what}): use another backup`)

export const incomplete = (path: string) =>
  new Failure(
    'unavailable',
    `${path} is incomplete: the backup was interrupted, or the copy of the file was; use another one`,
  )

/** Reads the description. Throws when this version cannot read the backup. */
export function readDescription(path: string, text: string): Description {
  const found = parse<Description>(path, text)
  if (found.format > FORMAT) {
    throw new Failure(
      'unavailable',
      `${path} was made by Plantroom ${found.plantroom}, which writes a newer format: restore it with that version or a later one`,
    )
  }
  if (!Array.isArray(found.tables) || !Array.isArray(found.migrations))
    throw damaged(path, 'its description is incomplete')
  return found
}

export function readManifest(path: string, text: string): Manifest {
  const found = parse<Manifest>(path, text)
  if (typeof found.rows !== 'object' || typeof found.digest !== 'string')
    throw damaged(path, 'its last entry is incomplete')
  return found
}

function parse<Parsed extends { format: number }>(path: string, text: string): Parsed {
  try {
    const found = JSON.parse(text)
    if (Number.isSafeInteger(found?.format)) return found
  } catch {
    // The failure below says it.
  }
  throw damaged(path, 'an entry is not what it should be')
}
