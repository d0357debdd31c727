import { EventEmitter, once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { eventually } from '@plantroom/testkit/eventually'
import { expect, onTestFinished, test } from 'vitest'
import { type ConnectionCaps, capConnections, reportEachMinute } from './connection-caps.ts'

/** Listens with a server that greets each connection, unless another is given. */
async function start(caps: ConnectionCaps, server: Server = createServer((socket) => socket.write('hello'))) {
  const accepted: Socket[] = []
  const refused: string[] = []
  server.prependListener('connection', (socket: Socket) => {
    accepted.push(socket)
    socket.on('error', () => {})
  })
  capConnections(server, caps, (address) => refused.push(address))
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of [...sockets, ...accepted]) socket.destroy()
    server.close()
  })
  /** Connects from an address of this machine and returns whether the server accepted it. */
  async function open(localAddress: string): Promise<{ accepted: boolean; close(): void }> {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    sockets.push(socket)
    socket.on('error', () => {})
    const accepted = await Promise.race([
      once(socket, 'data').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false)
    return { accepted, close: () => void socket.destroy() }
  }
  /** Connects and sends the beginning of a request. */
  function send(localAddress: string, text: string): Socket {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    sockets.push(socket)
    socket.on('error', () => {})
    socket.write(text)
    return socket
  }
  return { open, send, refused, accepted }
}

/** Answers every request, except those that the test keeps waiting. */
async function startHttp(caps: ConnectionCaps) {
  const urls: (string | undefined)[] = []
  const server = createHttpServer(({ url }, response) => {
    urls.push(url)
    if (url !== '/slow') response.end('hello')
  })
  return { urls, ...(await start(caps, server)) }
}
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const SLOW = REQUEST.replace('/', '/slow')
const HALF = 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '

test('one address cannot use up the connections of others', async () => {
  const { open, refused } = await start({ total: 10, perAddress: 2 })
  const first = await open('127.0.0.2')
  expect([first.accepted, (await open('127.0.0.2')).accepted, (await open('127.0.0.2')).accepted]).toEqual([
    true,
    true,
    false,
  ])
  expect(refused).toEqual(['127.0.0.2'])
  expect((await open('127.0.0.3')).accepted).toBe(true)
  first.close()
  await eventually(async () => expect((await open('127.0.0.2')).accepted).toBe(true))
})

test('a proxy on this machine may use all, but no more', async () => {
  const { open } = await start({ total: 4, perAddress: 1 })
  const results = []
  for (let count = 0; count < 5; count += 1) results.push((await open('127.0.0.1')).accepted)
  expect(results).toEqual([true, true, true, true, false])
})

test('connections that send no request make room for others, in their own network and in all', async () => {
  const { send, accepted, refused } = await startHttp({ total: 4, perAddress: 3 })
  const busy = send('127.0.0.2', SLOW)
  const silent = [send('127.0.0.2', ''), send('127.0.0.2', HALF)]
  await eventually(async () => expect(accepted).toHaveLength(3))
  // The network is full: the oldest of its own gives way.
  expect(String((await once(send('127.0.0.2', REQUEST), 'data'))[0])).toContain('200 OK')
  // All is full with the second of another network: the network with the most without a request gives way.
  expect(String((await once(send('127.0.0.3', REQUEST), 'data'))[0])).toContain('200 OK')
  expect(String((await once(send('127.0.0.4', REQUEST), 'data'))[0])).toContain('200 OK')
  await eventually(async () => expect(silent.filter(({ closed }) => closed)).toHaveLength(2))
  expect(busy.closed).toBe(false)
  expect(refused).toEqual([])
})

test('connections whose requests are not answered yet keep their place', async () => {
  const { send, urls, refused } = await startHttp({ total: 2, perAddress: 2 })
  send('127.0.0.2', SLOW)
  send('127.0.0.2', SLOW)
  await eventually(async () => expect(urls).toHaveLength(2))
  await once(send('127.0.0.3', REQUEST), 'close')
  await once(send('127.0.0.2', REQUEST), 'close')
  expect(refused).toEqual(['127.0.0.3', '127.0.0.2'])
})

test('a connection that waits for no answer is closed, and gets none for what it sent beyond', async () => {
  const { send, urls, refused } = await startHttp({ total: 2, perAddress: 2 })
  const patient = send('127.0.0.2', REQUEST.repeat(10))
  let answers = ''
  patient.on('data', (text) => {
    answers += String(text)
  })
  await eventually(async () => expect(answers.split('200 OK')).toHaveLength(11))

  await once(send('127.0.0.3', SLOW.repeat(1_000)), 'close')
  expect(urls.filter((url) => url === '/slow')).toHaveLength(10)
  expect([refused, patient.closed]).toEqual([['127.0.0.3'], false])
})

test('addresses of one IPv6 network count together', () => {
  const server = new EventEmitter() as unknown as Server
  const refused: string[] = []
  capConnections(server, { total: 10, perAddress: 2 }, (network) => refused.push(network))
  for (const [index, remoteAddress] of ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1'].entries()) {
    const socket = Object.assign(new EventEmitter(), { remoteAddress, remotePort: index, destroy: () => {} })
    server.emit('connection', socket as unknown as Socket)
  }
  expect(refused).toEqual(['2001:db8:0:0::/64'])
})

test('refusals are reported at most once a minute, with their number', () => {
  let now = 0
  const reports: unknown[] = []
  const report = reportEachMinute(
    () => now,
    (...report) => reports.push(report),
  )
  report('a')
  report('a')
  now = 60_000
  report('b')
  expect(reports).toEqual([
    ['a', 1],
    ['b', 2],
  ])
})
