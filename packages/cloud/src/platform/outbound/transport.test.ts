import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import { BOUNDS, type Bounds, MAX_HEADER_BYTES, PLACES } from './bounds.ts'
import { createGuard } from './guard.ts'
import { createTransport, openPlaces } from './transport.ts'

const SMALL: Bounds = { answerBytes: 100, beyond: 'fail', idleMs: 1000, answerMs: 5000, totalMs: 9000 }

function openTransport() {
  const clock = createManualClock()
  const guard = createGuard({ privateNetworks: ['127.0.0.1'] })
  const transport = createTransport({ clock, places: openPlaces(), guard })
  const send = (url: URL, own: Partial<Parameters<typeof transport.send>[1]> = {}) =>
    transport.send(url, { method: 'GET', headers: {}, group: 'org_a', bounds: SMALL, ...own })
  return { clock, send }
}

async function startServer(listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

/** A server that says exactly these bytes to everything. */
async function startRaw(speak: (socket: Socket) => void): Promise<URL> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => speak(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

describe('a request to an address that a tenant entered', () => {
  test('ends when the answer is too long, and takes no more than that from the server', async () => {
    let closed = false
    const url = await startServer((_request, response) => {
      response.on('close', () => {
        closed = true
      })
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        response.once('drain', write)
      }
      write()
    })
    const { send } = openTransport()
    await expect(send(url)).rejects.toMatchObject({ code: 'EMSGSIZE', message: 'the answer has more than 100 bytes' })
    await eventually(() => expect(closed).toBe(true))
    const cut = await send(url, { bounds: { ...SMALL, beyond: 'cut' } })
    expect([cut.status, cut.body.length]).toEqual([200, 100])
  })

  test('takes an answer of exactly the bound', async () => {
    const url = await startServer((_request, response) => void response.end('x'.repeat(SMALL.answerBytes)))
    expect((await openTransport().send(url)).body.length).toBe(SMALL.answerBytes)
  })

  test('ends when the headers of the answer are too long', async () => {
    const long = 'x'.repeat(MAX_HEADER_BYTES)
    const url = await startRaw((socket) => socket.write(`HTTP/1.1 200 OK\r\nx-long: ${long}\r\n\r\n`))
    await expect(openTransport().send(url)).rejects.toMatchObject({ code: 'HPE_HEADER_OVERFLOW' })
  })

  test('asks for no compression, and never decompresses an answer', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000))
    const asked: (string | undefined)[] = []
    const url = await startServer((request, response) => {
      asked.push(request.headers['accept-encoding'])
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    })
    const { body } = await openTransport().send(url, { headers: { 'accept-encoding': 'gzip' } })
    expect([asked, body.equals(bomb)]).toEqual([['identity'], true])
  })

  test('follows no redirect', async () => {
    const asked: (string | undefined)[] = []
    const url = await startServer((request, response) => {
      asked.push(request.url)
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect([(await openTransport().send(url)).status, asked]).toEqual([302, ['/']])
  })

  test('ends when no byte moves for its idle time, and not before', async () => {
    const { clock, send } = openTransport()
    let got = 0
    const url = await startServer((request) => void request.on('data', (chunk: Buffer) => (got += chunk.length)))
    const body = new Readable({ read() {} })
    let ended: unknown
    const sending = send(url, { method: 'PUT', body }).catch((error: Error) => {
      ended = error
    })
    for (const count of [1, 2, 3]) {
      body.push('x')
      await eventually(() => expect(got).toBe(count))
      clock.advanceNow(SMALL.idleMs - 1)
    }
    expect(ended).toBeUndefined()
    clock.advanceNow(1)
    await sending
    expect(ended).toMatchObject({ code: 'ETIMEDOUT', message: 'no data within 1 s' })
    expect(body.destroyed).toBe(true)
  })

  test('ends when the answer takes too long, and when all of it does, however many bytes move', async () => {
    const { clock, send } = openTransport()
    const bounds = { ...SMALL, idleMs: 1_000_000 }
    const url = await startServer(() => {})
    const answered = send(url, { bounds }).catch((error: Error) => error)
    await eventually(() => expect(clock.waiting()).toContain(SMALL.answerMs))
    clock.advanceNow(SMALL.answerMs)
    expect(await answered).toMatchObject({ message: 'no answer within 5 s' })
    const body = new Readable({ read() {} })
    const sent = send(url, { method: 'PUT', body, bounds }).catch((error: Error) => error)
    await eventually(() => expect(clock.waiting()).toContain(SMALL.totalMs))
    clock.advanceNow(SMALL.totalMs)
    expect(await sent).toMatchObject({ message: 'no answer within 9 s' })
    expect(clock.waiting()).toEqual([])
  })

  test('ends with the reason of the caller', async () => {
    const { send } = openTransport()
    const url = await startServer(() => given.abort(new Error('the worker stops')))
    const given = new AbortController()
    await expect(send(url, { signal: given.signal })).rejects.toThrow('the worker stops')
  })

  test('never leaves for a private address', async () => {
    const places = openPlaces()
    const guard = createGuard({ privateNetworks: [], resolve: async () => ['127.0.0.1'] })
    const transport = createTransport({ clock: createManualClock(), places, guard })
    const outgoing = { method: 'GET', headers: {}, group: 'org_a', bounds: SMALL }
    await expect(transport.send(new URL('https://a.example/'), outgoing)).rejects.toThrow('a public address')
  })

  test('of one organization leaves places for others, and too many of it are refused', async () => {
    const { send } = openTransport()
    let hanging = 0
    const hangs = await startServer(() => {
      hanging += 1
    })
    const given = new AbortController()
    const most = PLACES.atOnce / 2 + PLACES.waitingPerOrganization
    const all = Array.from({ length: most }, () => send(hangs, { signal: given.signal }).catch(() => {}))
    await eventually(() => expect(hanging).toBe(PLACES.atOnce / 2))
    await expect(send(hangs)).rejects.toThrow('too many requests of this organization wait: try again')
    const works = await startServer((_request, response) => void response.end('hello'))
    expect((await send(works, { group: 'org_b' })).body.toString()).toBe('hello')
    expect(hanging).toBe(PLACES.atOnce / 2)
    given.abort(new Error('enough'))
    await Promise.all(all)
  })

  test('sends a body of any kind with its length', async () => {
    const got: string[] = []
    const url = await startServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      got.push(`${request.headers['content-length']} ${Buffer.concat(chunks).length}`)
      response.end()
    })
    const { send } = openTransport()
    for (const body of ['õ', Buffer.alloc(200_000)]) await send(url, { method: 'PUT', body })
    const headers = { 'content-length': '3' }
    await send(url, { method: 'PUT', headers, body: Readable.from([Buffer.from('abc')]) })
    expect(got).toEqual(['2 2', '200000 200000', '3 3'])
  })
})

