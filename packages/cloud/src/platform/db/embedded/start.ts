import { mkdir } from 'node:fs/promises'
import { type Clock, sleep } from '@plantroom/base/clock'
import { lockFolder } from '@plantroom/base/folder-lock'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { findBinaries } from './binaries.ts'
import { findServer, type Server } from './find-server.ts'
import { checkVersion, openFolder } from './folders.ts'
import { launch } from './launch.ts'
import type { Connection, Layout } from './layout.ts'
import { isPostmaster, stopServer } from './processes.ts'
import { messageOf, unavailable } from './unavailable.ts'
import { finishUpgrade, upgradeData } from './upgrade.ts'

const LOCK_POLL_MS = 25
const LOCK_MS = 60_000

/** A real PostgreSQL server, run from the installed package in its own folder. */
export interface EmbeddedPostgres {
  /** For `pg.Pool`. It needs no password: only its user may enter the folder of the socket, and no TCP port is open. */
  readonly connection: Connection
  /** True when an already running server was taken over. */
  readonly attached: boolean
  readonly pid: number
  /** False once the server has ended, for whatever reason. */
  isRunning(): boolean
  /** Stops the server, attached or not, and resolves when none of its processes is left. Safe to call again. */
  stop(): Promise<void>
}

/**
 * Starts the server of `folder` and resolves when it accepts connections. There is never a second server on one folder:
 * a start takes over a running server, and concurrent starts wait for each other.
 *
 * The server survives this process, and the next start finds it. Every failure is of kind `unavailable`, with a remedy.
 */
export async function startEmbeddedPostgres(options: {
  folder: string
  clock: Clock
  log: Log
}): Promise<EmbeddedPostgres> {
  const { clock, log } = options
  const binaries = findBinaries()
  const layout = await openFolder(options.folder)
  await checkVersion(layout, binaries.majorVersion)
  const release = await takeLaunchLock(layout, clock)
  try {
    await finishUpgrade(layout, log)
    const older = await checkVersion(layout, binaries.majorVersion)
    if (older !== undefined) await upgradeData(layout, older, { binaries, clock, log })
    for (;;) {
      const found = await findServer(layout, { clock, log })
      if (found) return embedded(found, layout, true, options)
      const launched = await launch(layout, { binaries, clock, log })
      if (launched) return embedded(launched, layout, false, options)
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw unavailable(
      `The embedded PostgreSQL in ${layout.folder} cannot be started (${messageOf(error)}): fix that and start again, or set DATABASE_URL`,
    )
  } finally {
    release()
  }
}

function embedded(
  server: Server,
  layout: Layout,
  attached: boolean,
  deps: { clock: Clock; log: Log },
): EmbeddedPostgres {
  const { pid, connection } = server
  deps.log.info({ serverPid: pid, attached, folder: layout.folder }, 'the database server is ready')
  let stopped: Promise<void> | undefined
  return {
    connection,
    attached,
    pid,
    isRunning: () => isPostmaster(pid, layout),
    stop: () => {
      stopped ??= stopServer(layout, pid, deps)
      return stopped
    },
  }
}

async function takeLaunchLock({ launch, folder }: Layout, clock: Clock): Promise<() => void> {
  const end = clock.monotonic() + LOCK_MS
  for (;;) {
    const release = await tryLock(launch)
    if (release) return release
    if (clock.monotonic() > end) {
      throw unavailable(
        `Another process has been starting the database server of ${folder} for too long: stop it and start again`,
      )
    }
    await sleep(clock, LOCK_POLL_MS)
  }
}

async function tryLock(folder: string): Promise<(() => void) | undefined> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return lockFolder(folder)
  } catch (error) {
    throw unavailable(`${folder} cannot be locked (${messageOf(error)}): give it to the user who runs Plantroom`)
  }
}
