import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { createLog, keepRecentLines } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, onTestFinished, test } from 'vitest'
import { holderOf } from './holder.ts'
import { keepEmbeddedPostgres } from './keep-running.ts'
import { sendSignal } from './processes.ts'
import { layoutFor, livingProcesses, query, sharedFolder } from './testing/servers.ts'

async function keep(folder: string) {
  const recent = keepRecentLines(100, { write() {} })
  const log = createLog('test', 'error', recent.destination)
  const kept = await keepEmbeddedPostgres({ folder, clock: systemClock, log })
  onTestFinished(() => kept.stop())
  const layout = await layoutFor(folder)
  const pid = () => {
    const holder = holderOf(layout)
    return holder.kind === 'server' ? holder.pid : undefined
  }
  return { kept, pid, lines: recent.lines }
}

describe('a server that is kept running', () => {
  test('is started again with its data when it is killed, and stays stopped when it is stopped', async () => {
    const folder = await sharedFolder()
    const { kept, pid } = await keep(folder)
    await query(kept.connection, 'CREATE TABLE kept_row AS SELECT 42 AS value')
    for (const restarts of [1, 2]) {
      sendSignal(pid() ?? 0, 'SIGKILL')
      await eventually(() => expect(kept.restarts).toBe(restarts))
      expect(await query(kept.connection, 'SELECT value FROM kept_row')).toEqual([42])
    }
    await query(kept.connection, 'DROP TABLE kept_row')
    await kept.stop()
    expect(await livingProcesses(folder)).toEqual([])
  })

  test('can be stopped while it is being started again', async () => {
    const folder = await sharedFolder()
    const { kept, pid } = await keep(folder)
    const first = pid() ?? 0
    sendSignal(first, 'SIGKILL')
    await eventually(() => expect(pid()).not.toBe(first))
    await kept.stop()
    expect(await livingProcesses(folder)).toEqual([])
  })

  test('is tried again when it does not start', async () => {
    const folder = await sharedFolder()
    const { kept, pid, lines } = await keep(folder)
    const settings = join(folder, 'data', 'postgresql.conf')
    const good = await readFile(settings, 'utf8')
    onTestFinished(() => writeFile(settings, good))
    await writeFile(settings, 'shared_buffers = lots\n')
    sendSignal(pid() ?? 0, 'SIGKILL')
    await eventually(() => expect(lines().join('\n')).toMatch(/does not start .*shared_buffers.*trying again in 2 s/s))
    await writeFile(settings, good)
    await eventually(() => expect(kept.restarts).toBe(1))
    expect(await query(kept.connection, 'SELECT 1')).toEqual([1])
  })
})
