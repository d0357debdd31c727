import { readFileSync } from 'node:fs'

/**
 * Returns how many bytes this process has caused to be written to disks since it started, as Linux counts them;
 * `undefined` elsewhere. A file system in memory does not count.
 */
export function writtenToDisk(path = '/proc/self/io'): number | undefined {
  try {
    const counted = /^write_bytes: (\d+)$/m.exec(readFileSync(path, 'utf8'))?.[1]
    return counted === undefined ? undefined : Number(counted)
  } catch {
    return undefined
  }
}
