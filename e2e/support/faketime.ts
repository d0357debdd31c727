import { globSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from './environment.ts'

/** Debian's path on any architecture. */
const [LIBRARY = ''] = globSync('/usr/lib/*/faketime/libfaketime.so.1')
export const HAS_FAKETIME = LIBRARY !== ''

/** The wall clock of a process, which a test can step. Timers and the monotonic clock are not affected. */
export interface WallClock {
  /** Settings for the start of the process. */
  readonly settings: Settings
  /** Puts the clock ahead by this many milliseconds; behind, if negative. */
  stepTo(offsetMs: number): void
  /** Removes the shared memory that the library leaves when the process is killed. */
  forget(pid: number): void
}

export function wallClock(folder: string): WallClock {
  const file = join(folder, 'offset')

  function stepTo(offsetMs: number): void {
    // The library reads the file whenever the process asks the time: it must never see half of it.
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
