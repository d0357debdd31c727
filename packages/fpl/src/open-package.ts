import { statSync } from 'node:fs'
import type { Archive, Entry } from './archive/archive.ts'
import { type ByteSource, openFileSource } from './archive/byte-source.ts'
import { verifyArchive } from './archive/verify.ts'
import { manifestMissing } from './refusal.ts'

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
