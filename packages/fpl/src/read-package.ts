import { statSync } from 'node:fs'
import type { Archive, Entry } from './archive/archive.ts'
import { type ByteSource, openFileSource } from './archive/byte-source.ts'
import { verifyArchive } from './archive/verify.ts'
import { readEntries } from './content/read-entries.ts'
import { createManifestScanner, type ManifestVisitor } from './manifest/scanner.ts'
import { manifestMissing, PackageRefused } from './refusal.ts'

export type { Entry } from './archive/archive.ts'
export { readEntries } from './content/read-entries.ts'
export { createManifestScanner } from './manifest/scanner.ts'
export { archiveRefused } from './refusal.ts'

/** A package with a verified structure and a manifest. The content of its files is unverified. */
export interface OpenPackage extends Disposable {
  readonly path: string
  readonly source: ByteSource
  readonly archive: Archive
  readonly manifest: Entry
}

/** Opens a package. Throws `PackageRefused`, or an error about the path if it is not a readable file. */
export function openPackage(path: string): OpenPackage {
  const kind = statSync(path)
  if (kind.isDirectory()) throw new Error('is a folder, not a file')
  // Opening a pipe would block until a writer opens it, and a device has no end.
  if (!kind.isFile()) throw new Error('is a pipe or a device, not a file')

  const source = openFileSource(path)
  try {
    const archive = verifyArchive(source)
    const manifest = archive.find('manifest.json')
    if (!manifest) throw manifestMissing()
    return { path, source, archive, manifest, [Symbol.dispose]: () => source.close() }
  } catch (error) {
    source.close()
    throw error
  }
}

export interface ReadManifestOptions {
  /** Shortens texts of more bytes than this; see `ScannerOptions`. */
  cutTextsOver?: number
  /** Called with the number of manifest bytes read so far. */
  onProgress?(done: number): void
  signal?: AbortSignal
}

/**
 * Passes the manifest of a package to `visit`, one ticket at a time. Throws `PackageRefused` if it is damaged or not
 * JSON.
 */
export async function readManifest(
  { source, manifest }: OpenPackage,
  visit: ManifestVisitor,
  { cutTextsOver, onProgress, signal }: ReadManifestOptions = {},
): Promise<void> {
  const scanner = createManifestScanner(visit, cutTextsOver === undefined ? {} : { cutTextsOver })
  let done = 0
  let notJson: PackageRefused | undefined
  await readEntries(
    source,
    [manifest],
    (_entry, bytes, isLast) => {
      done += bytes.length
      // Damaged bytes are not valid JSON either. Read the rest for its checksum, to report the right one of the two.
      notJson ??= refusalOf(() => {
        scanner.push(bytes)
        if (isLast) scanner.end()
      })
      onProgress?.(done)
    },
    signal,
  )
  if (notJson) throw notJson
}

function refusalOf(action: () => void): PackageRefused | undefined {
  try {
    action()
    return undefined
  } catch (error) {
    if (error instanceof PackageRefused) return error
    throw error
  }
}
