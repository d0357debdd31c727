import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isKept } from '@plantroom/contract/power-limit'
import { describe, expect, test } from 'vitest'
import { aPlant, BOILER, BOILER_KW } from './testing/plant.ts'

/** To the start of the next quarter of an hour. */
const toQuarter = (now: number) => (900_000 - (now % 900_000)) / 1000

describe('a power limit', () => {
  test('bounds the loads by their registers, gives them back when it ends, and proves itself', async () => {
    const { controller, register, drawn, limit, audited, intervals, state } = await aPlant()
    await controller.pass(toQuarter(controller.clock.now()))
    await limit(30, 1800)
    await controller.pass(60)
    expect(drawn()).toBeLessThanOrEqual(30)
    expect(drawn()).toBeGreaterThan(27)
    expect(register('boiler')).toBe(1)
    expect(await state()).toMatchObject({ state: 'limited', importKw: 30, moved: [{ datapointId: 'battery' }] })
    await controller.pass(1750)
    expect(register('battery')).toBe(20)
    expect(audited()).toEqual([
      'applied (window) 30',
      'interval (window) 30',
      'interval (window) 30',
      'released (ended) 30',
    ])
    for (const { meanKw, limitKw, coverage, moved } of intervals()) {
      expect(meanKw).toBeLessThanOrEqual(limitKw)
      expect([coverage, moved]).toEqual([100, ['battery']])
    }
    expect(await state()).toMatchObject({ state: 'unlimited', limits: [], moved: [] })
  })

  test('stops what only switches when nothing else is left, for its minimum time, and says when all is used up', async () => {
    const plant = await aPlant({ baseKw: 60 })
    const { controller, register, limit, state } = plant
    await limit(10, 120, { averagingSeconds: 0 })
    await controller.pass(60)
    expect([register('battery'), register('boiler')]).toEqual([-50, 0])
    expect(await state()).toMatchObject({ state: 'limited' })
    plant.baseKw = 80
    await controller.pass(30)
    expect(await state()).toMatchObject({ state: 'exhausted' })
    await controller.pass(60)
    expect([register('battery'), register('boiler')]).toEqual([20, 0])
    await controller.pass(300)
    expect(register('boiler')).toBe(1)
  })

  test('of the export bounds what supplies', async () => {
    const { controller, register, drawn, limit, intervals } = await aPlant({ baseKw: 0 })
    await controller.override('battery', -40, 0, 1200)
    await limit(10, 600, { direction: 'export' })
    await controller.pass(120)
    expect(drawn()).toBeGreaterThanOrEqual(-16)
    await controller.pass(600)
    expect(register('battery')).toBe(-40)
    expect(intervals().at(-1)).toMatchObject({ direction: 'export', limitKw: 10, moved: ['battery'] })
    expect(intervals().at(-1)?.meanKw).toBeLessThanOrEqual(10)
    expect(intervals().at(-1)?.meanKw).toBeGreaterThan(5)
  })

  test('of the export that cannot be kept is proven as missed, and its mean so far is power into the grid', async () => {
    const { controller, limit, intervals, state } = await aPlant({ baseKw: -80 })
    await controller.pass(toQuarter(controller.clock.now()))
    await limit(10, 900, { direction: 'export' })
    await controller.pass(600)
    expect(await state()).toMatchObject({ state: 'exhausted', exportKw: 10 })
    expect((await state()).meanKw).toBeLessThan(-20)
    await controller.pass(310)
    expect(intervals()).toMatchObject([{ direction: 'export', limitKw: 10, coverage: 100 }])
    expect(intervals()[0]?.meanKw).toBeGreaterThan(20)
    expect(intervals().map(isKept)).toEqual([false])
  })

  test('that overlaps others has intervals of its own, over its own time', async () => {
    const { controller, drawn, limit, at, proven } = await aPlant({ baseKw: 20 })
    await controller.pass(toQuarter(controller.clock.now()))
    const start = controller.clock.now()
    const wide = await limit(60, 2700)
    const strict = await limit(30, 0, { from: at(300), to: at(1200) })
    const same = await limit(60, 1800)
    await controller.override('battery', 50, 0, 2700)
    await controller.pass(290)
    expect(drawn()).toBeGreaterThan(50)
    await controller.pass(2420)
    const inSeconds = (one: { from: string; to: string }) =>
      [one.from, one.to].map((time) => Math.round((Date.parse(time) - start) / 1000))
    expect(proven(wide).map(inSeconds)).toEqual([
      [0, 900],
      [900, 1800],
      [1800, 2700],
    ])
    expect(proven(strict).map(inSeconds)).toEqual([
      [300, 900],
      [900, 1200],
    ])
    expect(proven(same).map(inSeconds)).toEqual([
      [0, 900],
      [900, 1800],
    ])
    for (const [id, kw] of [
      [wide, 60],
      [strict, 30],
      [same, 60],
    ] as const) {
      for (const interval of proven(id)) {
        expect(interval).toMatchObject({ limitKw: kw, coverage: 100, moved: ['battery'] })
        expect(isKept(interval)).toBe(true)
      }
    }
    // Of the first quarter, 5 minutes had twice as much as the others.
    expect(proven(wide)[0]?.meanKw).toBeGreaterThan(34)
    // What the strict limit left unused is allowed after it.
    expect(proven(wide)[1]?.meanKw).toBeGreaterThan(55)
  })

  test('is kept for its whole quarter of an hour, also when a stricter one counts in the middle of it', async () => {
    const plant = await aPlant({ baseKw: 20 })
    const { controller, limit, at, proven } = plant
    await controller.pass(toQuarter(controller.clock.now()))
    const wide = await limit(40, 900)
    await limit(39, 0, { from: at(400), to: at(460) })
    await controller.override('battery', 50, 0, 900)
    // Nothing can be moved for it at first.
    plant.baseKw = 100
    await controller.pass(200)
    plant.baseKw = 0
    await controller.pass(710)
    expect(proven(wide).map(({ meanKw }) => (meanKw ?? 99) <= 40)).toEqual([true])
  })

  test('that needs more while a load is being written is kept after the write', async () => {
    const plant = await aPlant({ baseKw: 20 })
    const { controller, register, limit } = plant
    const write = Promise.withResolvers<void>()
    controller.equipment.beforeWrite = (id) => (id === 'battery' ? write.promise : undefined)
    await limit(30, 3600, { averagingSeconds: 0 })
    await controller.pass(3)
    plant.baseKw = 90
    await controller.pass(5)
    controller.equipment.beforeWrite = undefined
    write.resolve()
    await controller.pass(5)
    expect(register('battery')).toBe(-50)
  })

  test('never takes the site below what it is guaranteed', async () => {
    const { controller, drawn, limit } = await aPlant({ baseKw: 3 })
    await limit(0, 600, { averagingSeconds: 0 })
    await controller.pass(120)
    expect(drawn()).toBeGreaterThan(3.5)
    expect(drawn()).toBeLessThanOrEqual(4.2)
  })

  test('gives a load back that is no longer listed, and all when it is no longer commissioned', async () => {
    const { controller, register, limit, system, audited, state } = await aPlant({ baseKw: 60 })
    await limit(10, 3600, { averagingSeconds: 0 })
    await controller.pass(60)
    expect([register('battery'), register('boiler')]).toEqual([-50, 0])
    const { powerLimit, ...without } = system
    await controller.commission({ ...system, powerLimit: { ...powerLimit, loads: powerLimit.loads.slice(0, 1) } })
    await controller.pass(60)
    expect([register('battery'), register('boiler')]).toEqual([-50, 1])
    await controller.commission(without)
    await controller.pass(5)
    expect([register('battery'), register('boiler')]).toEqual([20, 1])
    expect(controller.state?.holds).toEqual([])
    // Nothing of the limit is left, also when a meter is commissioned again.
    expect(audited().at(-1)).toBe('released (ended) 10')
    await controller.commission(system)
    await controller.pass(60)
    expect(await state()).toMatchObject({ state: 'unlimited', limits: [] })
  })

  test('is proven until its meter is no longer the one of the site', async () => {
    const { controller, limit, system, intervals } = await aPlant({ baseKw: 20 })
    await controller.pass(toQuarter(controller.clock.now()))
    await limit(30, 3600)
    await controller.pass(300)
    const proven = () => controller.reports.filter(({ interval }) => interval).map(({ datapointId }) => datapointId)
    const { powerLimit, ...without } = system
    await controller.commission({ ...system, powerLimit: { ...powerLimit, meterId: 'contact' } })
    await controller.pass(120)
    expect(proven()).toEqual(['meter'])
    await controller.commission(without)
    await controller.pass(5)
    expect(proven()).toEqual(['meter', 'contact'])
    const [first, second] = intervals()
    expect([first?.limitKw, first?.coverage, second?.from]).toEqual([30, 100, first?.to])
  })

  test('that ends shortly after a quarter of an hour has begun is not said to be missed in that moment', async () => {
    const plant = await aPlant({ baseKw: 10 })
    const { controller, limit, drawn, intervals } = plant
    await controller.pass(toQuarter(controller.clock.now()))
    await controller.override('battery', 0, 0, 600)
    await controller.override('battery', 50, 600, 1800)
    await limit(30, 907)
    await controller.pass(895)
    // Most of what was left of the quarter is drawn at its end, as it may be, and the meter is some seconds late.
    expect(drawn()).toBeGreaterThan(30)
    plant.frozenAt = drawn()
    await controller.pass(20)
    expect(intervals().map(isKept)).toEqual([true, undefined])
    expect(intervals()[1]?.meanKw).toBeGreaterThan(30)
  })

  test('is placed once, queued, and released by the reqId of its caller', async () => {
    const { controller, register, limit, at, audited } = await aPlant()
    const reqId = 'f9a1c7de-2d44-4d7b-8f0e-0f3c6a4f3a11'
    const window = { from: at(60), to: at(600) }
    const id = await limit(30, 0, window, { reqId })
    expect(await limit(30, 0, window, { reqId })).toBe(id)
    await expect(limit(31, 0, window, { reqId })).rejects.toThrow('was already used for another command')
    await controller.pass(30)
    expect(register('battery')).toBe(20)
    await controller.pass(60)
    expect(register('battery')).toBeLessThan(20)
    const { cancelled } = (await controller.call('cancelOverridesByReqId', { placedBy: 'key_1', reqIds: [reqId] })) as {
      cancelled: object[]
    }
    expect(cancelled).toEqual([{ reqId, id, datapointId: 'meter' }])
    await controller.pass(5)
    expect(register('battery')).toBe(20)
    expect(audited()).toEqual(['applied (window) 30', 'interval (window) 30', 'released (cancelled) 30'])
  })

  test.each([
    ['to before from', { from: 600, to: 60 }, 'is not after from'],
    ['more than a day', { from: 0, to: 90_000 }, 'at most 24 hours'],
    ['a negative ceiling', { from: 0, to: 60, kw: -1 }, 'kw'],
  ])('is refused with %s', async (_name, { from, to, ...more }, message) => {
    const { limit, at } = await aPlant()
    await expect(limit(30, 0, { from: at(from), to: at(to), ...more })).rejects.toThrow(message)
  })

  test('is refused without a commissioned meter, and beyond the quota of its caller', async () => {
    const { controller, limit, system } = await aPlant()
    const placed = Array.from({ length: 200 }, (_, index) => limit(30 + index, 600))
    await Promise.all(placed)
    await expect(limit(30, 600)).rejects.toThrow('you already have 200 power limits on this device')
    const { powerLimit: _, ...without } = system
    await controller.commission(without)
    await expect(limit(30, 600)).rejects.toThrow('add powerLimit to its commissioning file')
  })

  test('of a controller that is killed bounds the loads before anything else is written, and ends without the cloud', async () => {
    const { controller, register, drawn, limit } = await aPlant()
    await controller.override('battery', 40, 0, 3600)
    await limit(30, 600, { averagingSeconds: 0 })
    await controller.pass(60)
    const before = register('battery')
    expect(drawn()).toBeLessThanOrEqual(30)
    controller.uplink = false
    const written: number[] = []
    controller.equipment.beforeWrite = (id, raw) => void (id === 'battery' && written.push(Number(raw)))
    await controller.crash(1)
    await controller.pass(100)
    expect(Math.max(before, ...written)).toBeLessThan(30 - 10 - BOILER_KW + 1)
    await controller.pass(500)
    expect(register('battery')).toBe(40)
  })

  test('proves its whole interval after a restart, with a gap, and allows no more than the limit for the rest of it', async () => {
    const { controller, drawn, limit, intervals } = await aPlant()
    await controller.pass(toQuarter(controller.clock.now()))
    const began = controller.clock.now()
    await limit(30, 1800)
    // So little that the rest of the quarter of an hour could have more than the limit.
    await controller.override('battery', 0, 0, 1800)
    await controller.pass(400)
    expect(drawn()).toBeLessThan(20)
    await controller.crash(20)
    await controller.override('battery', 50, 0, 1300)
    await controller.pass(10)
    expect(drawn()).toBeLessThan(31)
    await controller.pass(490)
    const [first] = intervals()
    expect(Date.parse(first?.from ?? '')).toBe(began)
    expect(Date.parse(first?.to ?? '')).toBe(began + 900_000)
    expect(first?.coverage).toBe(53)
    expect(first?.meanKw).toBeLessThanOrEqual(30)
    expect(first?.meanKw).toBeGreaterThan(25)
  })

  test('says for how long the controller was off while it was in force, and when it ended then', async () => {
    const { controller, limit, proven, audited } = await aPlant()
    await controller.pass(toQuarter(controller.clock.now()))
    const start = controller.clock.now()
    const [long, short] = [await limit(30, 5_400), await limit(35, 600)]
    await controller.pass(300)
    await controller.crash(2_500)
    await controller.pass(900)
    const told = (id: string) =>
      proven(id).map(({ from, to, meanKw, coverage }) => [
        ...[from, to].map((time) => Math.round((Date.parse(time) - start) / 1000)),
        meanKw === null ? null : meanKw <= 30,
        coverage,
      ])
    expect(told(long)).toEqual([
      [0, 900, null, 0],
      [900, 1_800, null, 0],
      [1_800, 2_700, null, 0],
      [2_700, 3_600, true, 89],
    ])
    expect(told(short)).toEqual([[0, 600, null, 0]])
    expect(proven(long).map(isKept)).toEqual([undefined, undefined, undefined, true])
    expect(audited().filter((line) => line.endsWith(' 35'))).toEqual([
      'applied (window) 35',
      'interval (window) 35',
      'released (ended) 35',
    ])
  })

  test('stops what only switches earlier where people may draw more at this hour, also after a power cut', async () => {
    // What the battery charges with cannot be moved here.
    const { controller, register, limit } = await aPlant({ baseKw: 10.2, settings: { loads: [BOILER] } })
    const hours = (kw: number) =>
      Array.from({ length: 168 }, (_, ago) => {
        const from = controller.clock.now() - ago * 3_600_000
        return { from, hour: new Date(from).getUTCHours(), kw, blocks: 12 }
      })
    const knows = (kw: number) => (folder: string) => {
      const journal = new DatabaseSync(join(folder, 'journal.db'))
      const document = JSON.stringify({ meterId: 'meter', hours: hours(kw) })
      journal.prepare("INSERT OR REPLACE INTO fact VALUES ('hour-highs', ?)").run(document)
      journal.close()
    }
    const runsAfter = async (kw: number) => {
      await controller.crash(1, knows(kw))
      await controller.pass(toQuarter(controller.clock.now()))
      await limit(40, 60)
      await controller.pass(30)
      const runs = register('boiler') === 1
      await controller.pass(400)
      expect(register('boiler')).toBe(1)
      return runs
    }
    expect([await runsAfter(30.2), await runsAfter(60)]).toEqual([true, false])
  })

  test.each([
    ['an hour', 3600],
    ['ten minutes', 600],
  ])('ends on time when the clock is set back by %s, and is kept until then', async (_name, seconds) => {
    const { controller, register, drawn, limit, audited, intervals, state } = await aPlant({ baseKw: 20 })
    controller.uplink = false
    await controller.pass(toQuarter(controller.clock.now()))
    await limit(30, 600)
    await controller.pass(300)
    controller.clock.step(-seconds * 1000)
    await controller.pass(60)
    expect(await state()).toMatchObject({ state: 'limited', limits: [{ state: 'active' }] })
    expect(drawn()).toBeLessThanOrEqual(30)
    expect(drawn()).toBeGreaterThan(25)
    await controller.pass(239)
    expect(register('battery')).toBeLessThan(2)
    await controller.pass(3)
    expect(register('battery')).toBe(20)
    expect(await state()).toMatchObject({ state: 'unlimited', limits: [] })
    await controller.reconnect(controller.clock.now())
    await controller.pass(5)
    expect([audited().at(0), audited().at(-1)]).toEqual(['applied (window) 30', 'released (ended) 30'])
    const [before, after] = intervals()
    for (const part of [before, after]) expect(part).toMatchObject({ limitKw: 30, moved: ['battery'] })
    expect(before?.coverage).toBe(100)
  })

  test('of the export bounds the loads of a controller that is killed, before the meter is read', async () => {
    const plant = await aPlant({ baseKw: 0 })
    const { controller, register, limit } = plant
    await controller.override('battery', -40, 0, 3600)
    await limit(10, 600, { direction: 'export', averagingSeconds: 0 })
    await controller.pass(60)
    const before = register('battery')
    expect(before).toBeGreaterThan(-20)
    const written: number[] = []
    controller.equipment.beforeWrite = (id, raw) => void (id === 'battery' && written.push(Number(raw)))
    controller.equipment.unreadable.set('meter', 'no answer')
    await controller.crash(1)
    await controller.pass(60)
    expect(Math.min(before, ...written)).toBeGreaterThan(before - 1)
    controller.equipment.unreadable.delete('meter')
    await controller.pass(540)
    expect(register('battery')).toBe(-40)
  })

  test('that a load follows in small steps is remembered for the next start', async () => {
    const plant = await aPlant()
    const { controller, register, limit } = plant
    await controller.override('battery', 40, 0, 7200)
    await limit(60, 3600, { averagingSeconds: 0 })
    await controller.pass(30)
    for (let step = 0; step < 12; step += 1) {
      plant.baseKw += 1.5
      await controller.pass(15)
    }
    const before = register('battery')
    expect(before).toBeLessThan(25)
    controller.equipment.unreadable.set('meter', 'no answer')
    await controller.crash(1)
    await controller.pass(10)
    expect(register('battery')).toBeLessThan(before * 1.15)
  })
})

