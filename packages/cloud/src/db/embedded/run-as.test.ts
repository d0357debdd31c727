import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
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

const SOMEBODY = 12_345

/** In front of a command line: there, each of these programs fails, as `unshare` does in most containers. */
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

  test('a user without a name needs one for initdb', () => {
    expect(waysToRun({ uid: SOMEBODY, hasName: false }, undefined)).toEqual(['namespace', 'self'])
  })

  test('root keeps its files where it can, and those of nobody are run by nobody', () => {
    expect(waysToRun({ uid: 0, hasName: true }, undefined)).toEqual(['namespace', 'nobody', 'nobodyWithAccess'])
    expect(waysToRun({ uid: 0, hasName: true }, NOBODY)).toEqual(['nobody', 'nobodyWithAccess'])
  })
})

describe.runIf(isRoot)('started by root, the server', () => {
  test('runs below a folder that only root may enter, and its files stay those of root', async () => {
    const folder = await serverFolder('home', 'plantroom', 'postgres')
    await mkdir(dirname(folder), { recursive: true })
    await chmod(dirname(dirname(folder)), 0o700)
    const server = await start(folder)
    expect(await query(server.connection, 'SELECT 1')).toEqual([1])
    expect((await stat(join(folder, 'data/PG_VERSION'))).uid).toBe(0)
    await server.stop()
  })

  test('runs below a folder that only another user may enter', async () => {
    const folder = await serverFolder('home', 'plantroom', 'postgres')
    const home = dirname(dirname(folder))
    await mkdir(home, { recursive: true })
    await chown(home, SOMEBODY, SOMEBODY)
    await chmod(home, 0o700)
    const first = await start(folder)
    expect(await query(first.connection, 'SELECT 1')).toEqual([1])
    await first.stop()
    const second = await start(folder)
    expect((await stat(join(folder, 'data'))).uid).toBe(NOBODY)
    await second.stop()
  })

  test.runIf(canForbid)('runs as nobody where namespaces are forbidden, also on data of root', async () => {
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

  test.runIf(canForbid)('makes its data as nobody where namespaces are forbidden', async () => {
    const folder = await serverFolder()
    await chmod(dirname(folder), 0o711)
    const { failure } = await startInChild(folder, where('unshare')).report
    expect(failure).toBeUndefined()
    expect((await stat(join(folder, 'data'))).uid).toBe(NOBODY)
  })

  test.runIf(canForbid)('is not started where it could not reach its folder in any way', async () => {
    const folder = await serverFolder()
    const { failure } = await startInChild(folder, where('unshare', 'setpriv')).report
    expect(failure).toMatch(/cannot run in .*: start Plantroom as an ordinary user, or choose a data folder/)
  })

  test('refuses data of another user', async () => {
    const folder = await serverFolder()
    await mkdir(join(folder, 'data'), { recursive: true })
    await writeFile(join(folder, 'data/PG_VERSION'), findBinaries().majorVersion)
    await chown(join(folder, 'data'), SOMEBODY, SOMEBODY)
    expect((await failureOf(folder)).message).toMatch(/belongs to user 12345 and Plantroom runs as user 0: start it as/)
  })

  test('refuses a folder for its socket that another user made first', async () => {
    const folder = await serverFolder('deep-'.repeat(20), 'postgres')
    const { runtime } = await layoutFor(folder)
    await mkdir(runtime)
    await chown(runtime, SOMEBODY, SOMEBODY)
    expect((await failureOf(folder)).message).toMatch(/belongs to somebody else: remove it/)
  })
})

describe.runIf(isRoot)('started by another user, the server', () => {
  test.each([
    ['with a name', NOBODY],
    ['without a name', SOMEBODY],
  ])('runs as a user %s', async (_, uid) => {
    const folder = await serverFolder()
    const before = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${uid}`, '--']
    const parent = startInChild(folder, before)
    const { connection, failure } = await parent.report
    expect(failure).toBeUndefined()
    expect(await query(connection, 'SELECT 1')).toEqual([1])
  })
})
