import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Building, newBuilding } from './building.ts'
import { AVAILABILITY_TOPIC, STATE_TOPICS } from './heat-pump-topics.ts'

const said = (building: Building) =>
  Object.fromEntries(STATE_TOPICS.map(({ topic, payload }) => [topic, payload(building)]))

function command(topic: string, payload: string): Building | undefined {
  const found = STATE_TOPICS.find((each) => each.command?.topic === topic)?.command
  if (!found) throw new Error(`there is no topic ${topic}`)
  return found.obey(newBuilding(1), payload)
}

test('each topic has one meaning', () => {
  const topics = STATE_TOPICS.flatMap(({ topic, command: taken }) => (taken ? [topic, taken.topic] : [topic]))
  expect(new Set([...topics, AVAILABILITY_TOPIC]).size).toBe(topics.length + 1)
})

test('the heat pump publishes its values', () => {
  expect(said(newBuilding(1))).toEqual({
    'hp/flow': '{"value":35,"unit":"°C"}',
    'hp/flow/measured': '{"value":35,"unit":"°C"}',
    'hp/limit': '10',
    'hp/switch': 'ON',
    'hp/power': '3',
    'hp/room': '{"value":21,"unit":"°C"}',
    'hp/outdoor': '{"value":5,"unit":"°C"}',
  })
})

describe('a command', () => {
  test.each([
    ['hp/flow/set', '40.25', { setpointC: 40.25 }],
    ['hp/flow/set', ' 20 ', { setpointC: 20 }],
    ['hp/flow/set', '{"value": 60}', { setpointC: 60 }],
    ['hp/flow/set', '{"value": "42", "unit": "°C"}', { setpointC: 42 }],
    ['hp/limit/set', '0', { powerLimitKw: 0 }],
    ['hp/limit/set', '{"value":2.5}', { powerLimitKw: 2.5 }],
    ['hp/switch/set', 'OFF', { enabled: false }],
    ['hp/switch/set', '{"value":"OFF"}', { enabled: false }],
  ])('on %s with %s is accepted', (topic, payload, change) => {
    const start = newBuilding(1)
    expect(command(topic, payload)).toEqual({ ...start, heatPump: { ...start.heatPump, ...change } })
  })

  test.each([
    ['hp/flow/set', ''],
    ['hp/flow/set', '61'],
    ['hp/flow/set', 'NaN'],
    ['hp/flow/set', 'warm'],
    ['hp/flow/set', 'true'],
    ['hp/flow/set', 'null'],
    ['hp/flow/set', '{"value":'],
    ['hp/flow/set', '{"value":[40]}'],
    ['hp/flow/set', '{"temperature":40}'],
    ['hp/limit/set', '-1'],
    ['hp/limit/set', '1e999'],
    ['hp/switch/set', 'off'],
    ['hp/switch/set', '1'],
  ])('on %s with "%s" is ignored', (topic, payload) => {
    expect(command(topic, payload)).toBeUndefined()
  })

  test('is published exactly as accepted, to the last digit', () => {
    fc.assert(
      fc.property(fc.double({ min: 20, max: 60, noNaN: true }), (value) => {
        const obeyed = command('hp/flow/set', JSON.stringify({ value }))
        expect(JSON.parse(said(obeyed as Building)['hp/flow'] ?? '')).toEqual({ value, unit: '°C' })
      }),
    )
  })
})
