import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { systemClock } from '@plantroom/base/clock'
import type { FleetSimulation } from '@plantroom/contract/fleet-simulation'
import { parseDeviceStatus } from '@plantroom/contract/presence'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { Aedes, type PublishPacket } from 'aedes'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startFleet } from './fleet.ts'

const SECRET = 'secret'

/** A broker that accepts one secret, the statuses retained there, and everything that was published. */
async function startBroker() {
  const broker = await Aedes.createBroker()
  const sockets: Socket[] = []
  const published: { topic: string; text: string }[] = []
  broker.authenticate = (client, username, password, done) =>
    done(null, username === client.id && String(password) === SECRET)
  broker.on('publish', (packet: PublishPacket) => {
    if (packet.topic.startsWith('plantroom/')) published.push({ topic: packet.topic, text: String(packet.payload) })
  })
  const server = createServer((socket) => {
    sockets.push(socket)
    broker.handle(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
    broker.close()
  })
  const send = (topic: string, payload: string | object = '') =>
    broker.publish(
      {
        ...{ cmd: 'publish', topic, qos: 0, retain: false, dup: false },
        payload: Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)),
      },
      () => {},
    )
  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sockets,
    send,
    textsOf: (topic: string) => published.filter((packet) => packet.topic === topic).map(({ text }) => text),
    published,
  }
}

function start(url: string, about: Partial<FleetSimulation> = {}) {
  const ids = { id: 'ts_1', connectionId: 'con_1', datapointIds: ['dp_1'] }
  const device = (id: string) => ({ id, secret: SECRET, silent: false, system: ids })
  const fleet = startFleet(
    {
      ...{ url, devices: [device('dev_1'), device('dev_2')], datapoints: [], intervalMs: 3_600_000 },
      ...{ aligned: true, batch: 1, backlog: 1, connectRate: 1_000 },
      ...about,
    },
    { clock: systemClock },
  )
  onTestFinished(() => fleet.close())
  return fleet
}

const online = (texts: readonly string[]) => texts.map((text) => parseDeviceStatus(text)?.online)

describe('a fleet of imitated controllers', () => {
  test('announces each controller, again when a cloud process asks, and its end', async () => {
    const broker = await startBroker()
    const fleet = start(broker.url)
    await eventually(() => expect(fleet.status()).toMatchObject({ devices: 2, connected: 2 }))
    const status = topics.status('dev_1')
    await eventually(() => expect(online(broker.textsOf(status))).toEqual([true]))
    broker.send(topics.hello())
    await eventually(() => expect(online(broker.textsOf(status))).toEqual([true, true]))
    await fleet.close()
    // The broker acknowledges a message before it reports it here.
    await eventually(() => expect(online(broker.textsOf(status))).toEqual([true, true, false]))
    expect(fleet.status()).toMatchObject({ connected: 0, lost: 0 })
  })

  test('leaves a last will where a connection breaks, connects again under a new link and repeats its batch', async () => {
    const broker = await startBroker()
    const fleet = start(broker.url)
    await eventually(() => expect(broker.textsOf(topics.measurements('dev_1'))).toHaveLength(1))
    for (const socket of broker.sockets) socket.destroy()
    await eventually(() => expect(online(broker.textsOf(topics.status('dev_1')))).toEqual([true, false, true]))
    const links = broker.textsOf(topics.status('dev_1')).map((text) => parseDeviceStatus(text)?.link)
    expect(links[0]).toBe(links[1])
    expect(links[2]).not.toBe(links[0])
    await eventually(() => expect(broker.textsOf(topics.measurements('dev_1'))).toHaveLength(2))
    const [first, again] = broker.textsOf(topics.measurements('dev_1'))
    expect(again).toBe(first)
    await eventually(() => expect(fleet.status()).toMatchObject({ sent: 2, resent: 2, lost: 2 }))
  })

  test('sends what it has stored, one batch after the other is confirmed', async () => {
    const broker = await startBroker()
    const fleet = start(broker.url, { backlog: 3 })
    const batches = () => broker.textsOf(topics.measurements('dev_1')).map((text) => JSON.parse(text).upTo)
    for (const count of [1, 2, 3]) {
      await eventually(() => expect(batches()).toHaveLength(count))
      broker.send(topics.confirm('dev_1', 'measurements', batches().at(-1)))
    }
    await eventually(() => expect(fleet.status()).toMatchObject({ confirmed: 3, confirmedValues: 3, resent: 0 }))
    expect(fleet.confirmed()).toEqual([{ id: 'dev_1', from: batches()[0], to: batches()[2] }])
  })

  test('answers commands, except for those to silent controllers', async () => {
    const broker = await startBroker()
    const [loud, silent] = ['dev_1', 'dev_2']
    const devices = [loud, silent].map((id) => ({ id, secret: SECRET, silent: id === silent }))
    const fleet = start(broker.url, { devices })
    await eventually(() => expect(fleet.status().connected).toBe(2))
    const envelope = { reqId: 'r', keyId: 'k', deadline: Number.MAX_SAFE_INTEGER, data: {} }
    for (const id of [silent, loud]) broker.send(topics.command(id, 'getControlState', 'cloud_1', '7'), envelope)
    await eventually(() => expect(broker.textsOf(topics.reply(loud, 'cloud_1', '7', 'ok'))).toHaveLength(1))
    broker.send(topics.command(loud, 'getTechnicalDataPoints', 'cloud_1', '8'), envelope)
    await eventually(() => expect(broker.textsOf(topics.reply(loud, 'cloud_1', '8', 'rejected'))).toHaveLength(1))
    expect(broker.published.filter(({ topic }) => topic.startsWith(`plantroom/${silent}/reply/`))).toEqual([])
    await eventually(() => expect(fleet.status().commands).toBe(3))
  })

  test('counts logins that the broker refuses, and tries again', async () => {
    const broker = await startBroker()
    const fleet = start(broker.url, { devices: [{ id: 'dev_1', secret: 'wrong', silent: false }] })
    await eventually(() => expect(fleet.status().refused).toBeGreaterThan(1))
    expect(fleet.status().connected).toBe(0)
  })

  test('begins no more connections in a second than allowed', async () => {
    const broker = await startBroker()
    const devices = Array.from({ length: 50 }, (_, index) => ({ id: `dev_${index}`, secret: SECRET, silent: false }))
    const startedAt = systemClock.monotonic()
    const fleet = start(broker.url, { devices, connectRate: 10 })
    await eventually(() => expect(fleet.status().connected).toBeGreaterThan(0))
    const seconds = Math.ceil((systemClock.monotonic() - startedAt) / 1000)
    expect(broker.sockets.length).toBeLessThanOrEqual(10 * (seconds + 1))
  })
})
