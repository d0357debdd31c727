import { once } from 'node:events'
import { connect } from 'node:net'
import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock, type ManualClock } from '@plantroom/testkit/manual-clock'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type LiveBuilding, startBuilding } from '../building/live-building.ts'
import { type MqttServer, startMqttServer } from './server.ts'

let clock: ManualClock
let building: LiveBuilding
let server: MqttServer
let clients: MqttClient[]

const start = (port = 0) =>
  startMqttServer({ host: '127.0.0.1', port, building, faults: {}, clock, log: createLog('test', 'silent') })

beforeEach(async () => {
  clock = createManualClock()
  clients = []
  building = startBuilding({ clock, seed: 1 })
  server = await start()
})

afterEach(async () => {
  for (const client of clients) await client.endAsync(true)
  building.stop()
  await server.stop()
})

interface Heard {
  client: MqttClient
  /** The last payload on each topic. */
  last: Map<string, string>
  /** All payloads on a topic. */
  all(topic: string): string[]
  retained: Set<string>
}

/** Connects a client and waits for all retained messages. */
async function listen(): Promise<Heard> {
  const client = await connectAsync(`mqtt://127.0.0.1:${server.port}`, { reconnectPeriod: 0 })
  clients.push(client)
  client.on('error', () => {})
  const heard: { topic: string; text: string }[] = []
  const last = new Map<string, string>()
  const retained = new Set<string>()
  client.on('message', (topic, payload, { retain }) => {
    heard.push({ topic, text: payload.toString() })
    last.set(topic, payload.toString())
    if (retain) retained.add(topic)
  })
  await client.subscribeAsync('hp/#', { qos: 1 })
  await eventually(() => expect(last.size).toBeGreaterThanOrEqual(8))
  return {
    client,
    last,
    retained,
    all: (topic) => heard.filter((each) => each.topic === topic).map(({ text }) => text),
  }
}

const flow = (value: number) => JSON.stringify({ value, unit: '°C' })

