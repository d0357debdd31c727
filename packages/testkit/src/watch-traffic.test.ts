import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { sleep, systemClock } from '@plantroom/base/clock'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from './eventually.ts'
import { createManualClock } from './manual-clock.ts'
import { watchTraffic } from './watch-traffic.ts'

/** A connection whose server reads nothing until it is resumed. */
async function start() {
  const traffic = watchTraffic()
  onTestFinished(() => traffic.stop())
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const accepted = once(server, 'connection')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  const isOpening = !traffic.hasArrived()
  const [socket]: Socket[] = await accepted
  if (!socket) throw new Error('no connection')
  onTestFinished(() => void socket.destroy())
  await eventually(() => expect(traffic.hasArrived()).toBe(true))
  return { traffic, client, socket, isOpening }
}

test('nothing has arrived before the connection is open', async () => {
  expect((await start()).isOpening).toBe(true)
})

test('bytes have arrived once the other end has read them', async () => {
  const { traffic, client, socket } = await start()
  client.write('request')
  expect(traffic.hasArrived()).toBe(false)
  socket.resume()
  await eventually(() => expect(traffic.hasArrived()).toBe(true))
  client.pause()
  socket.write('answer')
  expect(traffic.hasArrived()).toBe(false)
})

test('the end of a connection has arrived once both ends are closed', async () => {
  const { traffic, client, socket } = await start()
  client.destroy()
  expect(traffic.hasArrived()).toBe(false)
  socket.resume()
  await eventually(() => expect(traffic.hasArrived()).toBe(true))
})

test('a clock that waits for the traffic fires no timer while bytes are on their way', async () => {
  const { traffic, client, socket } = await start()
  const clock = createManualClock(undefined, traffic.settled)
  let isFired = false
  clock.after(1000, () => {
    isFired = true
  })
  client.write('request')
  const advancing = clock.advance(1000)
  await sleep(systemClock, 50)
  expect(isFired).toBe(false)
  socket.resume()
  await advancing
  expect(isFired).toBe(true)
})