describe('an override and a power limit', () => {
  test('an override is bounded, stays in force, and has its value when the limit ends', async () => {
    const { controller, register, drawn, limit } = await aPlant()
    await limit(30, 300, { averagingSeconds: 0 })
    await controller.pass(30)
    await controller.override('battery', 45, 0, 1200)
    await controller.pass(30)
    expect(drawn()).toBeLessThanOrEqual(30.5)
    await controller.pass(300)
    expect(register('battery')).toBe(45)
    const phases = controller.reports.filter(({ overrideId, datapointId }) => overrideId && datapointId === 'battery')
    expect(phases.map(({ phase }) => phase)).toEqual(['applied', 'limited'])
    await controller.pass(900)
    expect(register('battery')).toBe(20)
  })

  test('an override that ends within the bound does not bring back what is beyond it', async () => {
    const { controller, register, limit } = await aPlant()
    await controller.override('battery', 0, 0, 120)
    await controller.pass(5)
    await limit(30, 600, { averagingSeconds: 0 })
    await controller.pass(60)
    expect(register('battery')).toBe(0)
    const written: number[] = []
    controller.equipment.beforeWrite = (id, raw) => void (id === 'battery' && written.push(Number(raw)))
    await controller.pass(120)
    expect(Math.max(...written)).toBeLessThanOrEqual(30 - 10 - BOILER_KW)
    await controller.pass(420)
    expect(register('battery')).toBe(20)
  })

  test('a limit that outlasts an override keeps the load bounded, then gives back what it had', async () => {
    const { controller, register, drawn, limit } = await aPlant()
    await controller.override('battery', 45, 0, 120)
    await controller.pass(10)
    await limit(30, 600, { averagingSeconds: 0 })
    await controller.pass(60)
    expect(drawn()).toBeLessThanOrEqual(30)
    const written: number[] = []
    controller.equipment.beforeWrite = (id, raw) => void (id === 'battery' && written.push(Number(raw)))
    await controller.pass(120)
    expect(Math.max(0, ...written)).toBeLessThanOrEqual(30 - 10 - BOILER_KW)
    await controller.pass(500)
    expect(register('battery')).toBe(20)
  })
})

