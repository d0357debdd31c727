import { chmod, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findBinaries } from './binaries.ts'
import { socketPath } from './layout.ts'
import {
  failureOf,
  folderWithData,
  isRoot,
  layoutFor,
  livingProcesses,
  query,
  serverFolder,
  sharedFolder,
  start,
  startInChild,
  temporaryFolder,
} from './testing/servers.ts'

describe('an embedded server', () => {
  test('is durable, uses UTF-8 on every machine and listens only on its socket', async () => {
    const server = await start(await sharedFolder())
    const settings = `SELECT name || '=' || setting FROM pg_settings WHERE name IN ('fsync', 'listen_addresses',
      'max_connections', 'unix_socket_permissions', 'server_encoding', 'TimeZone') ORDER BY lower(name)`
    expect(await query(server.connection, settings)).toEqual([
      'fsync=on',
      'listen_addresses=',
      'max_connections=100',
      'server_encoding=UTF8',
      'TimeZone=UTC',
      'unix_socket_permissions=0700',
    ])
    expect(await query(server.connection, 'SHOW shared_buffers')).toEqual(['32MB'])
    expect(await query(server.connection, `SELECT upper('grüße')`)).toEqual(['GRÜßE'])
    const provider = 'SELECT datlocprovider::text || datlocale FROM pg_database WHERE datname = current_database()'
    expect(await query(server.connection, provider)).toEqual(['bC.UTF-8'])
    expect((await stat(server.connection.host)).mode & 0o777).toBe(0o700)
    await server.stop()
  })

  test('keeps its data after a stop, and leaves no process or socket', async () => {
    const folder = await sharedFolder()
    const first = await start(folder)
    expect(first.attached).toBe(false)
    await query(first.connection, 'CREATE TABLE kept AS SELECT 42 AS value')
    await first.stop()
    await first.stop()
    expect(await livingProcesses(folder)).toEqual([])
    expect(await readdir(first.connection.host)).toEqual(['lib'])

    const second = await start(folder)
    expect(second.attached).toBe(false)
    expect(await query(second.connection, 'SELECT value FROM kept')).toEqual([42])
    await second.stop()
  })

  test('logs to one file per weekday, without user input', async () => {
    const folder = await sharedFolder()
    const server = await start(folder)
    await query(server.connection, `CREATE TABLE person (name text PRIMARY KEY)`)
    await query(server.connection, `INSERT INTO person VALUES ('Ada')`)
    await expect(query(server.connection, `INSERT INTO person VALUES ('Ada')`)).rejects.toThrow('duplicate key')
    await server.stop()
    const [name = '', ...others] = await readdir(join(folder, 'data/log'))
    expect(others).toEqual([])
    expect(name).toMatch(/^server-(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\.log$/)
    const log = await readFile(join(folder, 'data/log', name), 'utf8')
    expect(log).toContain('duplicate key value')
    expect(log).not.toContain('Ada')
  })

  test.each([
    ['is very long and contains a colon', ['deep-'.repeat(20), 'a:b', 'deeper-'.repeat(20)]],
    ['contains spaces, a comma, quotes and non-ASCII letters', [`a b, "c" 'd' ü –`]],
  ])('runs when the path of the folder %s', async (_, path) => {
    const folder = await folderWithData(...path)
    const server = await start(folder)
    expect(await query(server.connection, 'SHOW data_directory')).toEqual([join(folder, 'data')])
    expect(Buffer.byteLength(socketPath(server.connection))).toBeLessThanOrEqual(107)
    await server.stop()
  })

  test('finds its libraries without changing the installed package', async () => {
    const packaged = join(findBinaries().packageFolder, 'native/lib')
    const before = await stat(packaged)
    const server = await start(await sharedFolder())
    expect(await readlink(join(server.connection.host, 'lib/libicuuc.so.60'))).toBe(`${packaged}/libicuuc.so.60.2`)
    expect((await stat(packaged)).ctimeMs).toBe(before.ctimeMs)
    await server.stop()
  })
})

describe('a start fails with a remedy', () => {
  test('on data of another major version, which it does not change', async () => {
    const folder = await serverFolder()
    await mkdir(join(folder, 'data'), { recursive: true })
    await writeFile(join(folder, 'data/PG_VERSION'), '17\n')
    const { kind, message } = await failureOf(folder)
    expect(kind).toBe('unavailable')
    expect(message).toMatch(/created by PostgreSQL 17, but this Plantroom includes PostgreSQL 18 and .*backup/)
    expect(await readdir(folder, { recursive: true })).toEqual(['data', 'data/PG_VERSION'])
  })

  test('on other data', async () => {
    const folder = await serverFolder()
    await mkdir(join(folder, 'data'), { recursive: true })
    await writeFile(join(folder, 'data/holiday.jpg'), '')
    expect((await failureOf(folder)).message).toMatch(/data does not contain PostgreSQL data .*move it away/)
  })

  test('on a file in place of the folder, or above it', async () => {
    const file = join(await temporaryFolder(), 'file')
    await writeFile(file, '')
    expect((await failureOf(file)).message).toMatch(/file is not a folder: /)
    expect((await failureOf(join(file, 'postgres'))).message).toMatch(/postgres is not a folder: /)
  })

  test('on a folder that cannot be written', async () => {
    const folder = await temporaryFolder()
    await chmod(folder, 0o500)
    // Root may write everywhere, except in a user namespace.
    const before = isRoot ? ['unshare', '--user', '--map-user=65534', '--map-group=65534'] : []
    const { failure } = await startInChild(folder, before).report
    expect(failure).toMatch(/cannot be written \(EACCES.*\): give it to the user who runs Plantroom/)
  })

  test('on a socket folder that is not a folder of ours', async () => {
    const folder = await serverFolder('deep-'.repeat(20), 'postgres')
    const { runtime } = await layoutFor(folder)
    await symlink(await temporaryFolder(), runtime)
    expect((await failureOf(folder)).message).toMatch(/belongs to another user: remove it/)
  })

  test('with the error in the configuration, and leaves no process', async () => {
    const folder = await folderWithData()
    await writeFile(join(folder, 'data/postgresql.conf'), 'nonsense = 1\n')
    const { kind, message } = await failureOf(folder)
    expect(kind).toBe('unavailable')
    expect(message).toMatch(/does not start \(unrecognized configuration parameter "nonsense" in file/)
    expect(message).not.toContain('\n')
    expect(await livingProcesses(folder)).toEqual([])
  })

  test('with the error in the data, and leaves no process', async () => {
    const folder = await folderWithData()
    const control = join(folder, 'data/global/pg_control')
    const bytes = await readFile(control)
    await writeFile(control, bytes.fill(0x55, 0, 64))
    expect((await failureOf(folder)).message).toMatch(/does not start \(.*(pg_control|incompatible|checksum|control)/)
    expect(await livingProcesses(folder)).toEqual([])
  })
})
