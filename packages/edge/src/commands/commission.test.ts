import { type Datapoint, type TechnicalSystem, WEEKDAYS } from '@plantroom/contract/datapoint'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Controller, startController } from '../testing/controller.ts'

const writable = { accessType: 'READ_WRITE', writeInputData: { min: -50, max: 50 } } as const
const power = aDatapoint({ id: 'power', name: 'Battery power', ...writable, data: { register: 1, type: 'int16' } })
const valve = aDatapoint({ id: 'valve', name: 'Valve', ...writable })
const meter = aDatapoint({ id: 'meter' })

const system = (...datapoints: Datapoint[]): TechnicalSystem => aSystem('sys', [aConnection({ datapoints })])

async function startTestDevice(): Promise<Controller> {
  const started = await startController(system(power, valve, meter), { points: { power: 10, valve: 1, meter: 3 } })
  onTestFinished(() => started.stop())
  return started
}

const commission = (device: Controller, technicalSystem: TechnicalSystem, caller = {}) =>
  device.call('commission', { technicalSystem }, caller)

const known = async (device: Controller) => Object.keys(await device.values())

const behind = (settings: Record<string, unknown>) =>
  aSystem('sys', [aConnection({ datapoints: [power, valve, meter], settings })])
const steeper = { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 10 }

