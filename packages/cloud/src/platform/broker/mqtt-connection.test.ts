import { once } from 'node:events'
import { createServer } from 'node:net'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { generate, parser } from 'mqtt-packet'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openMqttBus } from './mqtt-bus.ts'
import { openMqttConnection } from './mqtt-connection.ts'
import { startMosquitto, withoutMosquitto } from './testing/mosquitto.ts'

/** A broker that accepts every login. `cut` ends the latest connection. */
async function start() {
  const clock = createManualClock()
  const logged: string[] = []
  let [connects, cut] = [0, () => {}]
  const server = createServer((socket) => {
    socket.on('error', () => {})
    const packets = parser()
    packets.on('packet', ({ cmd }) => {
      if (cmd === 'connect') socket.write(generate({ cmd: 'connack', returnCode: 0, sessionPresent: false }))
    })
    socket.on('data', (data) => void packets.parse(data))
    cut = () => void socket.destroy()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const connection = await openMqttConnection({
    url: `mqtt://127.0.0.1:${(server.address() as { port: number }).port}`,
    clientId: 'cloud_1',
    clock,
    log: createLog('test', 'error', { write: (line) => void logged.push(line) }),
    prepare: async () => {},
    up() {
      connects += 1
    },
    lost() {},
    message() {},
  })
  onTestFinished(() => connection.close())
  /** Ends the connection after it has lasted for `ms`, and waits for the next one. */
  async function loseAfter(ms: number): Promise<void> {
    const before = connects
    await clock.advance(ms)
    cut()
    await eventually(() => expect(connection.isListening).toBe(false))
    // No further than until it reconnects: the next connection would otherwise have lasted for the rest.
    await clock.advanceToNext()
    await eventually(() => expect(connects).toBe(before + 1))
  }
  return { clock, logged, connection, loseAfter }
}

describe('a connection that the broker ends soon after every connect', () => {
  test('is said to be evicted after three times, with the remedy, until one lasts', async () => {
    const { clock, logged, connection, loseAfter } = await start()
    for (const _time of [1, 2]) await loseAfter(1_000)
    expect([connection.isEvicted, logged]).toEqual([false, []])
    for (const _time of [3, 4]) await loseAfter(1_000)
    expect(connection.isEvicted).toBe(true)
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('use_username_as_clientid')
    await clock.advance(10_000)
    expect(connection.isEvicted).toBe(false)
  })

  test('is not evicted when the broker is only restarted now and then', async () => {
    const { logged, connection, loseAfter } = await start()
    for (const lasted of [1_000, 1_000, 20_000, 1_000, 1_000]) await loseAfter(lasted)
    expect([connection.isEvicted, logged]).toEqual([false, []])
  })
})

describe.skipIf(withoutMosquitto)('a listener where all connections of a user are one client', () => {
  test('cannot be used by the cloud, which names the setting', async () => {
    const { cloudUrl } = await startMosquitto({ settings: ['use_username_as_clientid true'] })
    const log = createLog('test', 'silent')
    const opened = openMqttBus({ url: cloudUrl, cloudId: 'cloud_1', batchGroup: 'batches', clock: systemClock, log })
    await expect(opened).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('use_username_as_clientid'),
    })
  })
})
