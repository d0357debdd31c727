import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { describe, expect, test } from 'vitest'
import { awaitEmbeddedPostgres } from './find-server.ts'
import { isRoot, livingProcesses, query, serverFolder, start } from './testing/servers.ts'

const log = createLog('test', 'silent')

describe('waiting for an embedded server', () => {
  test('starts no server, and ends when it is aborted', async () => {
    const folder = await serverFolder()
    const stop = new AbortController()
    const waiting = awaitEmbeddedPostgres({ folder, clock: systemClock, log, signal: stop.signal })
    expect(await livingProcesses(folder)).toEqual([])
    stop.abort()
    expect(await waiting).toBeUndefined()
    expect(await livingProcesses(folder)).toEqual([])
  })

  test('returns its address once another process has started it', async () => {
    const folder = await serverFolder()
    const { signal } = new AbortController()
    const waiting = awaitEmbeddedPostgres({ folder, clock: systemClock, log, signal })
    const server = await start(folder)
    const connection = await waiting
    expect(connection).toEqual(server.connection)
    expect(connection && (await query(connection, 'SELECT 1'))).toEqual([1])
    await server.stop()
  })

  // As with ProtectProc=invisible, if the cloud has a capability that the worker lacks.
  test.skipIf(!isRoot)('returns its address to a process that cannot see the server', async () => {
    const folder = await serverFolder()
    const server = await start(folder)
    const program = join(import.meta.dirname, 'testing/await-in-process.ts')
    const hidden = ['--pid', '--fork', '--kill-child', '--mount-proc', process.execPath, program, folder]
    const { stdout } = await promisify(execFile)('unshare', hidden, { timeout: 60_000 })
    expect(JSON.parse(stdout)).toEqual(server.connection)
    await server.stop()
  })
})
