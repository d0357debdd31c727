import { createHash } from 'node:crypto'
import { join } from 'node:path'

/** Where everything of one embedded server lies, and what it is called. */
export interface Layout {
  readonly folder: string
  /** The server's own data. Exists only complete: it is made elsewhere and renamed. */
  readonly data: string
  /** Holds the lock that one starting process at a time has. */
  readonly launch: string
  /** Private to the server's user: the socket, and the links to its libraries. */
  readonly runtime: string
  readonly libraries: string
  /** What the server said before it opened its own log. */
  readonly startLog: string
  readonly serverLogs: string
  readonly pidFile: string
  /** In the title of every process of the server, so that each can be told from those of other servers. */
  readonly clusterName: string
}

export interface Connection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

const LONGEST_SOCKET_PATH = 107
const PORT = 5432
const SYSTEM_TEMPORARY_FOLDER = '/tmp'

/** `folder` is a real path. Pure: nothing is looked up or made. */
export function layoutOf(folder: string, temporaryFolder: string): Layout {
  const name = `plantroom-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`
  const data = join(folder, 'data')
  const candidates = [join(folder, 'run'), join(temporaryFolder, name)]
  const runtime = candidates.find(canHoldSocketAndLibraries) ?? join(SYSTEM_TEMPORARY_FOLDER, name)
  return {
    folder,
    data,
    launch: join(folder, 'launch'),
    runtime,
    libraries: join(runtime, 'lib'),
    startLog: join(folder, 'start.log'),
    serverLogs: join(data, 'log'),
    pidFile: join(data, 'postmaster.pid'),
    clusterName: name,
  }
}

/** The one user and database of the server that listens in `socketFolder`. */
export function connectionIn(socketFolder: string, port = PORT): Connection {
  return { host: socketFolder, port, user: 'plantroom', database: 'plantroom' }
}

export function socketPath({ host, port }: { host: string; port: number }): string {
  return join(host, `.s.PGSQL.${port}`)
}

function canHoldSocketAndLibraries(folder: string): boolean {
  // The loader splits LD_LIBRARY_PATH at these and expands the dollar; it knows no escape for them.
  if (/[:;$]/.test(folder)) return false
  return Buffer.byteLength(socketPath({ host: folder, port: PORT })) <= LONGEST_SOCKET_PATH
}
