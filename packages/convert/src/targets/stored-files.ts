import type { ManifestAttachment } from '@plantroom/fpl/manifest'
import type { Entry } from '@plantroom/fpl/read-package'
import { lastPart, safeName } from '../files/file-names.ts'
import type { ExportedFile } from './target.ts'

/** The files of an export, each in a folder of its own: names that differ in case only never meet. */
export interface StoredFiles {
  fileOf(attachment: ManifestAttachment): ExportedFile
  /** The files that were asked for, with their paths in the folder of the export. */
  all(): ReadonlyMap<Entry, string>
}

/** `find` returns a file of the package by its path. */
export function createStoredFiles(find: (path: string) => Entry | undefined): StoredFiles {
  const paths = new Map<Entry, string>()
  return {
    fileOf({ path: packed, name: given, contentType }) {
      const entry = find(packed)
      if (!entry) throw new Error(`${packed} is not in the package`)
      const name = given ?? lastPart(packed)
      const path = paths.get(entry) ?? `attachments/f${paths.size + 1}/${diskName(lastPart(name))}`
      paths.set(entry, path)
      return { path, name, contentType: contentType ?? undefined }
    },
    all: () => paths,
  }
}

/** Names of devices, which Windows opens whatever follows the first dot. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?=\.|$)/i
const MOST_BYTES = 200

/** Returns a name that every file system takes, and that a list of names separates from the next. */
export function diskName(name: string): string {
  const safe = safeName(name)
    // A semicolon or a bar may separate names of files in a table. Invisible marks could show another name.
    .replaceAll(/[;\p{Cf}]/gu, '_')
    .replace(/^[.\s-]+/, '')
    .replace(/(?<![.\s])[.\s]+$/, '')
    .replace(RESERVED, '$&_')
  return withinBytes(safe === '' ? 'file' : safe)
}

/** Shortens a name, and keeps its extension. File systems count bytes. */
export function withinBytes(name: string): string {
  if (Buffer.byteLength(name) <= MOST_BYTES) return name
  const extension = /\.[^.]{1,10}$/.exec(name)?.[0] ?? ''
  const stem = [...name.slice(0, name.length - extension.length)]
  let bytes = Buffer.byteLength(extension)
  const fitting = stem.findIndex((character) => {
    bytes += Buffer.byteLength(character)
    return bytes > MOST_BYTES
  })
  return stem.slice(0, fitting === -1 ? undefined : fitting).join('') + extension
}
