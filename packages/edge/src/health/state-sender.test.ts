import { type ControlState, MAX_STATE_BYTES } from '@plantroom/contract/control-state'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { aPowerController } from '../testing/power-controller.ts'
import { LOOK_MS, REPEAT_MS, startStateSender } from './state-sender.ts'

const EMPTY: ControlState = {
  at: '2030-01-01T00:00:00.000Z',
  clockSuspect: false,
  connections: [],
  holds: [],
  overrides: [],
}

const anOverride = (id: string) => ({
  ...{ id, datapointId: 'power', value: 1, from: EMPTY.at, to: EMPTY.at, reqId: 'r', placedBy: 'k' },
  state: 'queued' as const,
})

function open() {
  const clock = createManualClock()
  const reported: ControlState[] = []
  const facts = { state: EMPTY, connected: true, random: 0.5 }
  const sender = startStateSender({
    state: () => ({ ...facts.state, at: new Date(clock.now()).toISOString() }),
    uplink: {
      get connected() {
        return facts.connected
      },
      publish(topic, payload, qos) {
        expect([topic, qos]).toEqual(['plantroom/dev_1/state', 0])
        reported.push(JSON.parse(payload))
      },
    },
    deviceId: 'dev_1',
    clock,
    random: () => facts.random,
  })
  return { clock, reported, facts, sender, look: () => clock.advance(LOOK_MS) }
}

describe('the state of a device', () => {
  test('is reported when the link comes up, after a change, and every 5 minutes', async () => {
    const { clock, reported, facts, sender, look } = open()
    sender.connected()
    expect(reported).toMatchObject([{ holds: [] }])
    await clock.advance(REPEAT_MS - LOOK_MS)
    expect(reported.length).toBe(1)
    await look()
    expect(reported.length).toBe(2)
    facts.state = { ...EMPTY, overrides: [anOverride('a')] }
    await look()
    expect(reported[2]?.overrides).toEqual([anOverride('a')])
    await look()
    expect(reported.length).toBe(3)
    sender.close()
    await clock.advance(REPEAT_MS)
    expect(reported.length).toBe(3)
  })

  test('is reported when a power limit is placed or its state changes, and not for every reading of the meter', async () => {
    const { reported, facts, sender, look } = open()
    sender.connected()
    const limited = { meterId: 'meter', state: 'limited', importKw: 60, exportKw: null, meanKw: 50, moved: [] } as const
    facts.state = { ...EMPTY, powerLimit: { ...limited, meterKw: 50, limits: [] } }
    await look()
    expect(reported.length).toBe(2)
    facts.state = { ...EMPTY, powerLimit: { ...limited, meterKw: 51, limits: [] } }
    await look()
    expect(reported.length).toBe(2)
    facts.state = { ...EMPTY, powerLimit: { ...limited, state: 'exhausted', meterKw: 61, limits: [] } }
    await look()
    expect(reported.length).toBe(3)
  })

  test('is reported after a change without a link as soon as the link is back', async () => {
    const { reported, facts, sender, look } = open()
    sender.connected()
    facts.connected = false
    facts.state = { ...EMPTY, clockSuspect: true }
    await look()
    expect(reported.length).toBe(1)
    facts.connected = true
    sender.connected()
    expect(reported[1]).toMatchObject({ clockSuspect: true })
  })

  test('is reported again within a minute of a hello, at a moment of its own', async () => {
    const { clock, reported, sender } = open()
    sender.connected()
    sender.greeted()
    sender.greeted()
    await clock.advance(29_999)
    expect(reported.length).toBe(1)
    await clock.advance(1)
    expect(reported.length).toBe(2)
  })

  test('leaves out the overrides when it would be too long, and counts them', async () => {
    const { reported, facts, look } = open()
    const long = 'x'.repeat(1000)
    facts.state = { ...EMPTY, overrides: Array.from({ length: 1200 }, (_, at) => anOverride(`${at}${long}`)) }
    await look()
    expect(reported).toMatchObject([{ overrides: [], overridesLeftOut: 1200 }])
    expect(JSON.stringify(reported[0]).length).toBeLessThan(MAX_STATE_BYTES)
  })
})

describe('the state of a whole controller', () => {
  test('has the holds, and the values of held datapoints only', async () => {
    const device = await aPowerController()
    await device.pass(10)
    expect(device.state).toMatchObject({ holds: [], connections: [{ status: 1, values: {} }] })
    const id = await device.override('power', 20, 0, 600)
    await device.pass(10)
    expect(device.state).toMatchObject({
      holds: [{ datapointId: 'power', value: 20, next: { by: 'plain', value: 10 } }],
      overrides: [{ id, state: 'active' }],
      connections: [{ values: { power: { value: expect.any(Number), locked: true } } }],
    })
    await device.cancel(id)
    await device.pass(10)
    expect(device.state).toMatchObject({ holds: [], overrides: [] })
  })
})
