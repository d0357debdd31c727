import { globSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from './environment.ts'

/** Where Debian puts it, on whatever kind of machine. */
const [LIBRARY = ''] = globSync('/usr/lib/*/faketime/libfaketime.so.1')
export const HAS_FAKETIME = LIBRARY !== ''

/** The clock on the wall of a process, which a test may step while it runs. Timers and spans of time go on as ever. */
export interface WallClock {
  /** What the process is started with. */
  readonly settings: Settings
  /** From now on it is ahead by so much; below 0, behind. */
  stepTo(offsetMs: number): void
  /** Removes what the library leaves in shared memory when this process is killed. */
  forget(pid: number): void
}

export function wallClock(folder: string): WallClock {
  const file = join(folder, 'offset')

  function stepTo(offsetMs: number): void {
    // The file is read at every look at the clock: half of it must never be seen.
    writeFileSync(`${file}.new`, `${offsetMs < 0 ? '-' : '+'}${Math.abs(offsetMs) / 1000}`)
    renameSync(`${file}.new`, file)
  }
  stepTo(0)

  return {
    settings: {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    stepTo,
    forget(pid) {
      for (const name of [`faketime_shm_${pid}`, `sem.faketime_sem_${pid}`])
        rmSync(join('/dev/shm', name), { force: true })
    },
  }
}
