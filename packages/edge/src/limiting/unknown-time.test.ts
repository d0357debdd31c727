import { describe, expect, test } from 'vitest'
import { aPlant } from './testing/plant.ts'

/** So far behind, a clock does not catch up before the end of any limit. */
const BEHIND_S = 90 * 86_400
const CONTACT = { datapointId: 'contact', limitKw: 25, closedValue: 1, debounceSeconds: 5, whenLost: 'closed' } as const

/** Starts the controller after a power cut with a clock that is behind, and without the cloud. */
async function startWithoutTime({ controller }: Awaited<ReturnType<typeof aPlant>>) {
  controller.uplink = false
  controller.clock.step(-BEHIND_S * 1000)
  await controller.crash(1)
  await controller.pass(10)
}

describe('while the controller does not know the time', () => {
  test('a contact limits as ever, and nothing about it is dated', async () => {
    const plant = await aPlant({ baseKw: 20, settings: { inputs: [CONTACT] } })
    const { controller, register, drawn, intervals, state } = plant
    await controller.pass(30)
    await startWithoutTime(plant)
    controller.equipment.points.set('contact', 1)
    await controller.pass(1_200)
    expect(await state()).toMatchObject({ state: 'limited', importKw: 25 })
    expect(drawn()).toBeLessThanOrEqual(25)
    controller.equipment.points.set('contact', 0)
    await controller.pass(60)
    expect([register('battery'), register('boiler')]).toEqual([20, 1])
    await controller.reconnect(controller.clock.now() + BEHIND_S * 1000)
    await controller.pass(60)
    expect(intervals()).toEqual([])
  })

  test('the fallback counts until the cloud is reached', async () => {
    const plant = await aPlant({ baseKw: 20, settings: { fallback: { importKw: 30 } } })
    const { controller, register, drawn, state } = plant
    await controller.pass(30)
    expect(drawn()).toBe(49)
    await startWithoutTime(plant)
    await controller.pass(600)
    expect(await state()).toMatchObject({ state: 'fallback', importKw: 30 })
    expect(drawn()).toBeLessThanOrEqual(30)
    await controller.reconnect(controller.clock.now() + BEHIND_S * 1000)
    await controller.pass(30)
    expect([register('battery'), register('boiler')]).toEqual([20, 1])
  })

  test('a limit bounds the loads for what was left of it at most, and is proven and closed when the time is known', async () => {
    const plant = await aPlant({ baseKw: 20 })
    const { controller, register, drawn, limit, audited, state } = plant
    await limit(10, 600, { averagingSeconds: 0 })
    await controller.pass(60)
    await startWithoutTime(plant)
    await controller.pass(300)
    expect(await state()).toMatchObject({ state: 'limited', importKw: 10 })
    expect(drawn()).toBeLessThanOrEqual(10)
    await controller.pass(400)
    expect([register('battery'), register('boiler')]).toEqual([20, 1])
    expect(audited().filter((line) => line.startsWith('released'))).toEqual([])
    await controller.reconnect(controller.clock.now() + BEHIND_S * 1000)
    await controller.pass(30)
    expect(audited()).toEqual(['applied (window) 10', 'interval (window) 10', 'released (ended) 10'])
  })
})
