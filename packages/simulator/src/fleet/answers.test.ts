import { COMMAND_NAMES, type CommandEnvelope } from '@plantroom/contract/commands'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { describe, expect, test } from 'vitest'
import { answer, createMemory, type Memory } from './answers.ts'
import { knownSystem } from './controlled-system.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const HOUR = 3_600_000

const shape = (name: string, accessType: 'READ' | 'READ_WRITE') => ({
  ...{ name, accessType, analyticsInterval: 60, broadcastInterval: 0, writeInterval: 0, cloudScheduleId: null },
  ...{ scaler: { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 1 }, alarmData: null, data: {} },
  ...{ createdAt: formatTimestamp(NOW), updatedAt: formatTimestamp(NOW) },
})
const newMemory = () =>
  createMemory(
    knownSystem({ id: 'ts_1', connectionId: 'con_1', datapointIds: ['dp_1', 'dp_2'] }, [
      shape('Charge power', 'READ_WRITE'),
      shape('Meter 1', 'READ'),
    ]),
  )

function ask(memory: Memory, command: string, data: object, about: Partial<CommandEnvelope> & { now?: number } = {}) {
  const { now = NOW, ...given } = about
  const envelope = { reqId: 'r-1', keyId: 'key_1', deadline: now + 1000, ...given, data: { ...data } }
  // biome-ignore lint/suspicious/noExplicitAny: the replies have many shapes, and the tests check them.
  return answer(command, { memory, envelope, now, liveValue: (place) => place + 0.5 }) as any
}
const hold = (about: object = {}) => ({
  ...{ datapointId: 'dp_1', value: -20, from: formatTimestamp(NOW), to: formatTimestamp(NOW + HOUR) },
  ...about,
})