describe('a meter', () => {
  test('that is lost leads to the fallback, until it is back', async () => {
    const { controller, register, limit, state } = await aPlant({ settings: { fallback: { importKw: 12 } } })
    await limit(30, 3600, { averagingSeconds: 0 })
    await controller.pass(60)
    controller.equipment.unreadable.set('meter', 'no answer')
    await controller.pass(120)
    expect(await state()).toMatchObject({ state: 'fallback', meterKw: null })
    // The boiler is more important than the battery.
    expect([register('boiler'), register('battery')]).toEqual([1, 12 - BOILER_KW])
    controller.equipment.unreadable.delete('meter')
    await controller.pass(60)
    expect(await state()).toMatchObject({ state: 'limited' })
  })

  test('that was not read yet after a start changes nothing, and leads to the fallback when that takes too long', async () => {
    const { controller, register, limit, audited, state } = await aPlant({ baseKw: 20 })
    await limit(30, 3600, { averagingSeconds: 0 })
    await controller.pass(60)
    const before = register('battery')
    expect(before).toBeLessThan(2)
    const written: string[] = []
    controller.equipment.beforeWrite = (id, raw) => void written.push(`${id} ${Number(raw)}`)
    controller.equipment.unreadable.set('meter', 'no answer')
    await controller.crash(1)
    await controller.pass(80)
    expect(written.filter((line) => line !== `battery ${before}`)).toEqual([])
    expect(await state()).toMatchObject({ state: 'limited', meterKw: null })
    expect(audited()).toEqual(['applied (window) 30'])
    expect(controller.reports.filter(({ phase }) => phase === 'released')).toEqual([])
    await controller.pass(20)
    expect(await state()).toMatchObject({ state: 'fallback' })
    expect(register('battery')).toBe(before)
    controller.equipment.unreadable.delete('meter')
    await controller.pass(60)
    expect(register('battery')).toBeLessThan(2)
  })

  test('that reports every five minutes keeps the limit between its reports', async () => {
    const plant = await aPlant({ baseKw: 20 })
    const { controller, drawn, register, limit, state } = plant
    await limit(30, 7_200, { averagingSeconds: 0 })
    await controller.pass(60)
    const written: string[] = []
    controller.equipment.beforeWrite = (id, raw) => void written.push(`${id} ${Number(raw)}`)
    for (let report = 0; report < 6; report += 1) {
      controller.equipment.unreadable.set('meter', 'no report')
      await controller.pass(298)
      expect(await state()).toMatchObject({ state: 'fallback' })
      expect(drawn()).toBeLessThanOrEqual(30)
      controller.equipment.unreadable.delete('meter')
      await controller.pass(2)
    }
    expect(written.length).toBeLessThanOrEqual(6)
    // A limit that is more generous gives the loads more, also without a meter.
    controller.equipment.unreadable.set('meter', 'no answer')
    await controller.pass(3)
    const before = register('battery')
    await limit(25, 200, { averagingSeconds: 0 })
    await controller.pass(150)
    expect(register('battery')).toBe(before)
    await controller.pass(60)
    expect(register('battery')).toBeGreaterThan(before)
  })

  test('is shown as it is while nothing is limited, also right after a restart, and not at all while it is lost', async () => {
    const plant = await aPlant()
    const { controller, drawn, state } = plant
    await controller.restart()
    await controller.pass(3)
    expect(await state()).toMatchObject({ state: 'unlimited', meterKw: drawn() })
    plant.baseKw += 7
    await controller.pass(2)
    expect(await state()).toMatchObject({ meterKw: drawn() })
    controller.equipment.unreadable.set('meter', 'no answer')
    await controller.pass(2)
    expect(await state()).toMatchObject({ meterKw: null })
  })

  test('that freezes is not believed', async () => {
    const plant = await aPlant()
    const { controller, register, limit, state } = plant
    await limit(30, 3600, { averagingSeconds: 0 })
    plant.frozenAt = 39
    await controller.pass(120)
    expect(await state()).toMatchObject({ state: 'fallback' })
    expect(register('battery')).toBeLessThanOrEqual(30 - BOILER_KW)
  })

  test.each([
    // What is drawn looks as if it were fed in: there is nothing to limit.
    ['draws', 10, 'limited', [20, 1]],
    // What is fed in looks as if it were drawn, and the more the battery supplies, the more of it.
    ['feeds in', -60, 'exhausted', [-50, 0]],
  ] as const)(
    'that is turned moves each load once in its direction, on a site that %s',
    async (_what, baseKw, known, loads) => {
      const plant = await aPlant({ baseKw })
      const { controller, register, limit, state } = plant
      plant.isMeterTurned = true
      await controller.pass(20)
      const written: { id: string; raw: number }[] = []
      controller.equipment.beforeWrite = (id, raw) => void written.push({ id, raw: Number(raw) })
      await limit(10, 3_600, { averagingSeconds: 0 })
      await controller.pass(900)
      expect(await state()).toMatchObject({ state: known })
      expect([register('battery'), register('boiler')]).toEqual(loads)
      for (const id of ['battery', 'boiler']) {
        const raws = written.filter((one) => one.id === id).map(({ raw }) => raw)
        expect(raws).toEqual(raws.toSorted((a, b) => b - a))
      }
    },
  )
})

