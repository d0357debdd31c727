import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { describe, expect, test } from 'vitest'
import { findBinaries } from './binaries.ts'
import { NOBODY, waysToRun } from './run-as.ts'
import {
  failureOf,
  folderWithData,
  isRoot,
  kill,
  layoutFor,
  query,
  serverFolder,
  start,
  startInChild,
} from './testing/servers.ts'

const OTHER_USER = 12_345

/** A command prefix that makes these programs fail, as `unshare` does in most containers. */
const where = (...forbidden: readonly string[]) => [
  ...['unshare', '--mount', 'sh', '-c'],
  `for name in ${forbidden.join(' ')}; do mount --bind /bin/false "$(command -v $name)" || exit; done; exec "$@"`,
  'sh',
]
const canForbid = spawnSync('unshare', [...where('unshare').slice(1), 'true']).status === 0

describe('the ways to run a server', () => {
  test('an ordinary user runs it directly', () => {
    expect(waysToRun({ uid: 1000, hasName: true }, 1000)).toEqual(['self'])
  })

  test('a user without a name uses a namespace for initdb', () => {
    expect(waysToRun({ uid: OTHER_USER, hasName: false }, undefined)).toEqual(['namespace', 'self'])
  })

  test('root prefers a namespace, and runs the data of nobody as nobody', () => {
    expect(waysToRun({ uid: 0, hasName: true }, undefined)).toEqual(['namespace', 'nobody', 'nobodyWithAccess'])
    expect(waysToRun({ uid: 0, hasName: true }, NOBODY)).toEqual(['nobody', 'nobodyWithAccess'])
  })
})

describe.runIf(isRoot)('a server started by root', () => {
  test('runs in a folder that only root may enter, with files owned by root', async () => {
    const folder = await serverFolder('home', 'plantroom', 'postgres')
    await mkdir(dirname(folder), { recursive: true })
    await chmod(dirname(dirname(folder)), 0o700)
    const server = await start(folder)
    expect(await query(server.connection, 'SELECT 1')).toEqual([1])
    expect((await stat(join(folder, 'data/PG_VERSION'))).uid).toBe(0)
    await server.stop()
  })

  test.runIf(isCampaign)('runs in a folder that only another user may enter', async () => {
    const folder = await serverFolder('home', 'plantroom', 'postgres')
    const home = dirname(dirname(folder))
    await mkdir(home, { recursive: true })
    await chown(home, OTHER_USER, OTHER_USER)
    await chmod(home, 0o700)
    const first = await start(folder)
    expect(await query(first.connection, 'SELECT 1')).toEqual([1])
    await first.stop()
    const second = await start(folder)
    expect((await stat(join(folder, 'data'))).uid).toBe(NOBODY)
    await second.stop()
  })

  test.runIf(isCampaign && canForbid)('runs as nobody without namespaces, even on data of root', async () => {
    const folder = await folderWithData()
    await chmod(dirname(folder), 0o711)
    await chmod(folder, 0o711)
    const parent = startInChild(folder, where('unshare'))
    const { connection, pid, failure } = await parent.report
    expect(failure).toBeUndefined()
    expect((await stat(`/proc/${pid}`)).uid).toBe(NOBODY)
    await query(connection, 'CREATE TABLE kept AS SELECT 42 AS value')
    await kill(parent.process)

    const attached = await start(folder)
    expect(attached.attached).toBe(true)
    await attached.stop()
    const later = await start(folder)
    expect((await stat(`/proc/${later.pid}`)).uid).toBe(NOBODY)
    expect(await query(later.connection, 'SELECT value FROM kept')).toEqual([42])
    await later.stop()
  })

  test.runIf(isCampaign && canForbid)('creates its data as nobody without namespaces', async () => {
    const folder = await serverFolder()
    await chmod(dirname(folder), 0o711)
    const { failure } = await startInChild(folder, where('unshare')).report
    expect(failure).toBeUndefined()
    expect((await stat(join(folder, 'data'))).uid).toBe(NOBODY)
  })

  test.runIf(canForbid)('is not started when it cannot reach its folder', async () => {
    const folder = await serverFolder()
    const { failure } = await startInChild(folder, where('unshare', 'setpriv')).report
    expect(failure).toMatch(/cannot run in .*: start Plantroom as an ordinary user, or choose a data folder/)
  })

  test('rejects data of another user', async () => {
    const folder = await serverFolder()
    await mkdir(join(folder, 'data'), { recursive: true })
    await writeFile(join(folder, 'data/PG_VERSION'), findBinaries().majorVersion)
    await chown(join(folder, 'data'), OTHER_USER, OTHER_USER)
    expect((await failureOf(folder)).message).toMatch(/belongs to user 12345 and Plantroom runs as user 0: start it as/)
  })

  test('rejects a socket folder that another user created', async () => {
    const folder = await serverFolder('deep-'.repeat(20), 'postgres')
    const { runtime } = await layoutFor(folder)
    await mkdir(runtime)
    await chown(runtime, OTHER_USER, OTHER_USER)
    expect((await failureOf(folder)).message).toMatch(/belongs to another user: remove it/)
  })
})

describe.runIf(isRoot)('a server started by another user', () => {
  test.each([
    ['with a name', NOBODY],
    ['without a name', OTHER_USER],
  ])('runs as a user %s', async (_, uid) => {
    const folder = await serverFolder()
    const before = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${uid}`, '--']
    const parent = startInChild(folder, before)
    const { connection, failure } = await parent.report
    expect(failure).toBeUndefined()
    expect(await query(connection, 'SELECT 1')).toEqual([1])
  })
})
