import type { Entry } from '../../archive/archive.ts'

/** Returns a lookup for a package with these files, like `Archive.find`. */
export function packageWith(paths: readonly string[]): (path: string) => Entry | undefined {
  const files = new Map(paths.map((path, index) => [path.normalize('NFC'), entry(path, index)]))
  return (path) => files.get(path.normalize('NFC'))
}

function entry(path: string, index: number): Entry {
  return { path, index, method: 'stored', offset: 0, compressedSize: 0, size: 0, crc32: 0 }
}
