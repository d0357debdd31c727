import type { ControlState } from '@plantroom/contract/control-state'
import type { RestoredControl } from '@plantroom/contract/replacement'
import { describe, expect, test } from 'vitest'
import { aPlant } from '../limiting/testing/plant.ts'
import { limitsGivenBack } from '../testing/given-back.ts'

const CALLER = { keyId: 'key_9', name: 'Grid company' }
type Plant = Awaited<ReturnType<typeof aPlant>>

/** A controller that died under limits, and an empty one at the same equipment, which has been given what it had. */
async function replaced(
  before: (old: Plant) => Promise<unknown>,
  change = (control: RestoredControl) => control,
  baseKw = 60,
) {
  const old = await aPlant({ baseKw })
  await before(old)
  await old.controller.pass(30)
  await old.controller.stop()
  const { clock, equipment } = old.controller
  await equipment.close()
  const written: string[] = []
  const plant = await aPlant({ baseKw, options: { clock, equipment, isEmpty: true } })
  equipment.beforeWrite = (id, raw) => void written.push(`${id} ${Number(raw)}`)
  const head = { replacementId: 'rpl_1', parts: 2 }
  await plant.controller.call('restore', { ...head, part: 1, technicalSystem: old.system })
  await plant.controller.call('restore', {
    ...head,
    part: 2,
    control: change(limitsGivenBack(old.controller.state as ControlState, clock.now())),
  })
  await plant.controller.restart()
  return { old, plant, written }
}

describe('a controller that replaces one under a power limit', () => {
  test('keeps the loads where they are, keeps the limit with its id and owner, and gives back what they had', async () => {
    const ids: string[] = []
    const { old, plant, written } = await replaced(async ({ limit }) => {
      ids.push(await limit(10, 400, { averagingSeconds: 0, reason: 'feeder' }, CALLER))
    })
    const { controller, register, audited } = plant
    await controller.pass(60)
    // Neither the boiler nor the battery has been released in between.
    expect(written).not.toContain('boiler 1')
    expect(written).not.toContain('battery 20')
    expect([register('battery'), register('boiler')]).toEqual([-50, 0])
    expect(controller.state?.powerLimit?.limits).toEqual(old.controller.state?.powerLimit?.limits)
    await controller.pass(330)
    expect(register('battery')).toBe(20)
    expect(audited()).toEqual(['applied (replaced) 10', 'interval (window) 10', 'released (ended) 10'])
    const [first] = controller.reports
    expect(first?.placedBy).toEqual({ id: 'key_9', name: 'Grid company', reason: 'feeder' })
    expect(first?.overrideId).toBe(ids[0])
    // What only switches has its minimum time, which began at the old controller.
    expect(register('boiler')).toBe(1)
  })

  test('keeps the loads where they are under a limit of the export, before it has read the meter', async () => {
    let loseMeter = () => {}
    const { old, plant, written } = await replaced(
      async (plant) => {
        await plant.limit(10, 400, { direction: 'export', averagingSeconds: 0 }, CALLER)
        loseMeter = () => plant.controller.equipment.unreadable.set('meter', 'no answer')
      },
      (control) => {
        loseMeter()
        return control
      },
      -60,
    )
    expect(old.controller.state?.notes?.moved?.battery?.atMostExportKw).toBeLessThan(-40)
    await plant.controller.pass(10)
    expect(plant.register('battery')).toBeGreaterThan(40)
    expect(written).not.toContain('battery 20')
  })

  test('releases one that ended while no controller ran, in the audit and at the equipment', async () => {
    const { plant } = await replaced(
      ({ limit }) => limit(10, 300, { averagingSeconds: 0 }, CALLER),
      (control) => ({
        ...control,
        limits: (control.limits ?? []).map((limit) => ({ ...limit, to: control.at })),
      }),
    )
    await plant.controller.pass(360)
    expect(plant.audited()).toEqual(['released (ended) 10'])
    expect([plant.register('battery'), plant.register('boiler')]).toEqual([20, 1])
    expect(await plant.state()).toMatchObject({ state: 'unlimited', limits: [] })
  })

  test('starts a queued one on time, under its id, which its owner can release by its reqId', async () => {
    const reqId = 'f9a1c7de-2d44-4d7b-8f0e-0f3c6a4f3a11'
    const { plant } = await replaced(({ limit, at }) =>
      limit(30, 0, { from: at(120), to: at(900) }, { ...CALLER, reqId }),
    )
    const { controller, register, audited } = plant
    await controller.pass(30)
    expect(register('battery')).toBe(20)
    await controller.pass(120)
    expect(register('battery')).toBeLessThan(20)
    const released = await controller.call('cancelOverridesByReqId', { placedBy: CALLER.keyId, reqIds: [reqId] })
    expect(released).toMatchObject({ cancelled: [{ reqId }] })
    await controller.pass(310)
    expect(register('battery')).toBe(20)
    expect(audited()).toEqual(['applied (window) 30', 'interval (window) 30', 'released (cancelled) 30'])
  })

  test('that loses power again keeps them, and does not say again that it took over', async () => {
    const { plant, old } = await replaced(({ limit }) => limit(10, 900, { averagingSeconds: 0 }, CALLER))
    await plant.controller.crash()
    await plant.controller.pass(10)
    expect(plant.controller.state?.powerLimit?.limits).toEqual(old.controller.state?.powerLimit?.limits)
    expect(plant.audited()).toEqual(['applied (replaced) 10'])
  })

  test('is not empty while it has a limit: nothing is put over it', async () => {
    const plant = await aPlant()
    await plant.limit(30, 600)
    const { state } = plant.controller
    const memory = { id: state?.memory?.id, run: state?.memory?.run }
    const head = { replacementId: 'rpl_1', part: 1, parts: 2, memory }
    // The cloud saw an older copy of this memory; a newer limit stays.
    expect(await plant.controller.call('restore', { ...head, technicalSystem: plant.system })).toMatchObject({
      outcome: 'kept',
    })
  })
})
