import type { ControlState } from '@plantroom/contract/control-state'
import { WEEKDAYS } from '@plantroom/contract/datapoint'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Controller, startController } from '../testing/controller.ts'
import { aPowerController } from '../testing/power-controller.ts'
import { MAX_SHOWN_OVERRIDES } from './get-control-state.ts'

const stateOf = async (device: Controller) => (await device.call('getControlState', {})) as ControlState
const inSeconds = ({ clock }: Controller, seconds: number) => formatTimestamp(clock.now() + seconds * 1000)

const ALWAYS = { days: [...WEEKDAYS], from: '00:00', to: '24:00', mode: 'offset' as const, value: -2 }
const SCHEDULE = { id: 'sch', name: 'Always', datapointId: 'power', slots: [ALWAYS] }

describe('the state of a device', () => {
  test('is empty when nothing is commissioned', async () => {
    const device = await startController(aSystem('sys', []), { points: {} })
    onTestFinished(() => device.stop())
    const at = formatTimestamp(device.clock.now())
    const empty = { at, clockSuspect: false, connections: [], holds: [], overrides: [] }
    expect(await stateOf(device)).toEqual({ ...empty, memory: expect.objectContaining({ from: 1 }) })
  })

  test('has the same values as polls of every connection', async () => {
    const [one, other] = ['one', 'other'].map((id) => aConnection({ id, datapoints: [aDatapoint({ id: `in_${id}` })] }))
    if (!one || !other) throw new Error('two connections')
    const device = await startController(aSystem('sys', [one, other]), { points: { in_one: 1, in_other: 'broken' } })
    onTestFinished(() => device.stop())
    const polled = [one, other].map(({ id }) => device.call('getTechnicalConnectionValues', { id }))
    const { connections } = await stateOf(device)
    expect(connections).toEqual(await Promise.all(polled))
    expect(connections).toMatchObject([{ values: { in_one: { value: 1 } } }, { values: { in_other: { value: null } } }])
  })

  test('touches neither the equipment nor the disk', async () => {
    let flushes = 0
    const datapoints = [aDatapoint({ id: 'power', accessType: 'READ_WRITE' })]
    const device = await startController(aSystem('sys', [aConnection({ datapoints })]), {
      points: { power: 10 },
      reached: () => {
        flushes += 1
      },
    })
    onTestFinished(() => device.stop())
    await device.override('power', 20, 0, 60)
    const before = [device.equipment.reads.length, device.equipment.writes.length, flushes]
    await stateOf(device)
    await device.pass(0)
    expect([device.equipment.reads.length, device.equipment.writes.length, flushes]).toEqual(before)
  })
})

