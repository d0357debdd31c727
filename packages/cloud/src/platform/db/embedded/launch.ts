import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { ask, createDatabase } from './ask.ts'
import { type Binaries, linkLibraries } from './binaries.ts'
import type { Server } from './find-server.ts'
import { assignFolders, dataOwner } from './folders.ts'
import { clearStaleLocks, holderOf } from './holder.ts'
import { initialise } from './initialise.ts'
import { type Connection, connectionIn, type Layout } from './layout.ts'
import { stopServer, until } from './processes.ts'
import { chooseWayToRun, commandFor, type RunAs } from './run-as.ts'
import { lastError, logSizes, logsSince } from './server-logs.ts'
import { messageOf, unavailable } from './unavailable.ts'

const POLL_MS = 10
const STARTING_MS = 300_000
const LEFTOVER_MS = 10_000

interface Deps {
  readonly binaries: Binaries
  readonly clock: Clock
  readonly log: Log
}

/**
 * Starts a server on a folder that is not in use, with new data if there is none. Resolves with undefined when another
 * server was faster. Throws with the server's own error, and then leaves no process behind.
 */
export async function launch(layout: Layout, deps: Deps): Promise<Server | undefined> {
  const { binaries, clock, log } = deps
  const target = { program: binaries.postgres, folder: layout.folder }
  const way = await chooseWayToRun(target, await dataOwner(layout))
  await assignFolders(layout, way)
  await linkLibraries(binaries, layout.libraries)
  if (!existsSync(join(layout.data, 'PG_VERSION'))) {
    log.info({ folder: layout.folder }, 'creating a new database')
    await initialise(layout, binaries, way)
  }
  const connection = connectionIn(layout.runtime)
  await clearStaleLocks(layout, connection)
  const before = logSizes(layout)
  const child = await spawnServer(layout, connection, binaries, way)
  try {
    const state = await whenServing(child, layout, connection, clock)
    if (state === 'serves') return { pid: child.pid ?? 0, connection }
    await until(() => holderOf(layout).kind !== 'leftover', LEFTOVER_MS, clock)
    if (holderOf(layout).kind === 'server') return undefined
    throw unavailable(
      `The embedded PostgreSQL does not start (${lastError(logsSince(layout, before)) ?? 'it logged nothing'}): fix that and start again; its logs are ${layout.startLog} and ${layout.serverLogs}`,
    )
  } catch (error) {
    if (child.pid !== undefined) await stopServer(layout, child.pid, deps)
    throw error
  }
}

async function spawnServer(
  layout: Layout,
  connection: Connection,
  binaries: Binaries,
  way: RunAs,
): Promise<ChildProcess> {
  const args = serverArguments(layout, connection)
  const command = commandFor(way, binaries.postgres, args, layout.libraries)
  const startLog = await open(layout.startLog, 'w', 0o600)
  try {
    // A separate session: Ctrl-C in a terminal reaches every process of the foreground group, and the server would stop
    // while we still write.
    const child = spawn(command.program, command.args, {
      ...command.options,
      detached: true,
      stdio: ['ignore', startLog.fd, startLog.fd],
    })
    await once(child, 'spawn')
    child.unref()
    return child
  } catch (error) {
    throw unavailable(`The embedded PostgreSQL cannot be started (${messageOf(error)}): set DATABASE_URL instead`)
  } finally {
    await startLog.close()
  }
}

/** The arguments of `postgres`. They override postgresql.conf, because the launcher relies on them. */
function serverArguments(layout: Layout, connection: Connection): string[] {
  const settings = {
    fsync: 'on',
    full_page_writes: 'on',
    listen_addresses: '',
    port: String(connection.port),
    unix_socket_directories: `"${connection.host.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    cluster_name: layout.clusterName,
    update_process_title: 'on',
    ...LOGGING,
  }
  return ['-D', layout.data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

const LOGGING = {
  log_destination: 'stderr',
  logging_collector: 'on',
  log_directory: 'log',
  // One file per weekday, truncated when its day comes again. Rotation by size would append, so it is off.
  log_filename: 'server-%a.log',
  log_truncate_on_rotation: 'on',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  // Details and statements contain user input, which does not belong in a log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
}

async function whenServing(
  child: ChildProcess,
  layout: Layout,
  connection: Connection,
  clock: Clock,
): Promise<'serves' | 'ended'> {
  const end = clock.monotonic() + STARTING_MS
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await ask(connection)
    if (answer.kind === 'noDatabase') await createDatabase(connection)
    if (answer.kind === 'refused') throw unavailable(refusal(layout, answer.reason))
    if (answer.kind === 'ready' && isHeldBy(child.pid, layout)) return 'serves'
    if (clock.monotonic() > end)
      throw unavailable(`The embedded PostgreSQL was not ready in time: see ${layout.serverLogs}`)
    if (answer.kind !== 'noDatabase') await sleep(clock, POLL_MS)
  }
  return 'ended'
}

/** An answer alone is no proof: another server that was faster may give it while ours is about to end. */
function isHeldBy(pid: number | undefined, layout: Layout): boolean {
  const holder = holderOf(layout)
  return holder.kind === 'server' && holder.pid === pid
}

function refusal(layout: Layout, reason: string): string {
  return `The embedded PostgreSQL refuses its own user (${reason}): restore ${layout.data}/pg_hba.conf`
}
