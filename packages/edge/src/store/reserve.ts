import { randomFillSync } from 'node:crypto'
import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '@plantroom/base/log'

export const RESERVE_BYTES = 1024 * 1024
/** With less than this left on the disk, nothing new is taken on. */
export const LEAST_BYTES = 256 * 1024

/**
 * Disk space kept for the day when the disk is full: cancels and releases are still to be remembered then.
 * A file of nothing in particular that is given up when the journal cannot grow.
 */
export interface Reserve {
  /** May something new be taken on? Not from what is reserved, nor while nothing is. */
  hasRoom(): boolean
  /** Gives the space up. */
  release(): void
  /** Takes it again when there is room for it. Never throws. */
  restore(): void
}

export function createReserve(
  folder: string,
  log: Log,
  /** The space that is left on the disk of a folder. */
  freeBytes: (folder: string) => number = freeOnDisk,
): Reserve {
  const path = join(folder, 'reserve')
  let held = false

  function restore(): void {
    // A power cut while it was made leaves one that is too short.
    held = size(path) === RESERVE_BYTES
    if (held || freeBytes(folder) < RESERVE_BYTES + LEAST_BYTES) return
    try {
      fill(path)
      held = true
    } catch (error) {
      log.warn({ err: error }, 'no space could be reserved for releases')
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
      log.warn('the disk is full: the space reserved for releases is used now')
    },
    restore,
  }
}

function fill(path: string): void {
  const file = openSync(path, 'w', 0o600)
  try {
    // A file system that compresses would keep zeros in no space at all.
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

function freeOnDisk(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0
  }
}
