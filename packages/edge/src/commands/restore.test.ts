import type { ControlState } from '@plantroom/contract/control-state'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import type { RestoredControl } from '@plantroom/contract/replacement'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { aDatapoint } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import type { Controller } from '../testing/controller.ts'
import { aPowerController, auditLines } from '../testing/power-controller.ts'

const CALLER = { keyId: 'key_9', name: 'Grid company' }

/** What the cloud gives to a new controller, from the last state of the old one. */
function controlOf(old: Controller, { exact = true } = {}): RestoredControl {
  const { overrides, holds, notes } = old.state as ControlState
  const last = old.reports.at(-1)
  return {
    at: formatTimestamp(old.clock.now()),
    overrides: overrides.map(({ state, ...one }) => ({
      ...{ seq: 0, placedByName: '', reason: '' },
      ...one,
      ...notes?.overrides[one.id],
      applied: state !== 'queued',
    })),
    holds: holds.map(({ datapointId, by, value, overrideId, beneath }) => {
      const plain = exact ? notes?.plain[datapointId] : undefined
      const plainValue = by === 'plain' ? value : beneath.by === 'plain' ? beneath.value : null
      return { datapointId, by, value, overrideId, ...(plain && { plain }), plainValue }
    }),
    audit: last ? { seq: last.seq, hash: 'ab'.repeat(32) } : null,
  }
}

function partsOf(system: TechnicalSystem, control: RestoredControl, replacementId = 'rpl_1') {
  const head = { replacementId, parts: 2 }
  return [
    { ...head, part: 1, technicalSystem: system },
    { ...head, part: 2, control },
  ]
}

/** An old controller that died, and an empty one at the same equipment. */
async function replaced(about: Parameters<typeof aPowerController>[0], before: (old: Controller) => Promise<unknown>) {
  const old = await aPowerController(about)
  await before(old)
  await old.pass(10)
  await old.stop()
  await old.equipment.close()
  const device = await aPowerController({ ...about, clock: old.clock, equipment: old.equipment, isEmpty: true })
  const restore = async (control = controlOf(old), id?: string) => {
    const outcomes = []
    for (const part of partsOf(old.system, control, id)) outcomes.push(await device.call('restore', part))
    return outcomes
  }
  return { old, device, restore }
}

