import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { generate, parser } from 'mqtt-packet'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { DeviceBus } from './device-bus.ts'
import { openMqttBus } from './mqtt-bus.ts'
import { joinAs, listenTo, type Message, OURS, secretOf } from './testing/devices.ts'
import { startBroker } from './testing/embedded.ts'
import { type Mosquitto, startMosquitto, withoutMosquitto } from './testing/mosquitto.ts'

const CLOUD_ID = 'cloud_1'
const command = (correlationId: string) => topics.command(OURS, 'any', CLOUD_ID, correlationId)

async function open(url: string, cloudId = CLOUD_ID): Promise<DeviceBus> {
  const bus = await openMqttBus({
    url,
    cloudId,
    batchGroup: 'batches',
    clock: systemClock,
    log: createLog('test', 'silent'),
  })
  onTestFinished(() => bus.close())
  return bus
}

/** A server that is not a broker. */
async function startServer(onSocket: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    onSocket(socket)
  })
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as { port: number }).port}`
}

async function failureOf(url: string, cloudId?: string): Promise<Failure> {
  const failure = await open(url, cloudId).catch((error) => error)
  expect(failure).toBeInstanceOf(Failure)
  expect(failure.kind).toBe('unavailable')
  return failure
}

describe('opening a bus', () => {
  test('fails with the address when nothing listens there', async () => {
    const { message } = await failureOf('mqtt://cloud:hidden@127.0.0.1:1')
    expect(message).toContain('the broker at MQTT_URL (127.0.0.1:1) cannot be used')
    expect(message).toContain('ECONNREFUSED')
    expect(message).not.toContain('hidden')
  })

  test('fails with the address when the server closes the connection', async () => {
    const address = await startServer((socket) => socket.destroy())
    const { message } = await failureOf(`mqtt://${address}`)
    expect(message).toContain(`the broker at MQTT_URL (${address}) cannot be used`)
    expect(message).toContain('is it an MQTT broker')
  })

  test('fails with the address when the server does not speak MQTT', async () => {
    const address = await startServer((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect((await failureOf(`mqtt://${address}`)).message).toContain(address)
  })

  test('fails with the reason when the password is wrong', async () => {
    const { url } = await startBroker()
    const { message } = await failureOf(url.replace('//', '//cloud:wrong@'))
    expect(message).toContain('Bad username or password')
  })

  test('fails with the reason when the subscriptions are refused', async () => {
    // The embedded broker lets a device subscribe only to its own commands.
    const { url } = await startBroker()
    const { message } = await failureOf(url.replace('//', `//${OURS}:${encodeURIComponent(secretOf(OURS))}@`), OURS)
    expect(message).toContain('subscriptions')
    expect(message).toContain('plantroom/#')
  })
})

describe('a broker that refuses a login it accepted before', () => {
  test('is retried until it accepts', async () => {
    let attempts = 0
    const address = await startServer((socket) => {
      let isUrgent = false
      const packets = parser()
      packets.on('packet', (packet) => {
        if (packet.cmd === 'connect') {
          isUrgent = packet.clientId === CLOUD_ID
          if (isUrgent) attempts += 1
          const returnCode = isUrgent && attempts === 2 ? 3 : 0
          socket.write(generate({ cmd: 'connack', returnCode, sessionPresent: false }))
        }
        if (packet.cmd !== 'subscribe') return
        const granted = packet.subscriptions.map(({ topic }) => (topic.startsWith('$share/') ? 128 : 0))
        socket.write(generate({ cmd: 'suback', messageId: packet.messageId ?? 0, granted }))
        cut = () => socket.end()
      })
      let cut = () => {}
      if (attempts === 0) first = () => cut()
      socket.on('data', (data) => void packets.parse(data))
    })
    let first = () => {}
    const clock = createManualClock()
    const bus = await openMqttBus({
      ...{ url: `mqtt://${address}`, cloudId: CLOUD_ID, batchGroup: 'batches', clock },
      log: createLog('test', 'silent'),
    })
    onTestFinished(() => bus.close())
    first()
    await eventually(() => expect(bus.connected).toBe(false))
    await eventually(async () => {
      await clock.advance(500)
      expect(attempts).toBeGreaterThan(2)
    })
    await eventually(() => expect(bus.connected).toBe(true))
  })
})

describe.skipIf(withoutMosquitto)('a status larger than a status', () => {
  test('is ignored and does not stay at the broker', async () => {
    const broker = await startMosquitto()
    const bus = await open(broker.cloudUrl)
    const heard: string[] = []
    bus.receive({ message: (_topic, payload) => heard.push(payload.toString()), lost() {} })
    const device = await joinAs(broker.url, OURS)
    await device.publishAsync(topics.status(OURS), 'x'.repeat(4097), { qos: 1, retain: true })
    // The empty message that removes it comes back.
    await eventually(() => expect(heard).toContain(''))
    expect(heard.filter((text) => text.startsWith('x'))).toEqual([])
  })
})

describe.skipIf(withoutMosquitto)('a broker that crashes', () => {
  interface Received {
    messages: Message[]
    lost: number
  }

  async function start(): Promise<{ broker: Mosquitto; bus: DeviceBus; received: Received }> {
    const broker = await startMosquitto()
    const bus = await open(broker.cloudUrl)
    const received: Received = { messages: [], lost: 0 }
    bus.receive({
      message: (topic, payload) => received.messages.push({ topic, text: payload.toString() }),
      lost: () => {
        received.lost += 1
      },
    })
    return { broker, bus, received }
  }

  test('is reported to the receiver, and the bus is disconnected', async () => {
    const { broker, bus, received } = await start()
    await broker.kill()
    await eventually(() => expect(received.lost).toBeGreaterThan(0))
    expect(bus.connected).toBe(false)
  })

  test('is used again after a restart, and devices are asked for their status', async () => {
    const { broker, bus, received } = await start()
    await broker.kill()
    await eventually(() => expect(bus.connected).toBe(false))
    await broker.start()
    const device = await joinAs(broker.url, OURS)
    device.on('message', (topic) => {
      if (topic === topics.hello()) device.publish(topics.status(OURS), 'here', { qos: 1, retain: true })
    })
    await eventually(() => expect(bus.connected).toBe(true))
    await eventually(() => expect(received.messages).toContainEqual({ topic: topics.status(OURS), text: 'here' }))
  })

  test('does not receive messages sent while it was down', async () => {
    const { broker, bus } = await start()
    await broker.kill()
    await eventually(() => expect(bus.connected).toBe(false))
    bus.send(OURS, command('1'), Buffer.from('too late'))
    await broker.start()
    const heard = listenTo(await joinAs(broker.url, OURS))
    await eventually(() => expect(bus.connected).toBe(true))
    bus.send(OURS, command('2'), Buffer.from('in time'))
    await eventually(() => expect(heard).toContainEqual({ topic: command('2'), text: 'in time' }))
    expect(heard.filter(({ topic }) => topic !== topics.hello())).toHaveLength(1)
  })

  test('does not delay closing the bus, whether it is down or frozen', async () => {
    const dead = await start()
    await dead.broker.kill()
    await eventually(() => expect(dead.bus.connected).toBe(false))
    await dead.bus.close()

    const hanging = await start()
    hanging.broker.freeze()
    await hanging.bus.close()
  })
})