describe('the heat pump on MQTT', () => {
  test('is visible to every new client through its retained messages', async () => {
    const { last, retained } = await listen()
    expect(Object.fromEntries(last)).toEqual({
      'hp/status': 'online',
      'hp/flow': flow(35),
      'hp/flow/measured': flow(35),
      'hp/limit': '10',
      'hp/switch': 'ON',
      'hp/power': '3',
      'hp/room': flow(21),
      'hp/outdoor': flow(5),
    })
    expect(retained.size).toBe(8)
  })

  test.each<[string, string, 0 | 1]>([
    ['as JSON', '{"value":41.5}', 1],
    ['as plain text, without an acknowledgement', '41.5', 0],
  ])('accepts a command %s, publishes it immediately, and follows it', async (_name, payload, qos) => {
    const { client, last } = await listen()
    await client.publishAsync('hp/flow/set', payload, { qos })
    await eventually(() => expect(last.get('hp/flow')).toBe(flow(41.5)))
    expect(building.now().heatPump.setpointC).toBe(41.5)
    await clock.advance(120_000)
    await eventually(() => expect(JSON.parse(last.get('hp/flow/measured') ?? '').value).toBeGreaterThan(38))
  })

  test('accepts all of its commands', async () => {
    const { client, last } = await listen()
    await client.publishAsync('hp/limit/set', '2.5', { qos: 1 })
    await client.publishAsync('hp/switch/set', 'OFF', { qos: 1 })
    await eventually(() => expect([last.get('hp/limit'), last.get('hp/switch')]).toEqual(['2.5', 'OFF']))
  })

  test.each([
    ['of nothing', ''],
    ['out of range', '61'],
    ['in no language', '{"value":'],
    ['of a megabyte', `${' '.repeat(1_000_000)}40`],
  ])('ignores a command %s, and continues', async (_name, payload) => {
    const { client, last } = await listen()
    await client.publishAsync('hp/flow/set', payload, { qos: 1 })
    await client.publishAsync('hp/limit/set', '4', { qos: 1 })
    await eventually(() => expect(last.get('hp/limit')).toBe('4'))
    expect(last.get('hp/flow')).toBe(flow(35))
  })

  test('repeats all messages every second', async () => {
    const { all } = await listen()
    const before = all('hp/limit').length
    await clock.advance(3000)
    await eventually(() => expect(all('hp/limit')).toHaveLength(before + 3))
  })

  test('serves several clients at once', async () => {
    const [first, second] = [await listen(), await listen()]
    await first.client.publishAsync('hp/flow/set', '30', { qos: 1 })
    await eventually(() => expect(second.last.get('hp/flow')).toBe(flow(30)))
  })

  test('closes a connection that is not MQTT, and continues', async () => {
    const stranger = connect(server.port, '127.0.0.1')
    stranger.on('error', () => {})
    stranger.resume()
    const closed = once(stranger, 'close')
    stranger.write('GET / HTTP/1.1\r\n\r\n')
    await closed
    expect((await listen()).last.get('hp/status')).toBe('online')
  })

  test('publishes offline when it is stopped', async () => {
    const { client, last } = await listen()
    const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
    await server.stop()
    await closed
    expect(last.get('hp/status')).toBe('offline')
    server = await start(server.port)
    expect((await listen()).last.get('hp/status')).toBe('online')
  })

  test('does not start on a port that is in use', async () => {
    await expect(start(server.port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})

describe('a heat pump that misbehaves', () => {
  test('ignores commands', async () => {
    const { client, all } = await listen()
    server.misbehave({ 'ignore-commands': 1 })
    await client.publishAsync('hp/flow/set', '40', { qos: 1 })
    const before = all('hp/flow').length
    await clock.advance(1000)
    await eventually(() => expect(all('hp/flow').length).toBeGreaterThan(before))
    expect(new Set(all('hp/flow'))).toEqual(new Set([flow(35)]))
    expect(building.now().heatPump.setpointC).toBe(35)
  })

  test('neither publishes nor obeys, while the broker keeps its retained messages', async () => {
    const { client, all } = await listen()
    server.misbehave({ silent: 1 })
    const before = all('hp/room').length
    await client.publishAsync('hp/flow/set', '40', { qos: 1 })
    await clock.advance(5000)
    const late = await listen()
    expect(late.last.get('hp/status')).toBe('online')
    expect(late.last.get('hp/flow')).toBe(flow(35))
    expect(all('hp/room')).toHaveLength(before)
    server.misbehave({})
    await eventually(() => expect(all('hp/room').length).toBeGreaterThan(before))
    expect(building.now().heatPump.setpointC).toBe(35)
  })

  test('goes offline and online again, and publishes both', async () => {
    const { client, last, all } = await listen()
    server.misbehave({ offline: 1 })
    await eventually(() => expect(last.get('hp/status')).toBe('offline'))
    const before = all('hp/room').length
    await client.publishAsync('hp/flow/set', '40', { qos: 1 })
    await clock.advance(5000)
    expect((await listen()).last.get('hp/status')).toBe('offline')
    expect(all('hp/room')).toHaveLength(before)
    server.misbehave({})
    await eventually(() => expect(last.get('hp/status')).toBe('online'))
    await eventually(() => expect(all('hp/room').length).toBeGreaterThan(before))
  })

  test('publishes unreadable states, and then readable ones again', async () => {
    const { last, all } = await listen()
    const before = all('hp/flow').length
    server.misbehave({ garbage: 1 })
    await clock.advance(20_000)
    await eventually(() => expect(all('hp/flow').length).toBeGreaterThan(before + 19))
    const rubbish = all('hp/flow').slice(before)
    for (const text of rubbish) expect(valueIn(text)).not.toSatisfy(Number.isFinite)
    expect(new Set(rubbish).size).toBeGreaterThan(1)
    server.misbehave({})
    await eventually(() => expect(last.get('hp/flow')).toBe(flow(35)))
  })
})

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text)?.value
  } catch {
    return undefined
  }
}
