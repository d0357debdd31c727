import { connect } from 'node:net'
import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServer } from './server.ts'

async function serverWith(streamed: boolean) {
  const clock = createManualClock()
  const app = createServer({ tls: undefined, log: createLog('test', 'silent'), clock })
  const { promise: arrived, resolve } = Promise.withResolvers<void>()
  app.addHook('onRequest', async () => resolve())
  app.post('/', { config: { access: { by: 'anyone' }, streamed } }, async () => 'done')
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const address = app.server.address()
  const socket = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes
  })
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()).on('error', () => {}))
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{')
  await arrived
  return { clock, socket, closed, answer: () => text }
}

describe('a body that does not arrive', () => {
  test('ends the request after a minute', async () => {
    const { clock, closed, answer } = await serverWith(false)
    await clock.advance(60_000)
    await closed
    expect(answer()).toBe('')
  })

  test('can still arrive before that', async () => {
    const { clock, socket, answer } = await serverWith(false)
    await clock.advance(59_000)
    socket.write('}')
    await expect.poll(answer).toContain('200 OK')
  })

  test('has no deadline on a route that reads a stream', async () => {
    const { clock, socket, answer } = await serverWith(true)
    await clock.advance(3_600_000)
    socket.write('}')
    await expect.poll(answer).toContain('200 OK')
  })
})
