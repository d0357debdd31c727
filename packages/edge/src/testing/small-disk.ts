import { execFileSync } from 'node:child_process'
import { statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { onTestFinished } from 'vitest'

/** A separate file system that a test can fill up. */
export interface SmallDisk {
  readonly folder: string
  free(): number
  /** Fills the disk until this many bytes are free. */
  fillUpTo(bytes: number): void
  /** Frees the space again. */
  empty(): void
}

/** Mounts a file system in memory, which needs root. Unmounts it after the test. */
export function createSmallDisk(size: string): SmallDisk {
  const folder = temporaryFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'pipe' })
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
  const filler = join(folder, 'filler')
  const free = () => {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  }
  return {
    folder,
    free,
    fillUpTo(bytes) {
      writeFileSync(filler, '')
      writeFileSync(filler, Buffer.alloc(Math.max(0, free() - bytes)))
    },
    empty: () => writeFileSync(filler, ''),
  }
}

/** True when this process may mount a file system. */
export const canMount = probe()

function probe(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}
