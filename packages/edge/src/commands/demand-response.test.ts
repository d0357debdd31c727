import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Controller, startController } from '../testing/controller.ts'

const writable = { accessType: 'READ_WRITE', writeInputData: { min: -50, max: 50 } } as const

async function startTestDevice(): Promise<Controller> {
  const datapoints = [aDatapoint({ id: 'power', ...writable }), aDatapoint({ id: 'meter' })]
  const system = aSystem('sys', [aConnection({ datapoints })])
  const started = await startController(system, { points: { power: 10, meter: 3 } })
  onTestFinished(() => started.stop())
  return started
}

const window = { datapointId: 'power', value: 20, from: '2030-01-01T00:00:00Z', to: '2030-01-01T01:00:00Z' }
const override = (device: Controller, about: object = {}, caller = {}) =>
  device.call('demandResponseOverride', { ...window, ...about }, caller) as Promise<{ id: string }>

describe('demandResponseOverride', () => {
  test('answers with the override id and nothing else', async () => {
    expect(await override(await startTestDevice())).toEqual({ id: expect.stringMatching(/^ovr_/) })
  })

  test.each([
    ['20', 'value is not a finite number'],
    [null, 'value is not a finite number'],
    [undefined, 'value is not a finite number'],
    [Number.POSITIVE_INFINITY, 'value is not a finite number'],
    [Number.NaN, 'value is not a finite number'],
  ])('rejects the value %j', async (value, message) => {
    const device = await startTestDevice()
    await expect(override(device, { value })).rejects.toThrow(message)
    expect(device.equipment.writes).toEqual([])
  })

  test.each(['2030-01-01', '2030-01-01T00:00:00', 'tomorrow', '', undefined, null, 7, {}])(
    'rejects the time %j and names the field',
    async (time) => {
      const device = await startTestDevice()
      await expect(override(device, { from: time })).rejects.toThrow('from is not a time with a zone')
      await expect(override(device, { to: time })).rejects.toThrow('to is not a time with a zone')
    },
  )

  test('accepts times in any time zone', async () => {
    const device = await startTestDevice()
    await override(device, { from: '2030-01-01T02:00:00+02:00', to: '2029-12-31T23:00:01-01:00' })
    await device.pass(0)
    expect(device.equipment.points.get('power')).toBe(20)
    await device.pass(1)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test.each(['unknown', '__proto__', '', undefined, null])('rejects the datapoint %j', async (datapointId) => {
    const device = await startTestDevice()
    await expect(override(device, { datapointId })).rejects.toThrow(`datapoint ${datapointId} is not loaded`)
  })

  test('rejects a READ datapoint', async () => {
    await expect(override(await startTestDevice(), { datapointId: 'meter' })).rejects.toThrow('meter is READ')
  })

  test('is rejected when its deadline passes while it waits for the disk, and nothing is saved', async () => {
    const device = await startTestDevice()
    let asked = 0
    const inTime = () => {
      asked += 1
      return false
    }
    await expect(override(device, {}, { inTime })).rejects.toThrow('after its deadline; nothing was done')
    expect(asked).toBe(1)
    await device.restart()
    expect(device.equipment.writes).toEqual([])
    expect(device.reports).toEqual([])
  })
})

describe('demandResponseCancel', () => {
  test('answers success every time it is sent', async () => {
    const device = await startTestDevice()
    const { id } = await override(device)
    expect(await device.cancel(id)).toEqual({ success: true })
    expect(await device.cancel(id)).toEqual({ success: true })
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test.each(['ovr_made-up', '', undefined, null, {}])('rejects the id %j', async (id) => {
    const device = await startTestDevice()
    await expect(device.call('demandResponseCancel', { id })).rejects.toThrow(
      'this device never issued the override id',
    )
  })
})
