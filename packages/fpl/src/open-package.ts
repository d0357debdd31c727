import { statSync } from 'node:fs'
import type { Archive, Entry } from './archive/archive.ts'
import { type ByteSource, openFileSource } from './archive/byte-source.ts'
import { verifyArchive } from './archive/verify.ts'
import { manifestMissing } from './refusal.ts'

/** A package whose structure holds and that has a manifest. What its files contain is not judged yet. */
export interface OpenPackage extends Disposable {
  readonly path: string
  readonly source: ByteSource
  readonly archive: Archive
  readonly manifest: Entry
}

/** Throws `PackageRefused`, or an error of the system or about the path where no file can be opened at all. */
export function openPackage(path: string): OpenPackage {
  const kind = statSync(path)
  if (kind.isDirectory()) throw new Error('is a folder, not a file')
  // To open a pipe is to wait for its writer, and a device has no end.
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
