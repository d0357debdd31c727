import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Controller, startController } from '../testing/controller.ts'
import { memoryTargets } from '../testing/memory-driver.ts'

const writable = (id: string, createdAt: string) =>
  aDatapoint({ id, name: id.toUpperCase(), accessType: 'READ_WRITE', data: { register: 7 }, createdAt })
const connection = (host: string, datapoint: ReturnType<typeof writable>) =>
  aConnection({ id: host, name: host, settings: { host }, datapoints: [datapoint] })
const system = aSystem('sys', [
  connection('127.0.0.1', writable('younger', '2026-02-02T00:00:00.000Z')),
  connection('localhost', writable('older', '2026-01-01T00:00:00.000Z')),
])

/** One register under two names. A version that does not see that has accepted the file. */
async function startTestDevice(): Promise<{ device: Controller; update(): Promise<void>; register(): unknown }> {
  let knowsSpellings = false
  const device = await startController(system, {
    points: { older: 10, younger: 10 },
    targets: (one) => memoryTargets(knowsSpellings ? { ...one, settings: { host: 'localhost' } } : one),
  })
  onTestFinished(() => device.stop())
  const { points } = device.equipment
  device.equipment.afterWrite = (_id, raw) => {
    for (const id of points.keys()) points.set(id, raw)
  }
  return {
    device,
    async update() {
      knowsSpellings = true
      await device.restart()
    },
    register: () => points.get('older'),
  }
}

const REASON = /^datapoint YOUNGER is not written: datapoint OLDER writes the same register 7/

describe('two datapoints on one register that an earlier version accepted', () => {
  test('are reported, and the younger one gets no override', async () => {
    const { device, update } = await startTestDevice()
    await update()
    await device.pass(10)
    expect(device.health?.notTaken).toMatchObject([{ id: 'younger', reason: expect.stringMatching(REASON) }])
    await expect(device.override('younger', 30, 0, 60)).rejects.toThrow(REASON)
    await device.override('older', 20, 0, 60)
    expect(device.equipment.points.get('older')).toBe(20)
  })

  test('restore the value from before both when the older one was held first', async () => {
    const { device, update, register } = await startTestDevice()
    await device.override('older', 20, 0, 60)
    await device.override('younger', 30, 0, 120)
    await update()
    expect(register()).toBe(20)
    await device.pass(180)
    expect(register()).toBe(10)
    expect(device.state?.holds).toEqual([])
    expect(device.reports.map(({ datapointId, phase, reason }) => [datapointId, phase, reason])).toEqual([
      ['older', 'applied', 'window'],
      ['younger', 'applied', 'window'],
      ['younger', 'released', 'abandoned'],
      ['older', 'released', 'ended'],
    ])
  })

  test('restore the value from before both when the younger one was held first', async () => {
    const { device, update, register } = await startTestDevice()
    await device.override('younger', 30, 0, 120)
    await device.override('older', 20, 0, 60)
    await update()
    expect(register()).toBe(10)
    const restored = device.equipment.writes.length
    await device.pass(180)
    expect(device.equipment.writes).toHaveLength(restored)
    expect(device.state?.holds).toEqual([])
  })

  test('do not start a hold on the older one before the younger one is restored', async () => {
    const { device, update, register } = await startTestDevice()
    await device.override('younger', 30, 0, 120)
    device.equipment.cut = 'no route'
    await update()
    await expect(device.override('older', 20, 0, 60)).rejects.toThrow(
      'datapoint OLDER is not written yet: datapoint YOUNGER writes the same register 7 and is not restored',
    )
    device.equipment.cut = undefined
    await device.pass(30)
    expect(register()).toBe(10)
    await device.override('older', 20, 0, 60)
    await device.pass(61)
    expect(register()).toBe(10)
  })

  test('end what is queued for the younger one, and keep what is queued for the older one', async () => {
    const { device, update, register } = await startTestDevice()
    await device.override('younger', 30, 60, 120)
    await device.override('older', 20, 60, 120)
    await update()
    await device.pass(61)
    expect(register()).toBe(20)
    await device.pass(60)
    expect(register()).toBe(10)
    const ended = device.reports.find(({ datapointId }) => datapointId === 'younger')
    expect(ended?.cancelledBy).toEqual({
      ...{ id: 'controller', name: 'Controller', reason: 'OLDER and YOUNGER write the same register 7' },
    })
  })
})
