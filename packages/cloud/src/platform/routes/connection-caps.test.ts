import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { eventually } from '@plantroom/testkit/eventually'
import { expect, onTestFinished, test } from 'vitest'
import { type ConnectionCaps, capConnections, reportEachMinute } from './connection-caps.ts'

async function start(caps: ConnectionCaps) {
  const accepted: Socket[] = []
  const refused: string[] = []
  const server = createServer((socket) => {
    accepted.push(socket)
    socket.on('error', () => {})
    socket.write('hello')
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
  return { open, refused }
}

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
