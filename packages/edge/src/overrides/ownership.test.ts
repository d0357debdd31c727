import { MAX_LISTED_CANCELLED } from '@plantroom/contract/commands'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { describe, expect, test } from 'vitest'
import { openJournal } from '../store/journal.ts'
import { createOverrideStore } from '../store/override-store.ts'
import type { Controller } from '../testing/controller.ts'
import { aPowerController, auditLines } from '../testing/power-controller.ts'

const ANN = { keyId: 'key_ann' }
const BOB = { keyId: 'key_bob' }
const MARI = { keyId: 'user:usr_1' }
const SUCCESS = { success: true }

describe('cancelling', () => {
  test('is for whoever has the id: while it is active, queued or over, and after a restart', async () => {
    const device = await aPowerController()
    const active = await device.override('power', 20, 0, 60, ANN)
    const queued = await device.override('power', 30, 600, 660, ANN)
    for (const id of [active, queued]) expect(await device.cancel(id, BOB)).toEqual(SUCCESS)
    await device.pass(0)
    expect(device.equipment.points.get('power')).toBe(10)
    await device.crash(100)
    for (const caller of [ANN, BOB, MARI]) expect(await device.cancel(active, caller)).toEqual(SUCCESS)
    await device.pass(600)
    expect(device.equipment.points.get('power')).toBe(10)
    // One entry for the active one, two closing entries, both with the name of the canceller.
    expect(auditLines(device)).toHaveLength(3)
    expect(device.reports.flatMap(({ cancelledBy = null }) => cancelledBy?.id ?? [])).toEqual(['key_bob', 'key_bob'])
  })

  test('an id that this device never issued is refused, and nothing is released', async () => {
    const device = await aPowerController()
    const id = await device.override('power', 20, 0, 60, ANN)
    const other = await (await aPowerController()).override('power', 20, 0, 60, ANN)
    for (const unknown of [`${id.slice(0, -1)}~`, other, 'ovr_x', '']) {
      await expect(device.cancel(unknown, ANN)).rejects.toThrow('this device never issued the override id')
    }
    expect(device.equipment.points.get('power')).toBe(20)
  })

  test('works for an override from before callers were stored', async () => {
    const device = await aPowerController()
    const id = await device.override('power', 20, 0, 60, ANN)
    await device.stop()
    const journal = openJournal(device.folder)
    journal.exec("UPDATE override_window SET placed_by = ''")
    journal.close()
    await device.restart()
    expect(device.equipment.points.get('power')).toBe(20)
    expect(await device.cancel(id, ANN)).toEqual(SUCCESS)
    expect(device.equipment.points.get('power')).toBe(10)
  })
})

describe('the entry of a cancelled override', () => {
  const released = (device: Controller) =>
    device.reports
      .filter(({ phase }) => phase === 'released')
      .map(({ overrideId, cancelledBy }) => [overrideId, cancelledBy])
  const cancel = (device: Controller, data: object, caller: object) => device.call('demandResponseCancel', data, caller)

  test('says who cancelled it, by which name and why', async () => {
    const device = await aPowerController()
    const active = await device.override('power', 20, 0, 60, ANN)
    const queued = await device.override('power', 20, 600, 660, ANN)
    await cancel(device, { id: queued }, { ...ANN, name: 'Ann' })
    await cancel(device, { id: active, reason: 'x'.repeat(300) }, { ...MARI, name: 'Mari' })
    await device.pass(0)
    expect(released(device)).toEqual([
      [queued, { id: 'key_ann', name: 'Ann', reason: '' }],
      [active, { id: 'user:usr_1', name: 'Mari', reason: 'x'.repeat(200) }],
    ])
  })

  test('says it after a power cut between the cancel and the release', async () => {
    const device = await aPowerController()
    const id = await device.override('power', 20, 0, 600, ANN)
    device.equipment.cut = 'no route'
    device.dieAt('flush:after')
    await expect(cancel(device, { id, reason: 'too cold' }, { ...MARI, name: 'Mari' })).rejects.toThrow('died')
    expect(released(device)).toEqual([])
    await device.crash()
    device.equipment.cut = undefined
    await device.pass(10)
    expect(device.equipment.points.get('power')).toBe(10)
    const mari = { id: 'user:usr_1', name: 'Mari', reason: 'too cold' }
    expect(released(device)).toEqual([[id, mari]])
    // What goes wrong with the release has the same cause.
    const failed = device.reports.find(({ phase }) => phase === 'write-failed')
    expect(failed).toMatchObject({ reason: 'cancelled', cancelledBy: mari })
  })

  test('does not blame whoever cancelled another one, or nobody for one that ended or was superseded', async () => {
    const device = await aPowerController()
    const older = await device.override('power', 20, 0, 60, ANN)
    const newer = await device.override('power', 30, 0, 600, BOB)
    await device.pass(61)
    await device.cancel(newer, BOB)
    expect(released(device)).toEqual([
      [older, undefined],
      [newer, { id: 'key_bob', name: 'Market', reason: '' }],
    ])
    expect(device.reports.filter((entry) => 'cancelledBy' in entry)).toHaveLength(1)
  })

  test('is answered again only for the same reason', async () => {
    const device = await aPowerController()
    const id = await device.override('power', 20, 0, 60, ANN)
    const caller = { ...ANN, reqId: crypto.randomUUID() }
    expect(await cancel(device, { id, reason: 'one' }, caller)).toEqual(SUCCESS)
    expect(await cancel(device, { id, reason: 'one' }, caller)).toEqual(SUCCESS)
    await expect(cancel(device, { id, reason: 'two' }, caller)).rejects.toThrow('used for another command')
  })
})

