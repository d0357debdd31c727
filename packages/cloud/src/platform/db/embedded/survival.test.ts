import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { sleep, systemClock } from '@plantroom/base/clock'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { afterEach, describe, expect, test } from 'vitest'
import { assignFolders, dataOwner } from './folders.ts'
import { connectionIn, socketPath } from './layout.ts'
import { sendSignal, until } from './processes.ts'
import { chooseWayToRun, commandFor } from './run-as.ts'
import {
  connect,
  failureOf,
  kill,
  layoutFor,
  livingProcesses,
  query,
  serverFolder,
  sharedFolder,
  start,
  startInChild,
} from './testing/servers.ts'

const bystanders: ChildProcess[] = []
afterEach(() => {
  for (const bystander of bystanders.splice(0)) bystander.kill()
})

async function bystander(): Promise<number> {
  const child = spawn('sleep', ['60'])
  bystanders.push(child)
  await once(child, 'spawn')
  return child.pid ?? 0
}

const processesGone = (folder: string) =>
  expect.poll(() => livingProcesses(folder), { timeout: 10_000, interval: 10 }).toEqual([])

describe('after the process that started the server is killed', () => {
  test('the next start takes over the server with its data, and can stop it', async () => {
    const folder = await sharedFolder()
    const parent = startInChild(folder)
    const first = await parent.report
    await query(first.connection, 'CREATE TABLE kept AS SELECT 42 AS value')
    await kill(parent.process)

    const second = await start(folder)
    expect(second).toMatchObject({ attached: true, pid: first.pid, connection: first.connection })
    expect(await query(second.connection, 'SELECT value FROM kept')).toEqual([42])
    await second.stop()
    expect(await livingProcesses(folder)).toEqual([])
    const third = await start(folder)
    expect(third.attached).toBe(false)
    await third.stop()
  })

  test.runIf(isCampaign)('during initdb, the next start creates the data again', async () => {
    const folder = await serverFolder()
    const parent = startInChild(folder)
    parent.report.catch(() => {})
    const isIncomplete = () =>
      existsSync(folder) &&
      readdirSync(folder).some((name) => name.startsWith('data.new-') && existsSync(join(folder, name, 'base/1')))
    expect(await until(isIncomplete, 20_000, systemClock)).toBe(true)
    await kill(parent.process)
    expect(existsSync(join(folder, 'data'))).toBe(false)

    const server = await start(folder)
    expect(server.attached).toBe(false)
    expect(await query(server.connection, 'SELECT 1')).toEqual([1])
    await server.stop()
    const again = await start(folder)
    await again.stop()
    expect((await readdir(folder)).sort()).toEqual(['data', 'launch', 'run', 'start.log'])
  })

  test('right after the server is spawned, the next start never creates a second one', async () => {
    const folder = await sharedFolder()
    const startLog = join(folder, 'start.log')
    await rm(startLog, { force: true })
    const parent = startInChild(folder)
    parent.report.catch(() => {})
    expect(await until(() => existsSync(startLog), 20_000, systemClock)).toBe(true)
    await kill(parent.process)
    const server = await start(folder)
    expect((await readFile(join(folder, 'data/postmaster.pid'), 'utf8')).split('\n')[0]).toBe(String(server.pid))
    await server.stop()
    await processesGone(folder)
  })

  test.runIf(isCampaign)('before its child has become the server, the next start waits for that server', async () => {
    const folder = await sharedFolder()
    const first = await start(folder)
    const commandLine = (await readFile(`/proc/${first.pid}/cmdline`, 'utf8')).split('\0').slice(0, -1)
    await first.stop()
    await startLate(folder, commandLine)
    const second = await start(folder)
    expect(second.attached).toBe(true)
    await second.stop()
    await processesGone(folder)
  })
})

