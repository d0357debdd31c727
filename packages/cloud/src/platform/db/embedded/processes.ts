import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Layout } from './layout.ts'
import { unavailable } from './unavailable.ts'

const POLL_MS = 10
const FAST_SHUTDOWN_MS = 60_000
const IMMEDIATE_SHUTDOWN_MS = 15_000

type Names = Pick<Layout, 'data' | 'clusterName'>

/** Every live process of this folder's server, including those that outlived their postmaster. */
export function processesOf(names: Names): number[] {
  return processIds().filter((pid) => {
    const commandLine = commandLineOf(pid)
    return isChildOf(commandLine, names) || isPostmasterOf(commandLine, names)
  })
}

/** True when `pid` is this folder's postmaster. The system may have reused the number for another process. */
export function isPostmaster(pid: number, names: Names): boolean {
  return isPostmasterOf(commandLineOf(pid), names)
}

/**
 * True while a process that was forked to become the server still runs the program of its parent, which may be dead by
 * now. Only its open start log shows it; the server writes there until it has its pid file.
 */
export function isServerForked({ startLog }: Pick<Layout, 'startLog'>): boolean {
  return processIds().some((pid) => pid !== process.pid && filesOpenFor(pid).includes(startLog))
}

/** True when the number is in use, even by a zombie or a kernel thread: the server would respect its lock. */
export function isTaken(pid: number): boolean {
  return existsSync(`/proc/${pid}`)
}

/** Returns false when the process no longer exists. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

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

function processIds(): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
}

/** Empty for a process that no longer exists, and for one of another user. */
function filesOpenFor(pid: number): string[] {
  const folder = `/proc/${pid}/fd`
  return attempt(() => readdirSync(folder), []).map((file) => attempt(() => readlinkSync(join(folder, file)), ''))
}

function isChildOf(commandLine: string, { clusterName }: Names): boolean {
  return commandLine.startsWith(`postgres: ${clusterName}: `)
}

function isPostmasterOf(commandLine: string, { data }: Names): boolean {
  const [program, option, folder] = commandLine.split('\0')
  if (!program || basename(program) !== 'postgres' || option !== '-D' || !folder) return false
  return folder === data || isSameFolder(folder, data)
}

export function isSameFolder(one: string, other: string): boolean {
  return attempt(() => {
    const [a, b] = [statSync(one), statSync(other)]
    return a.dev === b.dev && a.ino === b.ino
  }, false)
}

/** Empty for a process that no longer exists, and for a zombie, which holds nothing. */
function commandLineOf(pid: number): string {
  return attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '')
}

function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}
