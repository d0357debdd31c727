import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type Connection, connectionIn, type Layout, socketPath } from './layout.ts'
import { isPostmaster, isTaken, processesOf } from './processes.ts'

/** The current user of the folder. `leftover` are processes without a postmaster, or with one that has no pid file yet. */
export type Holder =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'server'
      readonly pid: number
      readonly connection: Connection
      readonly status: PidFile['status']
    }
  | { readonly kind: 'leftover'; readonly pids: readonly number[] }

/** Looks at the live processes. The pid file counts only if its process is this folder's server. */
export function holderOf(layout: Layout): Holder {
  const written = parsePidFile(readText(layout.pidFile))
  if (written && isPostmaster(written.pid, layout)) {
    const { pid, socketFolder, port, status } = written
    return { kind: 'server', pid, status, connection: connectionIn(socketFolder, port) }
  }
  const pids = processesOf(layout)
  return pids.length > 0 ? { kind: 'leftover', pids } : { kind: 'none' }
}

/** Removes files that would keep a new server from starting. Only for a folder that is not in use. */
export async function clearStaleLocks(layout: Layout, connection: Connection): Promise<void> {
  const pid = firstPid(readText(layout.pidFile))
  // The server itself clears a file with the pid of a dead process, and uses it to find shared memory still in use.
  if (pid !== undefined && isTaken(pid)) await rm(layout.pidFile, { force: true })
  const socket = socketPath(connection)
  await rm(socket, { force: true })
  await rm(`${socket}.lock`, { force: true })
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The contents of postmaster.pid. */
interface PidFile {
  readonly pid: number
  readonly port: number
  readonly socketFolder: string
  readonly status: 'starting' | 'ready' | 'stopping'
}

/** Parses postmaster.pid; `undefined` while it is incomplete. */
export function parsePidFile(text: string): PidFile | undefined {
  const [pid, , , port, socketFolder, , , status] = text.split('\n')
  if (!isPositiveInteger(pid) || !isPositiveInteger(port) || !socketFolder) return undefined
  return { pid: Number(pid), port: Number(port), socketFolder, status: statusOf(status?.trim()) }
}

/** The pid in the first line of a pid or lock file, even an incomplete one. */
export function firstPid(text: string): number | undefined {
  const [pid] = text.split('\n')
  return isPositiveInteger(pid) ? Number(pid) : undefined
}

function isPositiveInteger(text: string | undefined): text is string {
  return /^[1-9]\d{0,9}$/.test(text ?? '')
}

function statusOf(text: string | undefined): PidFile['status'] {
  return text === 'ready' || text === 'stopping' ? text : 'starting'
}
