import { describe, expect, test } from 'vitest'
import { aPowerController } from '../testing/power-controller.ts'

const NO_TROUBLE = { connections: [], notTaken: [], notRestored: [] }

describe('the health of a whole controller', () => {
  test('says that equipment does not take its setpoint, then that it could not be set back, then nothing', async () => {
    const device = await aPowerController()
    await device.pass(10)
    expect(device.health).toMatchObject(NO_TROUBLE)
    device.equipment.ignores.add('power')
    await device.override('power', 20, 0, 600)
    await device.pass(60)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(device.health).toMatchObject({ ...NO_TROUBLE, notTaken: [{ id: 'power' }] })
    device.equipment.ignores.clear()
    await device.pass(120)
    expect(device.equipment.points.get('power')).toBe(20)
    expect(device.health).toMatchObject(NO_TROUBLE)

    device.equipment.refuse.add('power')
    await device.pass(600)
    expect(device.equipment.points.get('power')).toBe(20)
    expect(device.health).toMatchObject({ ...NO_TROUBLE, notRestored: [{ id: 'power' }] })
    device.equipment.refuse.clear()
    await device.pass(120)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(device.health).toMatchObject(NO_TROUBLE)
  })

  test('says that a connection is down, and for how long when the cloud is back', async () => {
    const device = await aPowerController()
    await device.pass(10)
    device.uplink = false
    device.equipment.cut = 'cable pulled'
    await device.pass(120)
    expect(device.health).toMatchObject(NO_TROUBLE)
    await device.reconnect()
    const [down] = device.health?.connections ?? []
    expect(down?.seconds).toBeGreaterThanOrEqual(100)
    device.equipment.cut = undefined
    await device.pass(90)
    expect(device.health).toMatchObject(NO_TROUBLE)
  })

  test('says that the clock is wrong', async () => {
    const device = await aPowerController()
    await device.reconnect(device.clock.now() + 30_000)
    await device.pass(5)
    expect(device.health).toMatchObject({ clockOffsetMs: -30_000, clockWrongSeconds: expect.any(Number) })
    await device.reconnect(device.clock.now() + 4_000)
    await device.pass(5)
    expect(device.health).toMatchObject({ clockWrongSeconds: null })
  })
})
