import { readEntries } from './content/read-entries.ts'
import { createManifestScanner, type ManifestVisitor } from './manifest/scanner.ts'
import type { OpenPackage } from './open-package.ts'
import { PackageRefused } from './refusal.ts'

export interface ReadManifestOptions {
  /** Texts of more bytes than this are handed over shortened; see the scanner. */
  cutTextsOver?: number
  /** Bytes of the manifest that have been read so far. */
  onProgress?(done: number): void
  signal?: AbortSignal
}

/** Hands the manifest of a package to `visit`, one ticket at a time. Throws `PackageRefused` where it is damaged or no JSON. */
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
      // Bytes that were damaged are no JSON either. To say which it is, the rest is read for its checksum alone.
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
