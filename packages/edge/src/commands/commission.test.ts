import type { Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Controller, startController } from '../testing/controller.ts'

const writable = { accessType: 'READ_WRITE', writeInputData: { min: -50, max: 50 } } as const
const power = aDatapoint({ id: 'power', name: 'Battery power', ...writable, data: { register: 1, type: 'int16' } })
const valve = aDatapoint({ id: 'valve', name: 'Valve', ...writable })
const meter = aDatapoint({ id: 'meter' })

const system = (...datapoints: Datapoint[]): TechnicalSystem => aSystem('sys', [aConnection({ datapoints })])

async function begin(): Promise<Controller> {
  const started = await startController(system(power, valve, meter), { points: { power: 10, valve: 1, meter: 3 } })
  onTestFinished(() => started.stop())
  return started
}

const commission = (device: Controller, technicalSystem: TechnicalSystem, caller = {}) =>
  device.call('commission', { technicalSystem }, caller)

const known = async (device: Controller) => Object.keys(await device.values())

describe('commissioning that would leave a held datapoint behind', () => {
  test.each<[string, TechnicalSystem]>([
    ['the datapoint is not there any more', system(valve, meter)],
    ['it can only be read', system({ ...power, accessType: 'READ' }, valve, meter)],
    ['it is at another address', system({ ...power, data: { register: 2, type: 'int16' } }, valve, meter)],
    [
      'it is on another connection',
      aSystem('sys', [aConnection({ datapoints: [valve, meter] }), aConnection({ id: 'other', datapoints: [power] })]),
    ],
    ['the whole system is removed', aSystem('sys', [])],
  ])('is refused, names it, and changes nothing: %s', async (_how, next) => {
    const device = await begin()
    const id = await device.override('power', 20, 0, 60)
    await expect(commission(device, next)).rejects.toThrow(
      'Battery power would no longer be there to be written, but is held; cancel its overrides',
    )
    expect(await known(device)).toEqual(['power', 'valve', 'meter'])
    await device.restart()
    expect(device.equipment.points.get('power')).toBe(20)
    await device.cancel(id)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('names every one of them', async () => {
    const device = await begin()
    await device.override('power', 20, 0, 60)
    await device.override('valve', 2, 0, 60)
    await expect(commission(device, aSystem('sys', []))).rejects.toThrow(/^Battery power, Valve would no longer/)
  })

  test('is refused for a window that is yet to come', async () => {
    const device = await begin()
    await device.override('power', 20, 600, 660)
    await expect(commission(device, system(valve, meter))).rejects.toThrow('Battery power')
  })

  test('is refused until the equipment has taken its value back', async () => {
    const device = await begin()
    const id = await device.override('power', 20, 0, 60)
    device.equipment.cut = 'no route'
    await device.pass(2)
    await device.cancel(id)
    await expect(commission(device, system(valve, meter))).rejects.toThrow('wait until it has been handed back')
    device.equipment.cut = undefined
    await device.pass(60)
    expect(device.equipment.points.get('power')).toBe(10)
    await commission(device, system(valve, meter))
    expect(await known(device)).toEqual(['valve', 'meter'])
  })

  test('is refused when the override was asked for in the moment before', async () => {
    const device = await begin()
    const placed = device.override('power', 20, 0, 60)
    const commissioned = commission(device, system(valve, meter))
    await expect(commissioned).rejects.toThrow('Battery power')
    await placed
    expect(device.equipment.points.get('power')).toBe(20)
  })
})

describe('commissioning goes through', () => {
  test('where nothing of it is held', async () => {
    const device = await begin()
    await device.override('power', 20, 0, 60)
    await commission(device, system(power, meter))
    expect(await known(device)).toEqual(['power', 'meter'])
    expect(device.equipment.points.get('power')).toBe(20)
  })

  test('when what was held has ended', async () => {
    const device = await begin()
    await device.override('power', 20, 0, 60)
    await device.pass(60)
    await commission(device, aSystem('sys', []))
    await expect(device.call('getTechnicalConnectionValues', { id: 'conn' })).rejects.toThrow('not loaded')
  })

  test('for a held datapoint that stays what and where it is: it stays held', async () => {
    const device = await begin()
    await device.override('power', 20, 0, 60)
    await commission(device, system({ ...power, name: 'Renamed', writeInterval: 5 }, valve, meter))
    await device.pass(1)
    expect(device.equipment.points.get('power')).toBe(20)
    await device.pass(60)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('in another system, whatever is held in this one', async () => {
    const device = await begin()
    await device.override('power', 20, 0, 60)
    await commission(device, aSystem('other', [aConnection({ id: 'far', datapoints: [aDatapoint({ id: 'pump' })] })]))
    await commission(device, aSystem('other', []))
    expect(device.equipment.points.get('power')).toBe(20)
  })
})

describe('an override that comes while its datapoint is being taken away', () => {
  test('is refused, and nothing is held or written', async () => {
    const device = await begin()
    const commissioned = commission(device, system(valve, meter))
    // It is its turn from the next moment on.
    await Promise.resolve()
    await expect(device.override('power', 20, 0, 60)).rejects.toThrow(
      'datapoint power is being commissioned anew; send the command again in a moment',
    )
    await commissioned
    expect(device.equipment.writes).toEqual([])
    await expect(device.override('power', 20, 0, 60)).rejects.toThrow('not loaded on this device')
  })

  test('is taken when the commissioning was refused', async () => {
    const device = await begin()
    const id = await device.override('power', 20, 0, 60)
    await expect(commission(device, system(valve, meter))).rejects.toThrow('Battery power')
    await device.override('power', 30, 0, 60)
    expect(device.equipment.points.get('power')).toBe(30)
    await device.cancel(id)
  })
})

test('commissioning whose deadline passed while it waited is refused, and changes nothing', async () => {
  const device = await begin()
  await expect(commission(device, system(valve), { inTime: () => false })).rejects.toThrow('after its deadline')
  expect(await known(device)).toEqual(['power', 'valve', 'meter'])
})
