import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import type { Target } from '../driver.ts'
import { createMqttProtocol } from './driver.ts'
import { connectionOf, type Points } from './testing/bench.ts'

const protocol = createMqttProtocol({ clock: createManualClock() })
const SETTINGS = { url: 'mqtts://broker', username: 'edge', password: 'secret', ca: '/etc/ca.pem' }
const DATA = { stateTopic: 'hp/flow', commandTopic: 'hp/set' }

function targetsOf(points: Points, settings: Record<string, unknown> = SETTINGS) {
  return protocol.targets(connectionOf(points, settings))
}
const target = (data: Record<string, unknown>, settings?: Record<string, unknown>): Target =>
  targetsOf({ a: { ...DATA, ...data } }, settings)[0] ?? expect.fail('no target')

const overlap = (a: Target, b: Target) => a.space === b.space && a.start < b.end && b.start < a.end

describe('the target of a datapoint', () => {
  test('is its command topic; a read-only datapoint has none', () => {
    const [flow, outside, blind] = targetsOf({
      flow: { stateTopic: 'hp/flow', commandTopic: 'hp/flow/set' },
      outside: { stateTopic: 'hp/outside', accessType: 'READ' },
      blind: { commandTopic: 'hp/blind', accessType: 'WRITE' },
    })
    expect(flow).toMatchObject({ space: 'mqtt broker:8883 hp/flow/set', name: 'topic hp/flow/set' })
    expect(outside).toBeUndefined()
    expect(blind).toMatchObject({ space: 'mqtt broker:8883 hp/blind' })
  })

  test('does not depend on the spelling of the broker', () => {
    expect(target({}, { ...SETTINGS, url: 'mqtts://Broker:8883/' }).space).toBe(target({}).space)
    expect(target({}, { ...SETTINGS, url: 'mqtts://other' }).space).not.toBe(target({}).space)
    expect(target({}, { ...SETTINGS, url: 'mqtts://broker:8884' }).space).not.toBe(target({}).space)
  })

  test.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{}, {}],
    [{ path: 'value' }, { path: '$.value' }],
    [{ path: 'x', commandPath: 'value' }, { path: 'value' }],
    [{ path: 'value' }, { commandTemplate: '{ "value": {{value}} }' }],
    [{ path: 'value' }, { commandTemplate: '{"value":"{{value}}"}' }],
    [{ commandTemplate: '{"a":1,"v":{{value}}}' }, { commandTemplate: '{"v":{{value}},"a":1}' }],
    [{ commandTemplate: 'SET {{value}}' }, { commandTemplate: 'SET {{value}}' }],
    [{}, { commandTemplate: '{{value}}' }],
    // A bare value does not name its property.
    [{}, { path: 'value' }],
    [{}, { commandTemplate: 'SET {{value}}' }],
  ])('%j overlaps that of %j on the same topic', (a, b) => {
    expect(overlap(target(a), target(b))).toBe(true)
  })

  test.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ path: 'flow' }, { path: 'room' }],
    [{ path: 'hp.flow' }, { path: 'hp.room' }],
    [{ commandTemplate: '{"cmd":"flow","v":{{value}}}' }, { commandTemplate: '{"cmd":"room","v":{{value}}}' }],
    [{ commandTemplate: 'SET {{value}}' }, { commandTemplate: 'LIMIT {{value}}' }],
    [{ path: 'flow' }, { path: 'flow', commandTopic: 'hp/other' }],
    [{}, { commandTopic: 'hp/other' }],
  ])('%j does not overlap that of %j', (a, b) => {
    expect(overlap(target(a), target(b))).toBe(false)
  })
})

describe('the identity of a target', () => {
  test('includes defaults, and no tuning', () => {
    const tuned = { pollSeconds: 9, timeoutMs: 70, keepAliveSeconds: 9, clientId: 'me', url: 'mqtts://broker:8883' }
    expect(target({ qos: 1, retain: false, maxAgeSeconds: 9 }, { ...SETTINGS, ...tuned }).identity).toBe(
      target({}).identity,
    )
    expect(target({ path: '$.v' }).identity).toBe(target({ path: 'v' }).identity)
  })

  test.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ stateTopic: 'hp/other' }, {}],
    [{ commandTopic: 'hp/other' }, {}],
    [{ path: 'value' }, {}],
    [{ commandPath: 'value' }, {}],
    [{ commandTemplate: 'SET {{value}}' }, {}],
    [{ on: 'ON', off: 'OFF' }, {}],
    [{ decimals: 1 }, {}],
    [{ qos: 0 }, {}],
    [{ retain: true }, {}],
    [{ availabilityTopic: 'hp/status' }, {}],
    [{}, { url: 'mqtts://other' }],
    [{}, { url: 'mqtts://broker:8884' }],
    [{}, { url: 'mqtt://broker:8883', ca: undefined }],
    [{}, { username: 'other' }],
    [{}, { password: 'other' }],
    [{}, { ca: '/etc/other.pem' }],
    [{}, { availability: { topic: 'hp/status' } }],
  ])('changes with %j and %j', (data, settings) => {
    expect(target(data, { ...SETTINGS, ...settings }).identity).not.toBe(target({}).identity)
  })

  test('distinguishes on and off values by type', () => {
    expect(target({ on: 1, off: 0 }).identity).not.toBe(target({ on: '1', off: '0' }).identity)
  })
})