describe('what goes wrong', () => {
  test('more limits at once than a controller keeps are refused from the quota on, the strictest counts, and all of them end', {
    timeout: 180_000,
  }, async () => {
    const { controller, register, drawn, at } = await aPlant({ baseKw: 40 })
    const window = { from: at(0), to: at(40), averagingSeconds: 0, direction: 'import' }
    const calls = Array.from({ length: 1_010 }, (_, index) =>
      controller.call('placeLimit', { ...window, kw: 30 + index }, { keyId: `key_${index % 8}` }),
    )
    const settled = await Promise.allSettled(calls)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1_000)
    const refusals = new Set(settled.flatMap((one) => (one.status === 'rejected' ? [String(one.reason.message)] : [])))
    expect([...refusals]).toEqual([expect.stringContaining('the device already has 1000 power limits')])
    await controller.pass(30)
    expect(drawn()).toBeLessThanOrEqual(30)
    await controller.pass(60)
    expect([register('battery'), register('boiler')]).toEqual([20, 1])
  })

  const switchesOf = (written: readonly { id: string; raw: number; at: number }[]) =>
    written.filter(
      ({ id, raw }, index) => id === 'boiler' && written.slice(0, index).findLast((one) => one.id === id)?.raw !== raw,
    )

  test.each([
    ['a limit that changes every second', 'changing'],
    ['a meter that comes and goes', 'flapping'],
    ['steps of the clock', 'stepping'],
  ])('with %s, no load switches before its time', async (_name, what) => {
    const boiler = { datapointId: 'boiler', kind: 'switching', priority: 1, shedValue: 0, ratedKw: BOILER_KW } as const
    const loads = [{ ...boiler, minOnSeconds: 60, minOffSeconds: 120 }]
    const { controller, limit } = await aPlant({ baseKw: 20, settings: { loads } })
    const written: { id: string; raw: number; at: number }[] = []
    controller.equipment.beforeWrite = (id, raw) =>
      void written.push({ id, raw: Number(raw), at: controller.clock.monotonic() })
    if (what !== 'changing') await limit(45, 3600, { averagingSeconds: 0 })
    for (let second = 0; second < 600; second += 10) {
      if (what === 'changing') await limit(second % 20 === 0 ? 45 : 100, 11, { averagingSeconds: 0 })
      if (what === 'flapping' && second % 100 === 0) controller.equipment.unreadable.set('meter', 'no answer')
      if (what === 'flapping' && second % 100 === 90) controller.equipment.unreadable.delete('meter')
      if (what === 'stepping' && second % 200 === 100) controller.clock.step(second % 400 === 100 ? -90_000 : 90_000)
      await controller.pass(10)
    }
    const switches = switchesOf(written)
    for (const [index, { raw, at }] of switches.entries()) {
      const before = switches[index - 1]
      if (before) expect(at - before.at).toBeGreaterThanOrEqual((raw === 0 ? 60 : 120) * 1000 - 2_000)
    }
    expect(switches.length).toBeLessThan(8)
  })
})

