import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ControlState } from '@plantroom/contract/control-state'
import { describe, expect, test } from 'vitest'
import { giveBack } from '../testing/given-back.ts'
import { aPlant, BOILER_KW } from './testing/plant.ts'

const CONTACT = { datapointId: 'contact', limitKw: 25, closedValue: 1, debounceSeconds: 5, whenLost: 'closed' } as const
/** Battery and boiler bring the site to 49 kW while nothing is limited. */
const BASE_KW = 20

type Plant = Awaited<ReturnType<typeof aPlant>>

/** Collects writes that bring the site above a power, or further above it, by the registers. */
function writesAbove(plant: Plant, kw: number): string[] {
  const found: string[] = []
  plant.controller.equipment.beforeWrite = (id, raw) => {
    const after = (one: string) => (one === id ? Number(raw) : plant.register(one))
    const drawn = plant.baseKw + after('battery') + BOILER_KW * after('boiler')
    if (drawn > Math.max(kw, plant.drawn())) found.push(`${id} ${Number(raw)}`)
  }
  return found
}

/** Ends the controller as a power cut does that takes the end of the journal with it. */
async function loseTheEnd({ controller }: Plant): Promise<void> {
  await controller.restart()
  await controller.pass(40)
  await controller.crash(1, (folder) => rmSync(join(folder, 'journal.db-wal')))
  expect(controller.state?.memory?.lost).toMatch(/missing|damaged/)
}

describe('a controller that has lost part of its memory', () => {
  test('keeps the limit of a contact that is closed, follows it, and dates nothing of it', async () => {
    const plant = await aPlant({ baseKw: BASE_KW, settings: { inputs: [CONTACT] } })
    const { controller, register, drawn, intervals, state } = plant
    controller.equipment.points.set('contact', 1)
    await controller.pass(60)
    expect(drawn()).toBeLessThanOrEqual(25)
    const above = writesAbove(plant, 25)
    await loseTheEnd(plant)
    const proven = intervals().length
    await controller.pass(1_200)
    expect(await state()).toMatchObject({ state: 'limited', importKw: 25 })
    expect(drawn()).toBeLessThanOrEqual(25)
    expect(above).toEqual([])
    controller.equipment.points.set('contact', 0)
    await controller.pass(400)
    expect([register('battery'), register('boiler')]).toEqual([20, 1])
    controller.equipment.points.set('contact', 1)
    await controller.pass(60)
    expect(drawn()).toBeLessThanOrEqual(25)
    expect(intervals()).toHaveLength(proven)
  })

  test('keeps the fallback, also beside the cloud, until it has what it had', async () => {
    const plant = await aPlant({ baseKw: BASE_KW, settings: { fallback: { importKw: 30 } } })
    const { controller, register, drawn, state } = plant
    await controller.pass(30)
    const kept = controller.state as ControlState
    expect(drawn()).toBe(49)
    await loseTheEnd(plant)
    await controller.pass(600)
    expect(await state()).toMatchObject({ state: 'fallback', importKw: 30 })
    expect(drawn()).toBeLessThanOrEqual(30)
    await giveBack(controller, kept)
    await controller.pass(400)
    expect(await state()).toMatchObject({ state: 'unlimited' })
    expect([register('battery'), register('boiler')]).toEqual([20, 1])
  })

  test('keeps a placed limit until it ends, and proves and closes it once it is given back', async () => {
    const plant = await aPlant({ baseKw: BASE_KW })
    const { controller, register, drawn, limit, audited } = plant
    await limit(25, 900, { averagingSeconds: 0 })
    await controller.pass(60)
    const kept = controller.state as ControlState
    const above = writesAbove(plant, 25)
    await loseTheEnd(plant)
    await controller.pass(300)
    expect(drawn()).toBeLessThanOrEqual(25)
    await giveBack(controller, kept)
    await controller.pass(60)
    expect(drawn()).toBeLessThanOrEqual(25)
    expect(above).toEqual([])
    await controller.pass(800)
    expect([register('battery'), register('boiler')]).toEqual([20, 1])
    expect(audited().at(-1)).toBe('released (ended) 25')
  })
})

describe('a controller that comes back empty', () => {
  const empty = (folder: string) => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
  }

  test.each(['a contact', 'the fallback'])(
    'keeps the loads down for %s while it is given back what it had',
    async (what) => {
      const settings = what === 'a contact' ? { inputs: [CONTACT] } : { fallback: { importKw: 25 } }
      const plant = await aPlant({ baseKw: BASE_KW, settings })
      const { controller, drawn, state } = plant
      controller.equipment.points.set('contact', 1)
      controller.uplink = false
      await controller.restart()
      await controller.pass(60)
      expect(drawn()).toBeLessThanOrEqual(25)
      const kept = (await controller.call('getControlState', {})) as ControlState
      const above = writesAbove(plant, 25)
      await controller.crash(1, empty)
      await giveBack(controller, { ...controller.state, ...kept })
      await controller.pass(60)
      expect(drawn()).toBeLessThanOrEqual(25)
      expect(above).toEqual([])
      expect(await state()).toMatchObject({ importKw: 25 })
    },
  )

  test('limits for a contact as soon as a file is loaded, when nothing is given back', async () => {
    const plant = await aPlant({ baseKw: BASE_KW, settings: { inputs: [CONTACT] } })
    const { controller, drawn, system } = plant
    await controller.crash(1, (folder) => rmSync(join(folder, 'journal.db')))
    expect(controller.state?.memory?.lost).toMatch(/missing/)
    controller.equipment.points.set('contact', 1)
    await controller.pass(30)
    expect(drawn()).toBe(49)
    await controller.commission(system)
    await controller.pass(30)
    expect(drawn()).toBeLessThanOrEqual(25)
  })
})
