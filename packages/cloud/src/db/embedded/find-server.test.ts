import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { describe, expect, test } from 'vitest'
import { awaitEmbeddedPostgres } from './find-server.ts'
import { livingProcesses, query, serverFolder, start } from './testing/servers.ts'

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
})
