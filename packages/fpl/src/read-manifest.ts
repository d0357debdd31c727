import { readEntries } from './content/read-entries.ts'
import { createManifestScanner, type ManifestVisitor } from './manifest/scanner.ts'
import type { OpenPackage } from './open-package.ts'
import { PackageRefused } from './refusal.ts'

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