describe('commissioning that would abandon a held datapoint', () => {
  test.each<[string, TechnicalSystem, string]>([
    ['the datapoint is removed', system(valve, meter), 'must not be removed'],
    ['it can only be read', system({ ...power, accessType: 'READ' }, valve, meter), 'must keep its accessType'],
    [
      'it is at another address',
      system({ ...power, data: { register: 2, type: 'int16' } }, valve, meter),
      'must keep its data.register',
    ],
    [
      'it has another type',
      system({ ...power, data: { register: 1, type: 'int32' } }, valve, meter),
      'must keep its data.type',
    ],
    ['it has another scaler', system({ ...power, scaler: steeper }, valve, meter), 'must keep its scaler'],
    ['its connection has another host', behind({ host: '10.0.0.6' }), 'must keep its settings.host'],
    ['its connection has another unit', behind({ unitId: 2, pollSeconds: 9 }), 'must keep its settings.unitId:'],
    [
      'it is on another connection',
      aSystem('sys', [aConnection({ datapoints: [valve, meter] }), aConnection({ id: 'other', datapoints: [power] })]),
      'must keep its connection',
    ],
    ['the whole system is removed', aSystem('sys', []), 'must not be removed'],
  ])('is rejected with the datapoint and the field, and changes nothing: %s', async (_how, next, message) => {
    const device = await startTestDevice()
    const id = await device.override('power', 20, 0, 60)
    await expect(commission(device, next)).rejects.toThrow(`conn/Battery power ${message}`)
    expect(await known(device)).toEqual(['power', 'valve', 'meter'])
    await device.restart()
    expect(device.equipment.points.get('power')).toBe(20)
    await device.cancel(id)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('names every such datapoint', async () => {
    const device = await startTestDevice()
    await device.override('power', 20, 0, 60)
    await device.override('valve', 2, 0, 60)
    await expect(commission(device, aSystem('sys', []))).rejects.toThrow(
      /^conn\/Battery power must not be removed; conn\/Valve must not be removed: the equipment there is held/,
    )
  })

  test('is rejected for a queued override', async () => {
    const device = await startTestDevice()
    await device.override('power', 20, 600, 660)
    await expect(commission(device, system(valve, meter))).rejects.toThrow('Battery power')
  })

  test('is rejected until the plain value is restored', async () => {
    const device = await startTestDevice()
    const id = await device.override('power', 20, 0, 60)
    device.equipment.cut = 'no route'
    await device.pass(2)
    await device.cancel(id)
    await expect(commission(device, system(valve, meter))).rejects.toThrow('held or not yet restored')
    device.equipment.cut = undefined
    await device.pass(60)
    expect(device.equipment.points.get('power')).toBe(10)
    await commission(device, system(valve, meter))
    expect(await known(device)).toEqual(['valve', 'meter'])
  })

  test('is rejected when the override was requested just before', async () => {
    const device = await startTestDevice()
    const placed = device.override('power', 20, 0, 60)
    const commissioned = commission(device, system(valve, meter))
    await expect(commissioned).rejects.toThrow('Battery power')
    await placed
    expect(device.equipment.points.get('power')).toBe(20)
  })
})

describe('a check of a system', () => {
  const check = (device: Controller, technicalSystem: TechnicalSystem) =>
    device.call('checkCommissioning', { technicalSystem })

  test('names everything that commissioning would reject, and changes nothing', async () => {
    const device = await startTestDevice()
    await device.override('power', 20, 0, 60)
    const moved = { ...power, data: { register: 2, type: 'int16' }, releaseValue: 1e300 }
    const held = [{ connection: 'conn', datapoint: 'Battery power', fields: ['data.register'], fixed: [] }]
    expect(await check(device, system(moved, meter))).toEqual({
      problems: [{ path: 'connections[0].datapoints[0].releaseValue', message: expect.stringContaining('1e+300') }],
      held,
    })
    expect(await known(device)).toEqual(['power', 'valve', 'meter'])
    expect(device.equipment.points.get('power')).toBe(20)
    await device.restart()
    expect(await known(device)).toEqual(['power', 'valve', 'meter'])
  })

  test('passes a system that commissioning accepts, and does not load it', async () => {
    const device = await startTestDevice()
    const target = { at: [0, 0], space: expect.any(String), start: 1, end: 2, reach: 'everywhere' }
    expect(await check(device, system(power, meter))).toEqual({ problems: [], held: [], targets: [target] })
    expect(await known(device)).toEqual(['power', 'valve', 'meter'])
  })
})

describe('commissioning while a failsafe is armed', () => {
  test('is rejected when it moves the register of the failsafe', async () => {
    const beat = aDatapoint({ id: 'beat', ...writable, data: { register: 9 } })
    const failsafes = [{ datapointId: 'power', kind: 'heartbeat' as const, registerId: 'beat', seconds: 5 }]
    const guarded = (register: number): TechnicalSystem => ({
      ...system(power, { ...beat, data: { register } }),
      failsafes,
    })
    const device = await startController(guarded(9), { points: { power: 10, beat: 0 } })
    onTestFinished(() => device.stop())
    await device.override('power', 20, 0, 60)
    await expect(commission(device, guarded(8))).rejects.toThrow('conn/beat must keep its data.register')
  })
})

describe('two datapoints that write one address', () => {
  const other = aDatapoint({ id: 'other', name: 'Other', ...writable, data: { register: 1 } })

  test('are rejected with both names, and nothing changes', async () => {
    const device = await startTestDevice()
    await expect(commission(device, system(power, other))).rejects.toThrow(
      'connections[0].datapoints[1].data: Other writes register 1, and Battery power at connections[0].datapoints[0] writes register 1; two datapoints must not write the same address',
    )
    expect(await known(device)).toEqual(['power', 'valve', 'meter'])
  })

  test('are rejected across connections and technical systems too', async () => {
    const device = await startTestDevice()
    const far = aConnection({ id: 'far', datapoints: [other] })
    await expect(commission(device, aSystem('sys', [aConnection({ datapoints: [power] }), far]))).rejects.toThrow(
      'connections[1].datapoints[0].data: Other writes register 1',
    )
    await expect(commission(device, aSystem('sys2', [far]))).rejects.toThrow(
      'Battery power of another technical system',
    )
  })

  test('are accepted when one of them is read-only', async () => {
    const device = await startTestDevice()
    await commission(device, system(power, { ...other, accessType: 'READ' }))
    expect(await known(device)).toEqual(['power', 'other'])
  })
})

describe('a release value that does not fit', () => {
  test('is rejected with its path', async () => {
    const device = await startTestDevice()
    await expect(commission(device, system({ ...power, releaseValue: 1e300 }))).rejects.toThrow(
      'connections[0].datapoints[0].releaseValue: 1e+300 cannot be written exactly',
    )
  })
})

describe('a failsafe whose register cannot hold what is written to it', () => {
  const minutes = { inputValue1: 0, outputValue1: 0, inputValue2: 60, outputValue2: 1 }
  const large = { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 1e300 }
  test.each([
    ['reversion', minutes, 'would round 20 to 0, which switches the timer off; write more seconds'],
    ['reversion', large, 'cannot be written: 2e+301 cannot be written exactly'],
    ['heartbeat', minutes, 'would round 0 and 1 to the same number, so it cannot change'],
  ] as const)('is rejected with its path: a %s, %j', async (kind, scaler, message) => {
    const device = await startTestDevice()
    device.equipment.integers.add('guard')
    const guard = aDatapoint({ id: 'guard', name: 'Timer', ...writable, data: { register: 9, type: 'int16' }, scaler })
    const failsafes = [{ datapointId: 'power', kind, registerId: 'guard', seconds: 20 }]
    const commissioned = commission(device, { ...system(power, guard), failsafes })
    await expect(commissioned).rejects.toThrow(`connections[0].datapoints[0].failsafe: "Timer" ${message}`)
  })
})

describe('a limit that the equipment cannot hold', () => {
  test.each([
    [{ max: 20.6 }, 'limits.max: the equipment would round 20.6 up to 21; write a value that it can hold'],
    [{ min: 20.4 }, 'limits.min: the equipment would round 20.4 down to 20; write a value that it can hold'],
    [{ maxStepPerMinute: 0.2 }, 'limits.maxStepPerMinute: the equipment cannot hold steps as small as 0.2'],
  ])('is rejected with its path: %j', async (limits, message) => {
    const device = await startTestDevice()
    device.equipment.integers.add('power')
    await expect(commission(device, system({ ...power, limits }))).rejects.toThrow(
      `connections[0].datapoints[0].${message}`,
    )
  })

  test('is accepted where it rounds inwards, or is wider than the register', async () => {
    const device = await startTestDevice()
    device.equipment.integers.add('power')
    await commission(device, system({ ...power, limits: { min: 20.6, max: 1e300, maxStepPerMinute: 1 } }))
  })
})

describe('a schedule that is commissioned together with moved equipment', () => {
  test('holds the new equipment, never the old one', async () => {
    const device = await startTestDevice()
    const slots = [{ days: [...WEEKDAYS], from: '00:00', to: '24:00', mode: 'absolute' as const, value: 30 }]
    const schedules = [{ id: 's', name: 's', datapointId: 'power', slots }]
    const moved = { ...behind({ host: '10.0.0.6' }), schedules }
    const opened = device.equipment.opened
    let openedAtWrite = 0
    device.equipment.beforeWrite = () => {
      openedAtWrite = device.equipment.opened
    }
    await commission(device, moved)
    await device.pass(5)
    expect(device.equipment.points.get('power')).toBe(30)
    expect(openedAtWrite).toBe(opened + 1)
  })
})

describe('commissioning succeeds', () => {
  test('when only settings change that do not identify the equipment', async () => {
    const device = await startTestDevice()
    await device.override('power', 20, 0, 60)
    await commission(device, behind({ pollSeconds: 9, timeoutMs: 50 }))
    await device.pass(60)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('when none of the removed datapoints is held', async () => {
    const device = await startTestDevice()
    await device.override('power', 20, 0, 60)
    await commission(device, system(power, meter))
    expect(await known(device)).toEqual(['power', 'meter'])
    expect(device.equipment.points.get('power')).toBe(20)
  })

  test('when the override has ended', async () => {
    const device = await startTestDevice()
    await device.override('power', 20, 0, 60)
    await device.pass(60)
    await commission(device, aSystem('sys', []))
    await expect(device.call('getTechnicalConnectionValues', { id: 'conn' })).rejects.toThrow('not loaded')
  })

  test('for a held datapoint that keeps its address and scaler, which stays held', async () => {
    const device = await startTestDevice()
    await device.override('power', 20, 0, 60)
    await commission(device, system({ ...power, name: 'Renamed', writeInterval: 5 }, valve, meter))
    await device.pass(1)
    expect(device.equipment.points.get('power')).toBe(20)
    await device.pass(60)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('for another system, whatever is held in this one', async () => {
    const device = await startTestDevice()
    await device.override('power', 20, 0, 60)
    await commission(device, aSystem('other', [aConnection({ id: 'far', datapoints: [aDatapoint({ id: 'pump' })] })]))
    await commission(device, aSystem('other', []))
    expect(device.equipment.points.get('power')).toBe(20)
  })
})

describe('an override that arrives while its datapoint is being removed', () => {
  test('is rejected, and nothing is held or written', async () => {
    const device = await startTestDevice()
    const commissioned = commission(device, system(valve, meter))
    // Lets the commissioning take its turn.
    await Promise.resolve()
    await expect(device.override('power', 20, 0, 60)).rejects.toThrow(
      'datapoint power is being commissioned; send the command again in a moment',
    )
    await commissioned
    expect(device.equipment.writes).toEqual([])
    await expect(device.override('power', 20, 0, 60)).rejects.toThrow('not loaded on this device')
  })

  test('is accepted when the commissioning was rejected', async () => {
    const device = await startTestDevice()
    const id = await device.override('power', 20, 0, 60)
    await expect(commission(device, system(valve, meter))).rejects.toThrow('Battery power')
    await device.override('power', 30, 0, 60)
    expect(device.equipment.points.get('power')).toBe(30)
    await device.cancel(id)
  })
})

test('commissioning that waits past its deadline is rejected and changes nothing', async () => {
  const device = await startTestDevice()
  await expect(commission(device, system(valve), { inTime: () => false })).rejects.toThrow('after its deadline')
  expect(await known(device)).toEqual(['power', 'valve', 'meter'])
})
