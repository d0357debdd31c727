import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { ask, createDatabase } from './ask.ts'
import { openFolder } from './folders.ts'
import { type Holder, holderOf } from './holder.ts'
import { type Connection, connectionIn, type Layout } from './layout.ts'
import { isSameFolder, isServerForked, stopImmediately, stopServer } from './processes.ts'
import { unavailable } from './unavailable.ts'

const POLL_MS = 25
const AWAIT_POLL_MS = 250
const LEFTOVER_MS = 10_000
const STARTING_MS = 300_000

/** A server that accepts connections. */
export interface Server {
  readonly pid: number
  readonly connection: Connection
}

/**
 * Finds the server that already runs on the folder; undefined when the folder is not in use. Waits for a server that is
 * starting, recovering or stopping, and for processes that a killed server left behind: of two servers that start at
 * once, the launcher of one would remove the files of the other.
 */
export async function findServer(layout: Layout, deps: { clock: Clock; log: Log }): Promise<Server | undefined> {
  const { clock, log } = deps
  const since = clock.monotonic()
  for (;;) {
    const waited = clock.monotonic() - since
    // Looked for before the holder, because a server that leaves this state has its pid file.
    const isForked = waited <= LEFTOVER_MS && isServerForked(layout)
    const holder = holderOf(layout)
    if (holder.kind === 'none') {
      if (!isForked) {
        await refuseForeignServer(layout)
        return undefined
      }
    } else if (holder.kind === 'leftover') {
      if (waited > LEFTOVER_MS) {
        log.warn({ pids: holder.pids }, 'stopping the remaining processes of a killed database server')
        await stopImmediately(layout, clock)
      }
    } else {
      const state = await stateOf(holder, layout)
      if (state === 'serves') return { pid: holder.pid, connection: holder.connection }
      if (state === 'lost') {
        log.warn({ serverPid: holder.pid }, 'the database server has lost its socket; restarting it')
        await stopServer(layout, holder.pid, deps)
      } else if (waited > STARTING_MS) {
        throw unavailable(
          `The database server of ${layout.folder} (process ${holder.pid}) has been ${holder.status} for too long: see ${layout.serverLogs}, and start again when it is done`,
        )
      }
    }
    await sleep(clock, POLL_MS)
  }
}

/**
 * Waits for the server of `folder` and returns its address, for a process beside the one that runs it. Never starts or
 * stops a server. Resolves with undefined when `signal` aborts. Asks the socket only: a service manager may hide the
 * processes of one service from another.
 */
export async function awaitEmbeddedPostgres(options: {
  folder: string
  clock: Clock
  log: Log
  signal: AbortSignal
}): Promise<Connection | undefined> {
  const { clock, log, signal } = options
  const layout = await openFolder(options.folder)
  const connection = connectionIn(layout.runtime)
  let logged = false
  while (!signal.aborted) {
    const answer = await ask(connection)
    if (answer.kind === 'ready' && isSameFolder(answer.dataFolder, layout.data)) return connection
    if (!logged) log.info({ folder: layout.folder }, 'waiting for the database, which "plantroom cloud" starts')
    logged = true
    await sleep(clock, AWAIT_POLL_MS, signal)
  }
  return undefined
}

async function stateOf(
  { pid, connection, status }: Extract<Holder, { kind: 'server' }>,
  layout: Layout,
): Promise<'serves' | 'notYet' | 'lost'> {
  const answer = await ask(connection)
  switch (answer.kind) {
    case 'ready':
      return isSameFolder(answer.dataFolder, layout.data) ? 'serves' : 'lost'
    case 'silent':
      return status === 'ready' ? 'lost' : 'notYet'
    case 'noDatabase':
      await createDatabase(connection)
      return 'notYet'
    case 'notYet':
      return 'notYet'
    case 'refused':
      throw unavailable(
        `The database server of ${layout.folder} (process ${pid}) refuses its own user (${answer.reason}): restore ${layout.data}/pg_hba.conf`,
      )
  }
}

/** Detects a server in another container by its socket. A second server would destroy the data. */
async function refuseForeignServer(layout: Layout): Promise<void> {
  const answer = await ask(connectionIn(layout.runtime))
  if (answer.kind === 'silent' || holderOf(layout).kind !== 'none') return
  throw unavailable(
    `A database server outside this machine or container uses ${layout.folder}: stop it and start again`,
  )
}
