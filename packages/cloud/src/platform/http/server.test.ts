import { type AddressInfo, connect } from 'node:net'
import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, test } from 'vitest'
import { createServer } from './server.ts'

describe('a closing server', () => {
  test('answers pending requests and does not wait for more on their connections', async () => {
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

  test('answers 503 to new requests on open connections', async () => {
    const app = createServer({ tls: undefined, log: createLog('test', 'silent') })
    const { promise: ready, resolve: answer } = Promise.withResolvers<void>()
    let asked = false
    let closing = false
    let requests = 0
    app.server.on('request', () => {
      requests += 1
    })
    app.addHook('preClose', async () => {
      closing = true
    })
    app.get('/slow', async () => {
      asked = true
      await ready
      return { done: true }
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString()
    })
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await eventually(() => expect(asked).toBe(true))
    const closed = app.close()
    await eventually(() => expect(closing).toBe(true))
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await eventually(() => expect(requests).toBe(2))
    answer()
    await eventually(() => expect(received).toContain('HTTP/1.1 503'))
    expect(JSON.parse(received.slice(received.lastIndexOf('{')))).toEqual({
      message: 'the service is shutting down: try again in a moment',
      code: 'UNAVAILABLE',
      reqId: expect.any(String),
    })
    socket.destroy()
    await closed
  })

  test('does not wait for a body after it has answered', async () => {
    const app = createServer({ tls: undefined, log: createLog('test', 'silent') })
    let closing = false
    app.addHook('preClose', async () => {
      closing = true
    })
    app.post('/refused', { onRequest: async (_request, reply) => reply.code(403).send() }, async () => undefined)
    await app.listen({ host: '127.0.0.1', port: 0 })
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString()
    })
    socket.write('POST /refused HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nha')
    await eventually(() => expect(received).toContain('HTTP/1.1 403'))
    let closed = false
    const done = app.close().then(() => {
      closed = true
    })
    await eventually(() => expect(closing).toBe(true))
    socket.write('lf')
    await eventually(() => expect(closed).toBe(true), 5_000)
    await done
  })
})

describe('a request that the database did not answer in time', () => {
  test('gets 503 and when to come back', async () => {
    const app = createServer({ tls: undefined, log: createLog('test', 'silent') })
    app.get('/slow', async () => {
      throw new Error('timeout exceeded when trying to connect')
    })
    const answer = await app.inject('/slow')
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
    expect(answer.json()).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('the database is busy'),
    })
    await app.close()
  })
})

describe('a connection', () => {
  test('has ten seconds for the headers of a request, checked every second', () => {
    const { server } = createServer({ tls: undefined, log: createLog('test', 'silent') })
    expect(server).toMatchObject({ headersTimeout: 10_000, connectionsCheckingInterval: 1_000 })
  })
})

describe('every answer', () => {
  test('says that it is not to be stored and what its type is, unless its route says otherwise', async () => {
    const app = createServer({ tls: undefined, log: createLog('test', 'silent') })
    app.get('/plain', async () => ({}))
    app.get('/kept', async (_request, reply) => reply.header('cache-control', 'public, max-age=60').send({}))
    app.get('/stream', (_request, reply) => void reply.hijack().raw.writeHead(200, { 'x-own': '1' }).end())
    const headersOf = async (url: string) => {
      const { headers } = await app.inject(url)
      return [headers['cache-control'], headers['x-content-type-options']]
    }
    for (const path of ['/plain', '/stream', '/missing']) expect(await headersOf(path)).toEqual(['no-store', 'nosniff'])
    expect(await headersOf('/kept')).toEqual(['public, max-age=60', 'nosniff'])
  })
})
