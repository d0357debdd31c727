import { describe, expect, test } from 'vitest'
import { aPlant, BATTERY, BOILER } from './testing/plant.ts'

const STORAGE = { chargeId: 'charge', capacityKwh: 40, lowestPercent: 10, highestPercent: 100 }
const loads = [{ ...BATTERY, storage: STORAGE }, BOILER]
/** Above the limit by so much that the battery would have to supply 30 kW, and the boiler could run. */
const [BASE_KW, LIMIT_KW] = [51, 30]
/** Of 40 kWh, a charge of 20 percent has 4 kWh above the lowest one, less what rounding may hide: 7.6 kW for half an hour. */
const LOW_PERCENT = 20

/** A site under a limit. `undefined` is a charge that cannot be read. */
async function aLimitedPlant(percent: number | undefined) {
  const plant = await aPlant({ baseKw: BASE_KW, settings: { loads } })
  if (percent === undefined) plant.controller.equipment.unreadable.set('charge', 'no answer')
  else plant.controller.equipment.points.set('charge', percent)
  await plant.controller.pass(20)
  await plant.limit(LIMIT_KW, 3_600, { averagingSeconds: 0 })
  await plant.controller.pass(60)
  const stored = async () => (await plant.state()).stored
  return { ...plant, stored }
}

describe('a battery whose charge is read', () => {
  test('supplies what is needed while it has the energy, so that the boiler runs', async () => {
    const { register, drawn, stored } = await aLimitedPlant(90)
    expect([register('battery'), register('boiler')]).toEqual([expect.closeTo(-30.5, -1), 1])
    expect(drawn()).toBeLessThanOrEqual(LIMIT_KW)
    expect(await stored()).toEqual([
      { datapointId: 'battery', chargePercent: 90, supplyKwh: 31.8, drawKwh: expect.closeTo(3.8, 1), trouble: null },
    ])
  })

  test('that has little left is spared: the boiler stops first', async () => {
    const { controller, register, drawn } = await aLimitedPlant(LOW_PERCENT)
    expect(register('boiler')).toBe(0)
    expect(register('battery')).toBeGreaterThan(-23)
    // Nothing else is left: what is kept for later is used.
    expect(drawn()).toBeLessThanOrEqual(LIMIT_KW)
    controller.equipment.points.set('charge', 10)
    await controller.pass(60)
    expect(register('battery')).toBe(0)
    expect(await controller.call('getControlState', {})).toMatchObject({ powerLimit: { state: 'exhausted' } })
  })

  test.each<[string, number | undefined, string]>([
    ['cannot be read', undefined, 'unreadable'],
    ['is no percentage', 6553.5, 'implausible'],
    ['is below zero', -1, 'implausible'],
  ])('that %s is limited as without a charge, and says so', async (_what, percent, trouble) => {
    const { controller, register, stored } = await aLimitedPlant(percent)
    expect(await stored()).toMatchObject([{ supplyKwh: null, drawKwh: null, trouble }])
    expect([register('battery'), register('boiler')]).toEqual([expect.closeTo(-30.5, -1), 1])
    expect(controller.state?.powerLimit?.stored).toMatchObject([{ trouble }])
  })

  test('whose charge stays the same while it supplies is not believed, until it changes', async () => {
    const { controller, stored } = await aLimitedPlant(60)
    await controller.pass(700)
    expect(await stored()).toMatchObject([{ chargePercent: 60, trouble: 'frozen' }])
    controller.equipment.points.set('charge', 59)
    await controller.pass(20)
    expect(await stored()).toMatchObject([{ chargePercent: 59, trouble: null }])
  })

  test('that is full takes up no power that must not be exported, so that nothing is planned with it', async () => {
    const plant = await aPlant({ baseKw: -60, settings: { loads } })
    plant.controller.equipment.points.set('charge', 100)
    await plant.controller.pass(20)
    await plant.limit(10, 3_600, { direction: 'export', averagingSeconds: 0 })
    await plant.controller.pass(60)
    expect(await plant.state()).toMatchObject({ state: 'exhausted', stored: [{ drawKwh: 0 }] })
  })
})

test('a battery that runs empty without a charge that is read is recognized, and the boiler stops at once', async () => {
  const plant = await aPlant({ baseKw: BASE_KW })
  const { controller, register, drawn, limit } = plant
  await limit(LIMIT_KW, 7_200, { averagingSeconds: 0 })
  await controller.pass(60)
  expect([register('battery'), register('boiler')]).toEqual([expect.closeTo(-30.5, -1), 1])
  // It supplies nothing any more, whatever it is set to.
  plant.emptyBelowKw = 0
  await controller.pass(15)
  expect(register('boiler')).toBe(0)
  // It is still asked, and what it supplies again is used.
  expect(register('battery')).toBeLessThan(-30)
  plant.emptyBelowKw = undefined
  await controller.pass(60)
  expect(drawn()).toBeLessThanOrEqual(LIMIT_KW)
  plant.baseKw = 5
  await controller.pass(400)
  expect([register('battery') > 0, register('boiler')]).toEqual([true, 1])
})