describe('an imitated controller', () => {
  test('knows every command of the contract', () => {
    for (const command of COMMAND_NAMES) {
      let reason = ''
      try {
        ask(newMemory(), command, {})
      } catch (error) {
        reason = String(error)
      }
      expect(reason, command).not.toMatch(/does not know/)
    }
    expect(() => ask(newMemory(), 'toString', {})).toThrow(/does not know/)
  })

  test('accepts an override once, however often its request arrives', () => {
    const memory = newMemory()
    const { id } = ask(memory, 'demandResponseOverride', hold())
    expect(ask(memory, 'demandResponseOverride', hold(), { reqId: 'R-1' })).toEqual({ id })
    expect(memory.counts).toEqual({ overrides: 1, repeated: 1, cancelled: 0 })
    expect(ask(memory, 'demandResponseOverride', hold(), { keyId: 'key_2' }).id).not.toBe(id)
    expect(ask(memory, 'getControlState', {}).overrides).toHaveLength(2)
  })

  test('shows what it holds until the override is cancelled', () => {
    const memory = newMemory()
    const { id } = ask(memory, 'demandResponseOverride', hold())
    const held = { value: -20, locked: true, lockedBy: 'demand-response' }
    expect(ask(memory, 'getTechnicalConnectionValues', { id: 'con_1' }).values.dp_1).toMatchObject(held)
    expect(() => ask(memory, 'demandResponseCancel', { id: `${id}x` })).toThrow(/never issued/)
    for (const keyId of ['key_2', 'key_1']) {
      expect(ask(memory, 'demandResponseCancel', { id }, { keyId })).toEqual({ success: true })
    }
    expect(memory.counts.cancelled).toBe(1)
    expect(ask(memory, 'getTechnicalConnectionValues', { id: 'con_1' }).values.dp_1).toMatchObject({ value: 0.5 })
  })

  test('cancels what one caller placed', () => {
    const memory = newMemory()
    const { id } = ask(memory, 'demandResponseOverride', hold())
    ask(memory, 'demandResponseOverride', hold(), { keyId: 'key_2' })
    expect(ask(memory, 'cancelOverrides', { placedBy: 'key_1' })).toEqual({
      count: 1,
      cancelled: [{ id, datapointId: 'dp_1' }],
    })
  })

  test('holds a power limit once for each request, and releases it by its reqId or with everything of its caller', () => {
    const memory = newMemory()
    const limit = { direction: 'import', kw: 60, from: formatTimestamp(NOW), to: formatTimestamp(NOW + HOUR) }
    expect(() => ask(memory, 'placeLimit', limit)).toThrow(/has no power limit/)
    memory.system = {
      ...knownSystem({ id: 'ts_1', connectionId: 'con_1', datapointIds: ['dp_1'] }, []),
      meterId: 'dp_2',
    }
    const { id, meterId } = ask(memory, 'placeLimit', limit)
    expect(meterId).toBe('dp_2')
    expect(ask(memory, 'placeLimit', limit)).toEqual({ id, meterId })
    ask(memory, 'placeLimit', { ...limit, kw: 80 }, { reqId: 'r-2' })
    const stateNow = () => ask(memory, 'getControlState', {}).powerLimit
    expect(stateNow()).toMatchObject({ state: 'limited', importKw: 60, exportKw: null, limits: [{ id }, { kw: 80 }] })
    const cancelled = ask(memory, 'cancelOverridesByReqId', { placedBy: 'key_1', reqIds: ['R-1'] })
    expect(cancelled).toEqual({ cancelled: [{ reqId: 'r-1', id, datapointId: 'dp_2' }] })
    expect(stateNow()).toMatchObject({ importKw: 80 })
    expect(ask(memory, 'cancelOverrides', { placedBy: 'key_1' }).count).toBe(1)
    expect(stateNow()).toMatchObject({ state: 'unlimited', importKw: null, limits: [] })
    expect(() => ask(memory, 'placeLimit', { ...limit, to: limit.from }, { reqId: 'r-3' })).toThrow(/to must be after/)
  })

  test.each<[string, object, Partial<CommandEnvelope>]>([
    ['of a datapoint that it does not have', { datapointId: 'dp_9' }, {}],
    ['of a datapoint that can only be read', { datapointId: 'dp_2' }, {}],
    ['that is over', { from: formatTimestamp(NOW - HOUR), to: formatTimestamp(NOW) }, {}],
    ['longer than 24 hours', { to: formatTimestamp(NOW + 25 * HOUR) }, {}],
    ['that arrives too late', {}, { deadline: NOW - 1 }],
    ['without a deadline', {}, { deadline: undefined as never }],
  ])('rejects an override %s, and accepts nothing', (_what, about, envelope) => {
    const memory = newMemory()
    expect(() => ask(memory, 'demandResponseOverride', hold(about), envelope)).toThrow()
    expect(memory.counts.overrides).toBe(0)
  })

  test('exports the register of a failsafe as telemetry, and takes no override on it', () => {
    const memory = newMemory()
    const datapoints = ['dp_1', 'dp_2'].map((id) => ({
      ...{ id, connectionId: 'con_1', writeInputType: 'number' },
      ...shape(id, 'READ_WRITE'),
    }))
    const failsafes = [{ datapointId: 'dp_1', kind: 'heartbeat', registerId: 'dp_2', seconds: 5 }]
    const connections = [{ id: 'con_1', name: 'C', protocol: 'mqtt', settings: {}, datapoints }]
    ask(memory, 'commission', { technicalSystem: { id: 'ts_1', name: 'S', connections, failsafes } })
    const exported = ask(memory, 'getTechnicalDataPoints', { connectionId: 'con_1' }).datapoints
    expect(exported).toMatchObject([{ accessType: 'READ_WRITE', writeInputType: 'number' }, { accessType: 'READ' }])
    expect(exported[1]).not.toHaveProperty('writeInputType')
    expect(() => ask(memory, 'demandResponseOverride', hold({ datapointId: 'dp_2' }))).toThrow(/no writable datapoint/)
  })

  test('forgets overrides that are over, so that its memory stays bounded', () => {
    const memory = newMemory()
    for (let sent = 0; sent < 2_000; sent += 1) {
      const now = NOW + sent * 1_000
      const data = hold({ from: formatTimestamp(now), to: formatTimestamp(now + 5_000) })
      ask(memory, 'demandResponseOverride', data, { reqId: `r-${sent}`, now })
    }
    expect(memory.overrides.size).toBeLessThan(10)
    expect(memory.answered.size).toBeLessThanOrEqual(1_000)
  })
})