describe('a hold', () => {
  test('shows the writer, the end and the next writer, down to the plain value', async () => {
    const device = await aPowerController({ system: { schedules: [SCHEDULE] } })
    const [longer, shorter] = [await device.override('power', 20, 0, 60), await device.override('power', 30, 0, 40)]
    const later = await device.override('power', 40, 50, 90)
    const holds = async () => (await stateOf(device)).holds

    const slot = { by: 'deviation', value: 8 }
    const common = { datapointId: 'power', state: 'holding', beneath: slot, trouble: null, troubleReason: null }
    const window = { ...common, by: 'demand-response' }
    expect(await holds()).toEqual([
      { ...window, value: 30, overrideId: shorter, until: inSeconds(device, 40), next: { by: window.by, value: 20 } },
    ])
    await device.pass(40)
    expect(await holds()).toEqual([
      { ...window, value: 20, overrideId: longer, until: inSeconds(device, 10), next: { by: window.by, value: 40 } },
    ])
    await device.pass(10)
    expect(await holds()).toEqual([
      { ...window, value: 40, overrideId: later, until: inSeconds(device, 40), next: slot },
    ])
    await device.pass(40)
    const plain = { by: 'plain', value: 10 }
    expect(await holds()).toEqual([{ ...common, ...slot, overrideId: null, until: null, next: plain }])
    await device.commission({ ...device.system, schedules: [] })
    expect(await holds()).toEqual([])
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('shows a failing release until the value is restored', async () => {
    const device = await aPowerController()
    const id = await device.override('power', 20, 0, 60)
    device.equipment.refuse.add('power')
    await device.cancel(id)
    const plain = { by: 'plain', value: 10 }
    const held = {
      datapointId: 'power',
      state: 'stuck',
      ...plain,
      overrideId: null,
      until: null,
      next: plain,
      beneath: plain,
    }
    expect((await stateOf(device)).holds).toEqual([
      { ...held, trouble: 'write-failed', troubleReason: 'power: refused' },
    ])
    device.equipment.refuse.clear()
    await device.pass(60)
    expect((await stateOf(device)).holds).toEqual([])
  })

  test('shows trouble only while the equipment fails', async () => {
    const device = await aPowerController()
    const trouble = async () => (await stateOf(device)).holds[0]?.trouble
    device.equipment.ignores.add('power')
    await device.override('power', 20, 0, 600)
    await device.pass(60)
    expect(await trouble()).toBe('not-taken')
    device.equipment.ignores.clear()
    await device.pass(120)
    expect(device.equipment.points.get('power')).toBe(20)
    expect(await trouble()).toBeNull()
  })

  test('of a write-only datapoint has an unknown plain value next', async () => {
    const device = await aPowerController({ power: { accessType: 'WRITE' } })
    device.equipment.unreadable.set('power', 'exception 1')
    await device.override('power', 20, 0, 60)
    expect((await stateOf(device)).holds).toMatchObject([{ value: 20, next: { by: 'plain', value: null } }])
  })
})

describe('an override', () => {
  test('is listed with its caller and state, even after a restart', async () => {
    const device = await aPowerController()
    const start = device.clock.now()
    const at = (seconds: number) => formatTimestamp(start + seconds * 1000)
    const reqId = crypto.randomUUID()
    const superseded = await device.override('power', 20, 0, 60, { keyId: 'user:usr_1', reqId })
    const active = await device.override('power', 30, 0, 40, { keyId: 'key_7' })
    const queued = await device.override('power', 40, 50, 90)
    const { overrides } = await stateOf(device)
    expect(overrides.map(({ id, placedBy, state }) => [id, placedBy, state])).toEqual([
      [active, 'key_7', 'active'],
      [queued, 'key_1', 'queued'],
      [superseded, 'user:usr_1', 'superseded'],
    ])
    expect(overrides.at(-1)).toEqual({
      ...{ id: superseded, datapointId: 'power', value: 20, from: at(0), to: at(60) },
      ...{ reqId, placedBy: 'user:usr_1', state: 'superseded' },
    })
    await device.crash()
    expect((await stateOf(device)).overrides).toEqual(overrides)
    await device.pass(90)
    expect((await stateOf(device)).overrides).toEqual([])
  })

  test('is listed with a flag on a device that does not know the time', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 600)
    await device.stop()
    device.clock.step(-3_600_000)
    await device.restart()
    expect(await stateOf(device)).toMatchObject({ clockSuspect: true, overrides: [{ state: 'queued' }] })
  })

  test('is left out and counted beyond the limit, superseded ones first', async () => {
    const device = await aPowerController()
    const placed = Array.from({ length: MAX_SHOWN_OVERRIDES + 5 }, (_, index) => {
      const [from, to] = [inSeconds(device, 0), inSeconds(device, 600)]
      const keyId = `key_${index % 2}`
      return device.call('demandResponseOverride', { datapointId: 'power', value: index, from, to }, { keyId })
    })
    await Promise.all(placed)
    const queued = await device.override('power', 1, 60, 90)
    const { overrides, overridesLeftOut } = await stateOf(device)
    expect(overrides).toHaveLength(MAX_SHOWN_OVERRIDES)
    expect(overridesLeftOut).toBe(6)
    expect(overrides[0]).toMatchObject({ state: 'active', value: MAX_SHOWN_OVERRIDES + 4 })
    expect(overrides[1]).toMatchObject({ id: queued, state: 'queued' })
  })
})