describe('a contact', () => {
  test('limits while it is closed, not when it bounces, and counts as closed behind a broken wire', async () => {
    const contact = {
      datapointId: 'contact',
      limitKw: 25,
      closedValue: 1,
      debounceSeconds: 5,
      whenLost: 'closed',
    } as const
    const { controller, drawn, state, intervals } = await aPlant({ settings: { inputs: [contact] } })
    controller.equipment.points.set('contact', 1)
    await controller.pass(3)
    controller.equipment.points.set('contact', 0)
    await controller.pass(20)
    expect(await state()).toMatchObject({ state: 'unlimited' })
    controller.equipment.points.set('contact', 1)
    await controller.pass(90)
    expect(drawn()).toBeLessThanOrEqual(25)
    controller.equipment.points.set('contact', 0)
    await controller.pass(60)
    expect(await state()).toMatchObject({ state: 'unlimited' })
    controller.equipment.unreadable.set('contact', 'broken wire')
    await controller.pass(120)
    expect(await state()).toMatchObject({ state: 'limited', importKw: 25 })
    expect(intervals()).toMatchObject([{ limitKw: 25, coverage: 100, source: 'contact', moved: ['battery'] }])
    expect(intervals()).toMatchObject([{ limitedBy: { source: 'contact', kw: 25, limitId: null } }])
  })

  test.each(['open', 'closed'] as const)(
    'that counts as %s behind a broken wire moves nothing when the controller starts again while it is closed',
    async (whenLost) => {
      const contact = { datapointId: 'contact', limitKw: 25, closedValue: 1, debounceSeconds: 30, whenLost }
      const { controller, register, drawn } = await aPlant({ settings: { inputs: [contact] } })
      controller.equipment.points.set('contact', 1)
      await controller.pass(60)
      expect(drawn()).toBeLessThanOrEqual(25)
      const before = register('battery')
      const written: string[] = []
      controller.equipment.beforeWrite = (id, raw) => void written.push(`${id} ${Number(raw)}`)
      controller.equipment.unreadable.set('contact', 'not read yet')
      await controller.crash(1)
      await controller.pass(1)
      controller.equipment.unreadable.delete('contact')
      await controller.pass(60)
      expect(written.filter((line) => line !== `battery ${before}`)).toEqual([])
    },
  )

  test('that is never read after a start counts as what a broken wire is', async () => {
    const contact = {
      datapointId: 'contact',
      limitKw: 25,
      closedValue: 1,
      debounceSeconds: 30,
      whenLost: 'open',
    } as const
    const { controller, register } = await aPlant({ settings: { inputs: [contact] } })
    controller.equipment.points.set('contact', 1)
    await controller.pass(60)
    controller.equipment.unreadable.set('contact', 'broken wire')
    await controller.crash(1)
    await controller.pass(5)
    expect(register('battery')).toBe(20)
  })
})