test('every kind of request has bounds that fit together', () => {
  for (const { idleMs, answerMs, totalMs, answerBytes } of Object.values(BOUNDS)) {
    expect(answerBytes).toBeLessThanOrEqual(2 * 1024 * 1024)
    expect(idleMs).toBeLessThanOrEqual(answerMs)
    expect(answerMs).toBeLessThanOrEqual(totalMs)
  }
})

describe('a request that keeps its connection', () => {
  /** A server that counts connections. `speak` gets each request with its place on its connection. */
  async function startCounting(speak = (socket: Socket, _place: number) => void socket.write(ANSWER)) {
    let connections = 0
    const server = createTcpServer((socket) => {
      connections += 1
      let requests = 0
      socket.on('error', () => {})
      socket.on('data', () => {
        requests += 1
        speak(socket, requests)
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const url = new URL(`http://localhost:${(server.address() as AddressInfo).port}/`)
    return { url, connections: () => connections }
  }
  const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
  const KEPT = { keepsConnection: true }

  function openAt(addresses: string[]) {
    const guard = createGuard({ privateNetworks: ['127.0.0.0/8'], resolve: async () => addresses })
    const transport = createTransport({ clock: createManualClock(), places: openPlaces(), guard })
    return async (url: URL, own: Partial<Parameters<typeof transport.send>[1]>) =>
      (await transport.send(url, { method: 'GET', headers: {}, group: 'org_a', bounds: SMALL, ...own })).body.toString()
  }

  test('lets the next one use it, and no request that does not ask for that', async () => {
    const { url, connections } = await startCounting()
    const send = openAt(['127.0.0.1'])
    for (const _ of [1, 2, 3]) expect(await send(url, KEPT)).toBe('ok')
    expect(connections()).toBe(1)
    await send(url, {})
    expect(connections()).toBe(2)
  })

  test('has a new one when the name leads elsewhere by now', async () => {
    const { url, connections } = await startCounting()
    const addresses = ['127.0.0.1']
    const send = openAt(addresses)
    await send(url, KEPT)
    addresses.push('127.0.0.2')
    await send(url, KEPT)
    expect(connections()).toBe(2)
    addresses.splice(0, 2, '10.1.2.3')
    await expect(send(url, KEPT)).rejects.toThrow('a public address')
  })

  test('is sent again over a new one when the server closed the one that was kept', async () => {
    const { url, connections } = await startCounting((socket, place) => {
      if (place === 1) socket.write(ANSWER)
      else socket.destroy()
    })
    const send = openAt(['127.0.0.1'])
    expect([await send(url, KEPT), await send(url, KEPT), connections()]).toEqual(['ok', 'ok', 2])
  })

  test('is not sent again when a new connection fails', async () => {
    const { url, connections } = await startCounting((socket) => void socket.destroy())
    await expect(openAt(['127.0.0.1'])(url, KEPT)).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(connections()).toBe(1)
  })

  test('does not keep a connection whose answer was too long', async () => {
    const long = `HTTP/1.1 200 OK\r\ncontent-length: 200\r\n\r\n${'x'.repeat(200)}`
    const { url, connections } = await startCounting((socket) => void socket.write(long))
    const send = openAt(['127.0.0.1'])
    await expect(send(url, KEPT)).rejects.toMatchObject({ code: 'EMSGSIZE' })
    await expect(send(url, KEPT)).rejects.toMatchObject({ code: 'EMSGSIZE' })
    expect(connections()).toBe(2)
  })
})
