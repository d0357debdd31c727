import { MAX_MESSAGE_BYTES } from '@plantroom/contract/commands'
import type { Broadcast } from '@plantroom/contract/telemetry'
import type { DatapointValue } from '@plantroom/contract/values'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aDatapoint } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import { startBroadcasting } from './broadcast.ts'

const NOON = Date.UTC(2030, 0, 1, 12)
const ENTRY: DatapointValue = { value: 21.5, timestamp: '2030-01-01T12:00:00.000Z' }

type BroadcastPoint =
  ReturnType<Parameters<typeof startBroadcasting>[0]['live']['datapoints']> extends Iterable<infer P>
    ? P & { live: boolean }
    : never

function point(id: string, broadcastInterval: number, entry = ENTRY, live = true): BroadcastPoint {
  return { datapoint: aDatapoint({ id, broadcastInterval }), live, current: () => entry }
}

function broadcast(...points: BroadcastPoint[]) {
  const clock = createManualClock(NOON)
  const sent: { topic: string; payload: string; qos: number; at: number }[] = []
  const uplink = {
    connected: true,
    publish: (topic: string, payload: string, qos: 0 | 1) =>
      void sent.push({ topic, payload, qos, at: clock.now() - NOON }),
  }
  const broadcasting = startBroadcasting({ live: { datapoints: () => points }, uplink, deviceId: 'dev_1', clock })
  const values = () => sent.map(({ payload }) => (JSON.parse(payload) as Broadcast).values)
  const ids = () => sent.splice(0).map(({ at, payload }) => [at, ...Object.keys(JSON.parse(payload).values)].join(' '))
  return { clock, uplink, sent, broadcasting, values, ids }
}

describe('a broadcast', () => {
  test('is the live entry, with QoS 0, on the topic of the device', async () => {
    const { clock, sent, values } = broadcast(point('dp_1', 10))
    await clock.advance(10_000)
    expect(sent).toMatchObject([{ topic: 'plantroom/dev_1/broadcast', qos: 0, at: 10_000 }])
    expect(values()).toEqual([{ dp_1: ENTRY }])
  })

  test('has everything the values have: the hold, the error and the timestamp', async () => {
    const held: DatapointValue = { ...ENTRY, locked: true, lockedBy: 'demand-response' }
    const deviating: DatapointValue = { ...ENTRY, deviationActivated: true, deviationCachedValue: '9007199254740993' }
    const unread: DatapointValue = { value: null, timestamp: ENTRY.timestamp, error: 'timeout' }
    const { clock, values } = broadcast(
      point('held', 1, held),
      point('deviating', 1, deviating),
      point('unread', 1, unread),
      point('last-known', 1, ENTRY, false),
    )
    await clock.advance(1_000)
    expect(values()).toEqual([{ held, deviating, unread, 'last-known': ENTRY }])
  })

  test('is one message for everything due at the same time', async () => {
    const { clock, ids } = broadcast(point('a', 2), point('b', 3), point('c', 2), point('never', 0))
    await clock.advance(6_000)
    expect(ids()).toEqual(['2000 a c', '3000 b', '4000 a c', '6000 a c b'])
  })

  test('is skipped without an uplink and not made up for', async () => {
    const { clock, uplink, ids } = broadcast(point('a', 1))
    uplink.connected = false
    await clock.advance(60_000)
    uplink.connected = true
    expect(ids()).toEqual([])
    await clock.advance(1_000)
    expect(ids()).toEqual(['61000 a'])
  })

  test('of many values is split into several messages that are complete together', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => point(`dp_${index}`, 5))
    const { clock, sent, values } = broadcast(...many)
    await clock.advance(5_000)
    expect(sent.length).toBeGreaterThan(1)
    expect(Math.max(...sent.map(({ payload }) => Buffer.byteLength(payload)))).toBeLessThan(MAX_MESSAGE_BYTES / 8)
    expect(values().flatMap(Object.keys)).toEqual(many.map(({ datapoint }) => datapoint.id))
  })

  test('carries a single large entry', async () => {
    const large = { ...ENTRY, error: 'ü'.repeat(200_000) }
    const { clock, values } = broadcast(point('a', 1), point('large', 1, large), point('b', 1))
    await clock.advance(1_000)
    expect(values()).toEqual([{ a: ENTRY }, { large }, { b: ENTRY }])
  })

  test.each(['__proto__', 'constructor', '"quoted"', 'Süd 🏭'])('carries any id: %s', async (id) => {
    const { clock, sent } = broadcast(point(id, 1))
    await clock.advance(1_000)
    expect(sent.map(({ payload }) => payload)).toEqual([`{"values":{${JSON.stringify(id)}:${JSON.stringify(ENTRY)}}}`])
  })

  test('follows commissioning, and stops when it is closed', async () => {
    const points = [point('old', 1)]
    const clock = createManualClock(NOON)
    const sent: string[] = []
    const uplink = { connected: true, publish: (_topic: string, payload: string) => void sent.push(payload) }
    const broadcasting = startBroadcasting({ live: { datapoints: () => points }, uplink, deviceId: 'dev_1', clock })
    points.splice(0, 1, point('new', 1))
    broadcasting.apply()
    await clock.advance(1_000)
    expect(sent).toEqual([expect.stringContaining('"new"')])
    broadcasting.close()
    await clock.advance(60_000)
    expect(sent).toHaveLength(1)
    expect(clock.waiting()).toEqual([])
  })
})
