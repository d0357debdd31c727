import { describe, expect, test } from 'vitest'
import { inForce, strictestOf } from './in-force.ts'
import { aPlant } from './testing/plant.ts'

describe('an interval of a limit says what limited the site', () => {
  test('the limit itself, or another one that was stricter for a part of it', async () => {
    const { controller, limit, intervals } = await aPlant()
    const wide = await limit(35, 600)
    await controller.pass(120)
    const strict = await limit(20, 120)
    await controller.pass(700)
    expect(intervals()).toMatchObject([
      { limitKw: 20, limitedBy: { source: 'placed', kw: 20, limitId: strict } },
      { limitKw: 35, limitedBy: { source: 'placed', kw: 20, limitId: strict } },
    ])
    expect(wide).not.toBe(strict)
  })

  test('the limit itself, although a wider one was in force', async () => {
    const { controller, limit, intervals } = await aPlant()
    const strict = await limit(20, 120)
    await limit(35, 120)
    await controller.pass(200)
    expect(intervals().map(({ limitedBy }) => limitedBy?.limitId)).toEqual([strict, strict])
  })

  test('a contact, where that is stricter', async () => {
    const contact = {
      ...{ datapointId: 'contact', limitKw: 25, closedValue: 1, debounceSeconds: 5 },
      whenLost: 'closed' as const,
    }
    const { controller, limit, intervals } = await aPlant({ settings: { inputs: [contact] } })
    controller.equipment.points.set('contact', 1)
    await controller.pass(30)
    await limit(35, 120)
    await controller.pass(200)
    const [placed] = intervals().filter(({ source }) => source === undefined)
    expect(placed).toMatchObject({ limitKw: 35, limitedBy: { source: 'contact', kw: 25, limitId: null } })
  })

  test('the fallback until a source has spoken', () => {
    const settings = { meterId: 'meter', meterKwPerUnit: 1, guaranteedKw: 4.2, fallback: { importKw: 30 }, loads: [] }
    const ceilings = inForce('import', { settings, limits: [], contactsKw: [40], isSilent: true })
    expect(strictestOf(ceilings, undefined)).toEqual({ source: 'fallback', kw: 30, limitId: null })
    const closed = inForce('import', { settings, limits: [], contactsKw: [20], isSilent: true })
    expect(strictestOf(closed, undefined)).toEqual({ source: 'contact', kw: 20, limitId: null })
  })

  test.each([
    [
      'the commissioned limit of peak shaving, where that is stricter',
      30,
      { source: 'commissioned', kw: 30, limitId: null },
    ],
    ['the placed limit, where peak shaving allows more', 50, { source: 'placed', kw: 35 }],
    ['the placed limit, while no limit of peak shaving is known', null, { source: 'placed', kw: 35 }],
  ])('%s', async (_what, limitKw, limitedBy) => {
    const peakShaving = { meterId: 'meter', limitKw, hysteresisKw: 1, cycleSeconds: 10, loads: [] }
    const { controller, limit, intervals } = await aPlant({ peakShaving })
    await limit(35, 120)
    await controller.pass(200)
    expect(intervals()).toMatchObject([{ limitKw: 35, limitedBy }])
  })

  test('of the export never peak shaving', async () => {
    const peakShaving = { meterId: 'meter', limitKw: 5, hysteresisKw: 1, cycleSeconds: 10, loads: [] }
    const { controller, limit, intervals } = await aPlant({ baseKw: -40, peakShaving })
    await limit(10, 120, { direction: 'export' })
    await controller.pass(200)
    expect(intervals()).toMatchObject([{ direction: 'export', limitedBy: { source: 'placed', kw: 10 } }])
  })
})
