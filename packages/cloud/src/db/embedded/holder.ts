import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type Connection, connectionIn, type Layout, socketPath } from './layout.ts'
import { firstPid, type PidFile, parsePidFile } from './pid-file.ts'
import { isPostmaster, isTaken, processesOf } from './processes.ts'

/** Who uses the folder now. `leftover`: processes that no postmaster leads, or one that has not written its file. */
export type Holder =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'server'
      readonly pid: number
      readonly connection: Connection
      readonly status: PidFile['status']
    }
  | { readonly kind: 'leftover'; readonly pids: readonly number[] }

/** Judged by the live processes; what a file says counts only where the process it names is this folder's server. */
export function holderOf(layout: Layout): Holder {
  const written = parsePidFile(textOf(layout.pidFile))
  if (written && isPostmaster(written.pid, layout)) {
    const { pid, socketFolder, port, status } = written
    return { kind: 'server', pid, status, connection: connectionIn(socketFolder, port) }
  }
  const pids = processesOf(layout)
  return pids.length > 0 ? { kind: 'leftover', pids } : { kind: 'none' }
}

/** Removes what would keep a new server from starting. Only for a folder that nobody holds. */
export async function clearStaleLocks(layout: Layout, connection: Connection): Promise<void> {
  const pid = firstPid(textOf(layout.pidFile))
  // With the pid of a dead process the server clears the file itself, and by it finds shared memory still in use.
  if (pid !== undefined && isTaken(pid)) await rm(layout.pidFile, { force: true })
  const socket = socketPath(connection)
  await rm(socket, { force: true })
  await rm(`${socket}.lock`, { force: true })
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