describe('a controller that replaces another', () => {
  test('holds what was held, ends it on time, restores the value from before, and continues the audit', async () => {
    const { old, device, restore } = await replaced({}, async (first) => {
      await first.override('power', 20, 0, 600, CALLER)
      await first.override('power', 30, 120, 180, CALLER)
    })
    const [id] = old.state?.overrides.map((override) => override.id) ?? []
    device.equipment.points.set('power', 7)
    const given = await restore()
    expect(given).toMatchObject([{ outcome: 'waiting' }, { outcome: 'restored' }])
    await device.restart()
    // The key that the cloud knows is the one that signs from now on.
    const { auditKey } = given[0] as { auditKey?: unknown }
    expect(auditKey).toEqual(expect.any(String))
    expect(await restore()).toMatchObject([{ auditKey }, { auditKey }])
    expect(device.equipment.points.get('power')).toBe(20)
    expect(device.state?.overrides).toEqual(old.state?.overrides)
    await device.pass(120)
    expect(device.equipment.points.get('power')).toBe(30)
    await device.pass(480)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(auditLines(device)).toEqual([
      'applied (replaced) 10 > 20, reads 20',
      'applied (window) 20 > 30, reads 30',
      'released (ended) 20 > 20, reads 20',
      'released (ended) 10 > 10, reads 10',
    ])
    const [first] = device.reports
    expect(first).toMatchObject({ seq: (old.reports.at(-1)?.seq ?? 0) + 1, previous: 'ab'.repeat(32), overrideId: id })
    expect(first?.placedBy).toEqual({ id: 'key_9', name: 'Grid company', reason: '' })
  })

  test('never writes an override that ended while no controller ran, and sets the equipment back', async () => {
    const { device, restore } = await replaced({}, (old) => old.override('power', 20, 0, 60, CALLER))
    await device.pass(61)
    await restore()
    await device.restart()
    expect(device.equipment.writes.map(({ raw }) => raw)).toEqual([20, 10])
    expect(auditLines(device)).toEqual(['released (restart) 10 > 10, reads 10'])
  })

  test('recognises the override ids of the old one, also after their end', async () => {
    const { old, device, restore } = await replaced({}, (first) => first.override('power', 20, 0, 60, CALLER))
    const id = old.state?.overrides[0]?.id ?? ''
    await restore()
    await device.restart()
    await device.pass(60)
    for (const caller of [CALLER, { keyId: 'key_2' }]) {
      expect(await device.cancel(id, caller)).toEqual({ success: true })
    }
    await expect(device.cancel(`${id}x`, CALLER)).rejects.toThrow('never issued')
  })

  test('restores a 64-bit value exactly, and without the exact one what is known of it', async () => {
    const about = { points: { power: 2n ** 60n + 1n } }
    const exact = await replaced(about, (old) => old.override('power', 20, 0, 60, CALLER))
    await exact.restore()
    await exact.device.restart()
    await exact.device.pass(60)
    expect(exact.device.equipment.points.get('power')).toBe(2n ** 60n + 1n)

    const known = await replaced({}, (old) => old.override('power', 20, 0, 60, CALLER))
    await known.restore(controlOf(known.old, { exact: false }))
    await known.device.restart()
    expect(known.device.equipment.points.get('power')).toBe(20)
    await known.device.pass(60)
    expect(known.device.equipment.points.get('power')).toBe(10)
  })

  test.each([
    ['its releaseValue', { releaseValue: 4 }, 4, 'released (ended) null > 4, reads 4'],
    ['nothing: it stays, and waits for a person', {}, 20, 'write-failed (ended) null > null, reads null'],
  ])('that does not know the value from before restores %s', async (_what, power, expected, line) => {
    const { old, device, restore } = await replaced({ power }, (first) => first.override('power', 20, 0, 60, CALLER))
    const control = controlOf(old, { exact: false })
    await restore({ ...control, holds: control.holds.map((hold) => ({ ...hold, plainValue: null })) })
    await device.restart()
    await device.pass(60)
    expect(device.equipment.points.get('power')).toBe(expected)
    expect(auditLines(device).at(-1)).toBe(line)
  })

  test('keeps to the limits: a value outside them is not written, and nothing is switched too soon', async () => {
    const power = { limits: { max: 15, minOnSeconds: 300 } }
    const { old, device, restore } = await replaced({ power }, (first) => first.override('power', 15, 0, 60, CALLER))
    const control = controlOf(old)
    await restore({ ...control, overrides: control.overrides.map((override) => ({ ...override, value: 99 })) })
    await device.restart()
    expect(device.equipment.points.get('power')).toBe(15)
    await expect(device.override('power', 0, 0, 30, CALLER)).rejects.toThrow('must not be switched off yet')
  })

  test.each(['flush:before', 'flush:after'] as const)('that dies at %s is given everything again', async (point) => {
    const { old, device, restore } = await replaced({}, (first) => first.override('power', 20, 0, 600, CALLER))
    const [system, control] = partsOf(old.system, controlOf(old))
    await device.call('restore', system ?? {})
    device.dieAt(point)
    await expect(device.call('restore', control ?? {})).rejects.toThrow('died')
    await device.crash()
    expect((await restore()).at(-1)).toMatchObject({ outcome: 'restored' })
    await device.restart()
    expect(device.equipment.points.get('power')).toBe(20)
    expect(auditLines(device)).toEqual(['applied (replaced) 10 > 20, reads 20'])
  })

  test('that is given the same again changes nothing; one in use keeps its own data or refuses those of another', async () => {
    const { old, device, restore } = await replaced({}, (first) => first.override('power', 20, 0, 600, CALLER))
    await restore()
    await device.restart()
    expect(await restore()).toMatchObject([{ outcome: 'restored' }, { outcome: 'restored' }])
    const [own] = partsOf(old.system, controlOf(old), 'rpl_2')
    expect(await device.call('restore', own ?? {})).toMatchObject({ outcome: 'kept' })
    const [foreign] = partsOf({ ...old.system, id: 'other' }, controlOf(old), 'rpl_3')
    await expect(device.call('restore', foreign ?? {})).rejects.toThrow(/not empty \(sys\).*empty the folder edge/)
    expect(auditLines(device)).toEqual(['applied (replaced) 10 > 20, reads 20'])
  })

  test('takes over a datapoint that a schedule held, with the value from before it', async () => {
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
    const slots = [{ days, from: '00:00', to: '00:10', mode: 'absolute', value: 18 }] as const
    const schedules = [{ id: 'sch', name: 'Night', datapointId: 'power', slots }]
    const more = [aDatapoint({ id: 'other' })]
    const { device, restore } = await replaced({ more, system: { schedules } }, (old) => old.pass(1))
    expect(device.equipment.points.get('power')).toBe(18)
    await restore()
    await device.restart()
    expect(device.equipment.points.get('power')).toBe(18)
    await device.pass(600)
    expect(device.equipment.points.get('power')).toBe(10)
    // It continues a hold: had it set the equipment back first, it would begin one.
    expect(auditLines(device)).toEqual(['released (ended) null > 10, reads 10'])
  })

  test('sets back what a schedule held that is no longer commissioned', async () => {
    const { old, device, restore } = await replaced({}, (first) => first.override('power', 18, 0, 600))
    const control = controlOf(old)
    const holds = control.holds.map((hold) => ({ ...hold, by: 'deviation' as const, overrideId: null }))
    await restore({ ...control, overrides: [], holds })
    await device.restart()
    expect(device.equipment.points.get('power')).toBe(10)
    // No schedule of this controller held it, so none ends.
    expect(auditLines(device)).toEqual([])
  })

  test.each([
    ['holds without a break when its clock is a little behind', -30, [20, 20]],
    ['holds without a break when its clock is a little ahead', 30, [20, 20]],
    ['does not hold while its clock is far behind, because it does not know the end', -61, [20, 10]],
  ])('%s', async (_what, seconds, writes) => {
    const { old, device, restore } = await replaced({}, async (first) => {
      await first.override('power', 20, 0, 600, CALLER)
      await first.pass(120)
    })
    const control = controlOf(old)
    device.clock.step(seconds * 1000)
    device.uplink = false
    await restore(control)
    await device.restart()
    await device.pass(60)
    expect(device.equipment.writes.map(({ raw }) => raw)).toEqual(writes)
  })
})
