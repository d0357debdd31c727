import { randomFillSync } from 'node:crypto'
import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '@plantroom/base/log'

export const RESERVE_BYTES = 1024 * 1024
/** With less free space than this, nothing new is accepted. */
export const LEAST_BYTES = 256 * 1024

/**
 * Disk space set aside so that cancels and releases can be saved on a full disk: a file of random bytes that is deleted
 * when the journal cannot grow.
 */
export interface Reserve {
  /** Reports whether something new may be accepted without touching the reserve, and the reserve exists. */
  hasRoom(): boolean
  /** Frees the reserved space. */
  release(): void
  /** Reserves the space again when there is room. Never throws. */
  restore(): void
}

export function createReserve(
  folder: string,
  log: Log,
  /** Returns the free space on the disk of a folder. */
  freeBytes: (folder: string) => number = freeOnDisk,
): Reserve {
  const path = join(folder, 'reserve')
  let held = false

  function restore(): void {
    // A power cut while it was being written leaves a file that is too short.
    held = size(path) === RESERVE_BYTES
    if (held || freeBytes(folder) < RESERVE_BYTES + LEAST_BYTES) return
    try {
      fill(path)
      held = true
    } catch (error) {
      log.warn({ err: error }, 'could not reserve disk space for releases')
      remove()
    }
  }

  function remove(): void {
    try {
      rmSync(path, { force: true })
    } catch {}
  }

  restore()
  return {
    hasRoom: () => freeBytes(folder) >= (held ? LEAST_BYTES : RESERVE_BYTES + LEAST_BYTES),
    release() {
      if (!held) return
      rmSync(path, { force: true })
      held = false
      log.warn('the disk is full: using the space reserved for releases')
    },
    restore,
  }
}

function fill(path: string): void {
  const file = openSync(path, 'w', 0o600)
  try {
    // A compressing file system would store zeros in no space at all.
    const bytes = randomFillSync(Buffer.alloc(RESERVE_BYTES))
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function size(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size
}

/** Returns the free space on the disk of a folder; 0 when it cannot be read. */
export function freeOnDisk(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0
  }
}
