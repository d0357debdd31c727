import { execFileSync } from 'node:child_process'
import { statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { onTestFinished } from 'vitest'

/** A file system of its own that a test can fill up. */
export interface SmallDisk {
  readonly folder: string
  free(): number
  /** Takes all space but so many bytes. */
  fillUpTo(bytes: number): void
  /** Gives back all that was taken. */
  empty(): void
}

/** Mounts a file system in memory; only root may. It goes with the test. */
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

/** Is this somebody who may mount a file system? */
export const canMount = probe()

function probe(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}