describe('the journal', () => {
  test('keeps the name of the caller and the reason', async () => {
    const device = await aPowerController()
    const at = (seconds: number) => formatTimestamp(device.clock.now() + seconds * 1000)
    const data = { datapointId: 'power', value: 20, from: at(0), to: at(60) }
    const reqId = crypto.randomUUID()
    const first = await device.call(
      'demandResponseOverride',
      { ...data, reason: 'grid alarm' },
      { ...ANN, name: 'Ann', reqId },
    )
    const again = await device.call('demandResponseOverride', { ...data, reason: 'grid alarm' }, { ...ANN, reqId })
    expect(again).toEqual(first)
    await expect(
      device.call('demandResponseOverride', { ...data, reason: 'other' }, { ...ANN, reqId }),
    ).rejects.toThrow('used for another command')
    await device.call('demandResponseOverride', { ...data, reason: 'x'.repeat(300) }, { ...ANN, name: '' })
    await device.stop()
    const journal = openJournal(device.folder)
    expect(createOverrideStore(journal).load()).toMatchObject([
      { placedBy: 'key_ann', placedByName: 'Ann', reason: 'grid alarm' },
      { placedBy: 'key_ann', placedByName: '', reason: 'x'.repeat(200) },
    ])
    journal.close()
  })
})

describe('cancelOverrides', () => {
  const cancelAll = async (device: Controller, placedBy: string) => {
    const caller = { keyId: 'operator', name: 'Operator' }
    const reply = await device.call('cancelOverrides', { placedBy, reason: 'the API key was revoked' }, caller)
    await device.pass(0)
    return reply as { count: number; cancelled: { id: string; datapointId: string }[] }
  }

  test('releases everything that one caller placed and nothing else', async () => {
    const device = await aPowerController()
    const first = await device.override('power', 20, 0, 600, ANN)
    const other = await device.override('power', 30, 0, 600, BOB)
    const second = await device.override('power', 40, 0, 600, ANN)
    const queued = await device.override('power', 50, 700, 800, ANN)
    expect(device.equipment.points.get('power')).toBe(40)
    const on = (id: string) => ({ id, datapointId: 'power' })
    expect(await cancelAll(device, ANN.keyId)).toEqual({ count: 3, cancelled: [on(first), on(second), on(queued)] })
    expect(device.equipment.points.get('power')).toBe(30)
    expect(await cancelAll(device, ANN.keyId)).toEqual({ count: 0, cancelled: [] })
    await device.cancel(other, BOB)
    expect(device.equipment.points.get('power')).toBe(10)
    await device.pass(750)
    expect(device.equipment.points.get('power')).toBe(10)
    // One closing entry for each, and none that was never active became active on the way.
    const closed = device.reports.filter(({ phase }) => phase === 'released').map(({ overrideId }) => overrideId)
    expect(closed.toSorted()).toEqual([first, other, second, queued].toSorted())
    expect(device.reports.filter(({ phase }) => phase === 'applied')).toHaveLength(3)
    const blamed = device.reports.filter(({ cancelledBy }) => cancelledBy?.id === 'operator')
    expect(blamed.map(({ overrideId }) => overrideId).toSorted()).toEqual([first, second, queued].toSorted())
    expect(blamed[0]?.cancelledBy).toEqual({ id: 'operator', name: 'Operator', reason: 'the API key was revoked' })
  })

  test('includes an override that is accepted at the same moment', async () => {
    const device = await aPowerController()
    const placing = device.override('power', 20, 0, 600, ANN)
    const reply = cancelAll(device, ANN.keyId)
    const id = await placing
    expect(await reply).toEqual({ count: 1, cancelled: [{ id, datapointId: 'power' }] })
    await device.pass(1)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('holds through a power cut right after', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 600, ANN)
    await cancelAll(device, ANN.keyId)
    await device.crash()
    expect(device.equipment.points.get('power')).toBe(10)
    expect(await cancelAll(device, ANN.keyId)).toEqual({ count: 0, cancelled: [] })
  })

  test('counts everything and lists the first thousand', async () => {
    const device = await aPowerController()
    const total = MAX_LISTED_CANCELLED
    const at = (seconds: number) => formatTimestamp(device.clock.now() + seconds * 1000)
    const [from, to] = [at(3600), at(3700)]
    const data = { datapointId: 'power', value: 20, from, to }
    await Promise.all(Array.from({ length: total }, () => device.call('demandResponseOverride', data, ANN)))
    const { count, cancelled } = await cancelAll(device, ANN.keyId)
    expect([count, cancelled.length]).toEqual([total, total])
    await device.pass(3600)
    expect(device.equipment.writes).toEqual([])
    expect(device.reports).toHaveLength(total)
  })

  test.each([undefined, '', 7, null])('rejects the caller %j', async (placedBy) => {
    const device = await aPowerController()
    await expect(device.call('cancelOverrides', { placedBy })).rejects.toThrow('placedBy is missing')
  })
})

