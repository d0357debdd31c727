import { mkdir } from 'node:fs/promises'
import { type Clock, sleep } from '@plantroom/base/clock'
import { lockFolder } from '@plantroom/base/folder-lock'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { findServer, type Server } from './attach.ts'
import { findBinaries } from './binaries.ts'
import { checkVersion, openFolder } from './folders.ts'
import { launch } from './launch.ts'
import type { Connection, Layout } from './layout.ts'
import { stopServer } from './stop.ts'
import { messageOf, unavailable } from './unavailable.ts'

const LOCK_POLL_MS = 25
const LOCK_MS = 60_000

/** The real PostgreSQL server, run from the installed package on a folder of its own. */
export interface EmbeddedPostgres {
  /** For `pg.Pool`. No password: the socket lies in a folder that only its user may enter. No TCP port is open. */
  readonly connection: Connection
  /** True when a server that outlived its killed parent, or that another process started, was taken over. */
  readonly attached: boolean
  readonly pid: number
  /** Ends sessions and server, attached or not, and resolves when no process of it is left. Safe to call again. */
  stop(): Promise<void>
}

/**
 * Brings up the server of `folder` and resolves when it serves. Never a second server on one folder: a start that
 * finds one takes it over, and two starts at once wait for each other.
 *
 * The server is not ended with this process; what was running is found by the next start. Every failure is of kind
 * `unavailable`, with one line that says what to do.
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
    for (;;) {
      const found = await findServer(layout, { clock, log })
      if (found) return embedded(found, layout, true, options)
      const launched = await launch(layout, { binaries, clock, log })
      if (launched) return embedded(launched, layout, false, options)
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw unavailable(
      `The embedded PostgreSQL in ${layout.folder} cannot be started (${messageOf(error)}): mend that and start again, or set DATABASE_URL`,
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
        `Another process has been starting the database server of ${folder} for long: end it and start again`,
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
