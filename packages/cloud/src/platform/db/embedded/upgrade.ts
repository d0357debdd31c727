import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { loadDatabase } from '../transfer/load.ts'
import { openSnapshot } from '../transfer/snapshot.ts'
import { type Binaries, binariesIn } from './binaries.ts'
import { findServer, type Server } from './find-server.ts'
import { openFolder } from './folders.ts'
import { launch } from './launch.ts'
import { keptBinaries, type Layout } from './layout.ts'
import { stopServer } from './processes.ts'
import { unavailable } from './unavailable.ts'

interface Deps {
  /** The programs of the new version. */
  readonly binaries: Binaries
  readonly clock: Clock
  readonly log: Log
}

/** New data that are complete, until they take the place of the old ones. */
const upgradedIn = ({ data }: Layout) => `${data}.upgraded`

/**
 * Moves the data of an older major version to this one: both servers run, and every row is copied and counted. The old
 * data stay beside the new ones, untouched. A failure or a kill changes nothing, and the next start tries again. The caller
 * holds the launch lock.
 */
export async function upgradeData(layout: Layout, version: string, deps: Deps): Promise<void> {
  const { binaries, clock, log } = deps
  log.warn(
    { folder: layout.folder, from: version, to: binaries.majorVersion },
    'moving the database to another major version of PostgreSQL; this takes as long as restoring a backup',
  )
  const target = await emptyTarget(layout, deps)
  const old = { ...deps, binaries: binariesIn(keptBinaries(layout, version)) }
  const source = await running(layout, old)
  try {
    const fresh = await running(target, deps)
    try {
      await copyRows(source, fresh, layout)
    } finally {
      await stopServer(target, fresh.pid, deps)
    }
  } finally {
    await stopServer(layout, source.pid, deps)
  }
  const kept = await unused(`${layout.data}-${version}`, clock)
  await rename(target.data, upgradedIn(layout))
  await rename(layout.data, kept)
  await rename(upgradedIn(layout), layout.data)
  await flush(layout.folder)
  await rm(target.folder, { recursive: true, force: true })
  log.warn(
    { kept },
    'the database was moved to the new version. The old data are kept: remove the folder when everything works. Changes of postgresql.conf were not taken over',
  )
}

/** Completes an upgrade that was killed between its last two steps; drops one that was killed before them. */
export async function finishUpgrade(layout: Layout, log: Log): Promise<void> {
  const upgraded = upgradedIn(layout)
  if (!existsSync(upgraded)) return
  // With the old data in place, another version may have written to them since.
  if (existsSync(layout.data)) {
    await rm(upgraded, { recursive: true, force: true })
    return
  }
  await rename(upgraded, layout.data)
  await flush(layout.folder)
  log.warn('completed an interrupted move of the database to another major version')
}

async function running(layout: Layout, deps: Deps): Promise<Server> {
  const server = (await findServer(layout, deps)) ?? (await launch(layout, deps))
  if (server) return server
  throw unavailable(`Another process uses ${layout.folder}: stop it and start again`)
}

/** A folder for the new data, without what an interrupted attempt left. */
async function emptyTarget(layout: Layout, deps: Deps): Promise<Layout> {
  const folder = join(layout.folder, 'upgrade')
  if (existsSync(folder)) {
    const before = await openFolder(folder)
    const left = await findServer(before, deps)
    if (left) await stopServer(before, left.pid, deps)
    await rm(folder, { recursive: true, force: true })
  }
  return openFolder(folder)
}

async function copyRows(source: Server, target: Server, { data }: Layout): Promise<void> {
  const snapshot = await openSnapshot(source.connection)
  try {
    const { migrations, tables } = snapshot
    await loadDatabase(target.connection, { migrations, replace: true }, async (load) => {
      for (const table of tables) {
        const counted = { rows: 0 }
        const stored = await load.table(table, counting(snapshot.read(table), counted))
        if (stored === counted.rows) continue
        throw unavailable(
          `${counted.rows} rows of ${table.name} in ${data} became ${stored}: the data were left as they are`,
        )
      }
      await load.sequences(await snapshot.sequences())
    })
  } finally {
    await snapshot.close().catch(() => {})
  }
}

/** Passes the rows on, and notes the number that the source says at the end. */
async function* counting(rows: AsyncGenerator<Buffer, number>, counted: { rows: number }): AsyncGenerator<Buffer> {
  counted.rows = yield* rows
}

async function unused(path: string, clock: Clock): Promise<string> {
  return existsSync(path) ? `${path}-${clock.now()}` : path
}

async function flush(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