describe('a limit of the import and one of the export', () => {
  test('are both kept where that is possible, although a load must draw more than its writer wants', async () => {
    const { controller, drawn, limit } = await aPlant({ baseKw: -40 })
    await limit(0, 3600, { direction: 'export', averagingSeconds: 0 })
    await controller.pass(60)
    expect(drawn()).toBeGreaterThanOrEqual(0)
    await limit(5, 3600, { averagingSeconds: 0 })
    await controller.pass(120)
    expect(drawn()).toBeGreaterThanOrEqual(0)
    expect(drawn()).toBeLessThanOrEqual(5)
  })
})

test('what a site draws without its loads is learned while nothing is limited, and kept', async () => {
  const plant = await aPlant({ baseKw: 25 })
  const { controller } = plant
  await controller.pass(1_800)
  plant.baseKw = 40
  await controller.pass(900)
  plant.baseKw = 12
  await controller.pass(3_600)
  await controller.stop()
  const journal = new DatabaseSync(join(controller.folder, 'journal.db'), { readOnly: true })
  const { hours } = JSON.parse(String(journal.prepare("SELECT value FROM fact WHERE name = 'hour-highs'").get()?.value))
  journal.close()
  expect(Math.max(...hours.map(({ kw }: { kw: number }) => kw))).toBeCloseTo(40)
  expect(hours.at(-1).kw).toBeCloseTo(12)
})
