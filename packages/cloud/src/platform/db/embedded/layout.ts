import { createHash } from 'node:crypto'
import { join } from 'node:path'

/** The paths and the name of one embedded server. */
export interface Layout {
  readonly folder: string
  /** The data of the server. Always complete: it is created elsewhere and renamed. */
  readonly data: string
  /** Contains the lock that allows one process at a time to start the server. */
  readonly launch: string
  /** Private to the user of the server: the socket and the links to its libraries. */
  readonly runtime: string
  readonly libraries: string
  /** The output of the server before it opens its own log. */
  readonly startLog: string
  readonly serverLogs: string
  readonly pidFile: string
  /** Part of the title of every process of the server, which identifies them. */
  readonly clusterName: string
}

export interface Connection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

const MAX_SOCKET_PATH = 107
const PORT = 5432
const SYSTEM_TEMPORARY_FOLDER = '/tmp'

/** Derives the layout from a real path. Pure. */
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

/** Where the programs of a major version are kept, for the day on which its data have to move to a newer one. */
export const keptBinaries = ({ folder }: Pick<Layout, 'folder'>, majorVersion: string) =>
  join(folder, `server-${majorVersion}`)

/** The connection to the server that listens in `socketFolder`. */
export function connectionIn(socketFolder: string, port = PORT): Connection {
  return { host: socketFolder, port, user: 'plantroom', database: 'plantroom' }
}

export function socketPath({ host, port }: { host: string; port: number }): string {
  return join(host, `.s.PGSQL.${port}`)
}

function canHoldSocketAndLibraries(folder: string): boolean {
  // The loader splits LD_LIBRARY_PATH at these and expands the dollar sign. They cannot be escaped.
  if (/[:;$]/.test(folder)) return false
  return Buffer.byteLength(socketPath({ host: folder, port: PORT })) <= MAX_SOCKET_PATH
}
