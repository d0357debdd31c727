import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Layout } from './layout.ts'
import { isPostmaster, processesOf, sendSignal } from './processes.ts'
import { unavailable } from './unavailable.ts'

const POLL_MS = 10
const FAST_SHUTDOWN_MS = 60_000
const IMMEDIATE_SHUTDOWN_MS = 15_000

/** Stops the postmaster `pid` and waits until no process of its server is left. */
export async function stopServer(layout: Layout, pid: number, deps: { clock: Clock; log: Log }): Promise<void> {
  const isGone = () => !isPostmaster(pid, layout) && processesOf(layout).length === 0
  if (isPostmaster(pid, layout)) sendSignal(pid, 'SIGINT')
  if (!(await until(isGone, FAST_SHUTDOWN_MS, deps.clock))) {
    deps.log.warn(
      { serverPid: pid },
      'the database server does not stop: stopping it immediately; the next start recovers',
    )
    await stopImmediately(layout, deps.clock)
  }
  // A runtime folder outside the data folder is ours, and nothing else would remove it.
  if (dirname(layout.runtime) !== layout.folder) await rm(layout.runtime, { recursive: true, force: true })
}

/** Stops all processes on the folder without waiting for their work. The data stays intact: the log is replayed. */
export async function stopImmediately(layout: Layout, clock: Clock): Promise<void> {
  for (const pid of processesOf(layout)) sendSignal(pid, 'SIGQUIT')
  if (await until(() => processesOf(layout).length === 0, IMMEDIATE_SHUTDOWN_MS, clock)) return
  const pids = processesOf(layout).join(', ')
  throw unavailable(
    `The processes ${pids} of a database server in ${layout.folder} do not stop: kill them and start again`,
  )
}

/** Resolves with true as soon as `condition` holds, or with false after `ms`. */
export async function until(condition: () => boolean, ms: number, clock: Clock): Promise<boolean> {
  const end = clock.monotonic() + ms
  while (!condition()) {
    if (clock.monotonic() >= end) return false
    await sleep(clock, POLL_MS)
  }
  return true
}