describe('the quota of a caller', () => {
  test('refuses the next override of that caller alone, until one has ended or was cancelled', async () => {
    const device = await aPowerController()
    const at = (seconds: number) => formatTimestamp(device.clock.now() + seconds * 1000)
    const place = (from: number, to: number, caller: object) =>
      device.call('demandResponseOverride', { datapointId: 'power', value: 20, from: at(from), to: at(to) }, caller)
    const ends = at(3660)
    const { id } = (await place(3600, 3700, ANN)) as { id: string }
    await place(3600, 3660, ANN)
    await Promise.all(Array.from({ length: 998 }, () => place(3600, 3700, ANN)))
    const refused = `you already have 1000 overrides on this device, and the maximum for one caller is 1000; cancel some, or send the command again at ${ends}, when the next one ends`
    await expect(place(0, 60, ANN)).rejects.toThrow(refused)
    await device.restart()
    await expect(place(0, 60, ANN)).rejects.toThrow(refused)
    expect(device.equipment.writes).toEqual([])
    await place(0, 60, BOB)
    await device.cancel(id, ANN)
    await place(0, 60, ANN)
    await expect(place(0, 60, ANN)).rejects.toThrow('you already have 1000')
    await device.pass(60)
    await place(0, 60, ANN)
  })
})

describe('cancelOverridesByReqId', () => {
  const [FIRST, SECOND, UNKNOWN] = [1, 2, 3].map((n) => `0b9a2c7e-5d0f-4c51-9d5e-2f1a3b4c5d6${n}`) as [
    string,
    string,
    string,
  ]
  const cancel = async (device: Controller, placedBy: string, ...reqIds: string[]) => {
    const caller = { keyId: 'operator', name: 'Operator' }
    const data = { placedBy, reqIds, reason: 'the dispatch expired' }
    const reply = await device.call('cancelOverridesByReqId', data, caller)
    await device.pass(0)
    return (reply as { cancelled: { reqId: string; id: string }[] }).cancelled.map(({ id }) => id)
  }

  test('releases exactly what the caller placed with these reqIds', async () => {
    const device = await aPowerController()
    const first = await device.override('power', 20, 0, 600, { ...ANN, reqId: FIRST })
    const second = await device.override('power', 40, 0, 600, { ...ANN, reqId: SECOND })
    expect(await cancel(device, BOB.keyId, FIRST, SECOND)).toEqual([])
    expect(device.equipment.points.get('power')).toBe(40)
    expect(await cancel(device, ANN.keyId, UNKNOWN, SECOND.toUpperCase(), SECOND)).toEqual([second])
    expect(device.equipment.points.get('power')).toBe(20)
    expect(await cancel(device, ANN.keyId, SECOND, FIRST)).toEqual([first])
    expect(device.equipment.points.get('power')).toBe(10)
    expect(await cancel(device, ANN.keyId, SECOND, FIRST)).toEqual([])
    const blamed = device.reports.filter(({ cancelledBy }) => cancelledBy?.reason === 'the dispatch expired')
    expect(blamed.map(({ overrideId }) => overrideId)).toEqual([second, first])
  })

  test('finds an override after a power cut, and a repeated placement stays cancelled', async () => {
    const device = await aPowerController()
    const id = await device.override('power', 20, 0, 600, { ...ANN, reqId: FIRST })
    await device.crash()
    expect(await cancel(device, ANN.keyId, FIRST)).toEqual([id])
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test.each([{ placedBy: 'key_ann' }, { reqIds: [FIRST] }, { placedBy: '', reqIds: [FIRST] }])(
    'rejects %j',
    async (data) => {
      const device = await aPowerController()
      await expect(device.call('cancelOverridesByReqId', data)).rejects.toThrow('is missing')
    },
  )
})
