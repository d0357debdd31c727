import type { PowerLimitSettings, TechnicalSystem } from '@plantroom/contract/datapoint'
import { describe, expect, test } from 'vitest'
import { aPlant, BATTERY, BOILER, BOILER_KW } from './testing/plant.ts'

const STORAGE = { chargeId: 'charge', capacityKwh: 40, lowestPercent: 10, highestPercent: 100 }
const LIMIT_KW = 30

type Plant = Awaited<ReturnType<typeof aPlant>>

/** Loads the file of a plant again, with other settings of its power limit. */
function commissionWith({ controller }: Plant, change: Partial<PowerLimitSettings>): Promise<void> {
  const { powerLimit, ...system } = controller.system
  if (!powerLimit) throw new Error('the plant has no power limit')
  const changed: TechnicalSystem = { ...system, powerLimit: { ...powerLimit, ...change } }
  return controller.commission(changed)
}

async function aLimitedPlant(baseKw: number, forSeconds = 7_200) {
  const plant = await aPlant({ baseKw })
  await plant.limit(LIMIT_KW, forSeconds, { averagingSeconds: 0 })
  await plant.controller.pass(60)
  return plant
}

describe('a file that is loaded while a limit counts', () => {
  test('with a smaller range of a load moves it into that, and others take over', async () => {
    const plant = await aLimitedPlant(60)
    const { controller, register } = plant
    expect(register('battery')).toBeLessThanOrEqual(-39)
    await commissionWith(plant, { loads: [{ ...BATTERY, minKw: -10 }, BOILER] })
    await controller.pass(60)
    expect([register('battery'), register('boiler')]).toEqual([-10, 0])
  })

  test('with another kind of a load stops it, and gives back what it had', async () => {
    const plant = await aLimitedPlant(25, 200)
    const { controller, register, drawn } = plant
    await commissionWith(plant, { loads: [BATTERY, { ...BATTERY, ...BOILER_AS_MODULATING }] })
    await controller.pass(60)
    expect(drawn()).toBeLessThanOrEqual(LIMIT_KW)
    await controller.pass(120)
    expect([register('battery'), register('boiler')]).toEqual([20, 1])
  })

  test('with a storage that is almost empty spares it, and without it uses its range again', async () => {
    const plant = await aLimitedPlant(51)
    const { controller, register, drawn } = plant
    expect(register('boiler')).toBe(1)
    controller.equipment.points.set('charge', 20)
    await commissionWith(plant, { loads: [{ ...BATTERY, storage: STORAGE }, BOILER] })
    await controller.pass(60)
    expect(register('boiler')).toBe(0)
    await commissionWith(plant, { loads: [BATTERY, BOILER] })
    plant.baseKw = 75
    await controller.pass(60)
    expect(drawn()).toBeLessThanOrEqual(LIMIT_KW)
    expect((await plant.state()).stored).toBeUndefined()
  })

  test('with a higher guaranteed power gives that back, and with a lower one takes it again', async () => {
    const plant = await aLimitedPlant(20)
    const { controller, drawn } = plant
    await commissionWith(plant, { guaranteedKw: 40 })
    await controller.pass(200)
    expect(drawn()).toBeGreaterThan(LIMIT_KW + 5)
    await commissionWith(plant, { guaranteedKw: 4.2 })
    await controller.pass(60)
    expect(drawn()).toBeLessThanOrEqual(LIMIT_KW)
  })
})

const BOILER_AS_MODULATING = { datapointId: 'boiler', priority: 2, minKw: 0, maxKw: BOILER_KW, kwPerUnit: BOILER_KW }

describe('limits of both directions', () => {
  test('with a meter that turns, steps and freezes in between keep what they can once it is right, and give back everything', async () => {
    const plant = await aPlant({ baseKw: 25 })
    const { controller, register, drawn, limit } = plant
    await limit(LIMIT_KW, 900, { averagingSeconds: 0 })
    await limit(5, 900, { direction: 'export', averagingSeconds: 0 })
    const settled = async () => {
      await controller.pass(120)
      expect(drawn()).toBeLessThanOrEqual(LIMIT_KW)
      expect(drawn()).toBeGreaterThanOrEqual(-5)
    }
    await settled()
    for (const kw of [60, -40]) {
      plant.isMeterTurned = true
      await controller.pass(40)
      plant.isMeterTurned = false
      plant.baseKw = kw
      await controller.pass(20)
      plant.frozenAt = drawn()
      await controller.pass(120)
      plant.frozenAt = undefined
      await settled()
    }
    await controller.pass(500)
    expect([register('battery'), register('boiler')]).toEqual([20, 1])
  })

  test('are proven once for each quarter of an hour when the clock steps across its end', async () => {
    const { controller, limit, proven } = await aPlant({ baseKw: 25 })
    const ids = [await limit(LIMIT_KW, 5_400), await limit(5, 5_400, { direction: 'export' })]
    for (const seconds of [600, -700, 900, -40, 20]) {
      await controller.pass(300)
      controller.clock.step(seconds * 1000)
      await controller.pass(5)
    }
    await controller.pass(5_400)
    for (const id of ids) {
      const intervals = proven(id ?? '')
      expect(intervals.length).toBeGreaterThan(4)
      for (const { from, to, coverage } of intervals) {
        const seconds = (Date.parse(to) - Date.parse(from)) / 1000
        expect(seconds).toBeGreaterThan(0)
        expect(seconds).toBeLessThanOrEqual(900)
        expect(Math.floor(Date.parse(from) / 900_000)).toBe(Math.ceil(Date.parse(to) / 900_000) - 1)
        expect(coverage).toBeLessThanOrEqual(100)
      }
    }
  })
})
