import { connect } from 'node:net'
import { createLog } from '@plantroom/base/log'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startMetricsServer } from './server.ts'
import type { Figures } from './text.ts'

const log = createLog('edge', 'silent')

async function start(figures: () => Figures = () => ({ connections: [], journalFlushes: 7 })) {
  const server = await startMetricsServer({ host: '127.0.0.1', port: 0, figures, log })
  onTestFinished(() => server.close())
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init)
  return { server, ask }
}

describe('the metrics server', () => {
  test('serves the current figures', async () => {
    let journalFlushes = 1
    const { ask } = await start(() => ({ connections: [], journalFlushes }))
    const first = await ask('/metrics')
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(await first.text()).toContain('\nplantroom_edge_journal_flushes_total 1\n')
    journalFlushes = 2
    expect(await (await ask('/metrics?name=x')).text()).toContain('\nplantroom_edge_journal_flushes_total 2\n')
  })

  test('reports that the process is up', async () => {
    const { ask } = await start()
    const answer = await ask('/healthz')
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }])
  })

  test.each([
    ['GET', '/', 404],
    ['GET', '/metrics/', 404],
    ['GET', '/healthz/../etc/passwd', 404],
    ['POST', '/metrics', 405],
    ['DELETE', '/healthz', 405],
    ['HEAD', '/metrics', 200],
  ])('answers %s %s with %d', async (method, path, status) => {
    const { ask } = await start()
    expect((await ask(path, { method })).status).toBe(status)
  })

  test('answers 500 when a figure cannot be read, and recovers', async () => {
    let broken = true
    const { ask } = await start(() => {
      if (broken) throw new Error('disk I/O error')
      return { connections: [], journalFlushes: 7 }
    })
    const answer = await ask('/metrics')
    expect([answer.status, await answer.text()]).toEqual([500, 'the metrics could not be collected; see the log\n'])
    expect((await ask('/healthz')).status).toBe(200)
    broken = false
    expect((await ask('/metrics')).status).toBe(200)
  })

  test('rejects when it cannot listen', async () => {
    const { server } = await start()
    const { port } = server
    const again = startMetricsServer({ host: '127.0.0.1', port, figures: () => expect.unreachable(), log })
    await expect(again).rejects.toThrow('EADDRINUSE')
  })

  test('closes immediately, even with an unfinished request, and may be closed twice', async () => {
    const { server } = await start()
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => {})
    const closed = new Promise((resolve) => socket.on('close', resolve))
    await new Promise((resolve) => socket.write('GET /metrics HTTP/1.1\r\n', resolve))
    await server.close()
    await server.close()
    await closed
    await expect(fetch(`http://127.0.0.1:${server.port}/healthz`)).rejects.toThrow()
  })
})