/** Runs the server in a process that is another program for a moment, as every child is before its `exec`. */
async function startLate(folder: string, [program = '', ...args]: readonly string[]): Promise<void> {
  const layout = await layoutFor(folder)
  const way = await chooseWayToRun({ program, folder }, await dataOwner(layout))
  const command = commandFor(way, program, args, layout.libraries)
  const output = await open(layout.startLog, 'w')
  const child = spawn('sh', ['-c', 'sleep 0.5; exec "$@"', 'sh', command.program, ...command.args], {
    ...command.options,
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
  })
  await once(child, 'spawn')
  child.unref()
  await output.close()
}

test('Ctrl-C in the terminal reaches the process but not the server', async () => {
  const folder = await sharedFolder()
  const parent = startInChild(folder)
  const { connection } = await parent.report
  const gone = once(parent.process, 'exit')
  process.kill(-(parent.process.pid ?? 0), 'SIGINT')
  await gone
  await sleep(systemClock, 200)
  expect(await query(connection, 'SELECT 1')).toEqual([1])
})

test('concurrent starts lead to one server', async () => {
  const folder = await serverFolder()
  const reports = await Promise.all([startInChild(folder).report, startInChild(folder).report, start(folder)])
  expect(new Set(reports.map(({ pid }) => pid)).size).toBe(1)
  expect(reports.map(({ attached }) => attached).sort()).toEqual([false, true, true])
})

describe('after the server itself is killed', () => {
  test('the next start recovers committed data', async () => {
    const folder = await sharedFolder()
    const first = await start(folder)
    await query(first.connection, 'CREATE TABLE committed AS SELECT 42 AS value')
    sendSignal(first.pid, 'SIGKILL')
    const second = await start(folder)
    expect(second.attached).toBe(false)
    expect(await query(second.connection, 'SELECT value FROM committed')).toEqual([42])
    await second.stop()
  })

  test.runIf(isCampaign)('its pid is ignored when another process has it', async () => {
    const folder = await sharedFolder()
    const first = await start(folder)
    sendSignal(first.pid, 'SIGKILL')
    await processesGone(folder)
    const reused = String(await bystander())
    for (const path of [join(folder, 'data/postmaster.pid'), `${socketPath(first.connection)}.lock`]) {
      await writeFile(path, (await readFile(path, 'utf8')).replace(String(first.pid), reused))
    }
    const second = await start(folder)
    expect(second.attached).toBe(false)
    expect(String(second.pid)).not.toBe(reused)
    await second.stop()
    expect(() => process.kill(Number(reused), 0)).not.toThrow()
  })

  test.runIf(isCampaign)('the next start waits for a session that is still working', async () => {
    const folder = await sharedFolder()
    const first = await start(folder)
    const client = await connect(first.connection)
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const working = client.query(`DO $$ DECLARE until timestamptz := clock_timestamp() + interval '1 second';
      BEGIN WHILE clock_timestamp() < until LOOP END LOOP; END $$`)
    working.catch(() => {})
    await sleep(systemClock, 100)
    sendSignal(first.pid, 'SIGKILL')
    await sleep(systemClock, 100)
    expect(await livingProcesses(folder)).toContain(rows[0]?.pid)
    const second = await start(folder)
    expect(await livingProcesses(folder)).not.toContain(rows[0]?.pid)
    await second.stop()
  })
})

describe('a running server', () => {
  test('is restarted when it has lost its socket', async () => {
    const folder = await sharedFolder()
    const first = await start(folder)
    await rm(socketPath(first.connection))
    const second = await start(folder)
    expect(second.attached).toBe(false)
    expect(second.pid).not.toBe(first.pid)
    expect(await query(second.connection, 'SELECT 1')).toEqual([1])
    await second.stop()
  })

  test('in another container is detected by its socket and left alone', async () => {
    const folder = await serverFolder()
    const layout = await layoutFor(folder)
    await mkdir(folder)
    await assignFolders(layout, 'self')
    const other = createServer((socket) => socket.destroy())
    other.listen(socketPath(connectionIn(layout.runtime)))
    await once(other, 'listening')
    expect((await failureOf(folder)).message).toMatch(/outside this machine or container .*stop it/)
    expect(await livingProcesses(folder)).toEqual([])
    other.close()
  })
})
