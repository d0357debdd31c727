import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, test } from 'vitest'
import { createServer } from './server.ts'

describe('a server that closes', () => {
  test('answers what it has taken, and then waits for no other request on that connection', async () => {
    const app = createServer({ tls: undefined, log: createLog('test', 'silent') })
    const { promise: ready, resolve: answer } = Promise.withResolvers<void>()
    let asked = false
    app.get('/slow', async () => {
      asked = true
      await ready
      return { done: true }
    })
    const base = await app.listen({ host: '127.0.0.1', port: 0 })
    const answered = fetch(`${base}/slow`)
    await eventually(() => expect(asked).toBe(true))
    let closed = false
    const closing = app.close().then(() => {
      closed = true
    })
    answer()
    expect(await (await answered).json()).toEqual({ done: true })
    await eventually(() => expect(closed).toBe(true), 5_000)
    await closing
  })
})
