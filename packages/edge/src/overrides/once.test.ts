import { formatTimestamp } from '@plantroom/contract/timestamp'
import { describe, expect, test } from 'vitest'
import { createAnswerStore, PRUNE_BATCH } from '../store/answer-store.ts'
import { openJournal } from '../store/journal.ts'
import type { Controller } from '../testing/controller.ts'
import { immediateChange } from '../testing/immediate-change.ts'
import { aPowerController, auditLines } from '../testing/power-controller.ts'

const HOUR_S = 3600

/** The data of a window that begins now, to be sent as often as one likes. */
function aWindow({ clock }: Controller, value = 20, seconds = 600) {
  const [from, to] = [formatTimestamp(clock.now()), formatTimestamp(clock.now() + seconds * 1000)]
  return { datapointId: 'power', value, from, to }
}

const place = (device: Controller, data: object, caller: { reqId: string; keyId?: string }) =>
  device.call('demandResponseOverride', data, caller)

describe('the same reqId', () => {
  test('with the same data is given the first answer, and places no second window', async () => {
    const device = await aPowerController()
    const [data, reqId] = [aWindow(device), crypto.randomUUID()]
    const first = await place(device, data, { reqId })
    await device.pass(10)
    expect(await place(device, data, { reqId })).toEqual(first)
    await device.cancel((first as { id: string }).id)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(auditLines(device)).toHaveLength(2)
  })

  test('in other letters is the same: the first answer, over a restart too, and no second window', async () => {
    const device = await aPowerController()
    const [data, reqId] = [aWindow(device), crypto.randomUUID()]
    const first = await place(device, data, { reqId: reqId.toUpperCase() })
    expect(await place(device, data, { reqId })).toEqual(first)
    await device.crash()
    expect(await place(device, data, { reqId: reqId.toUpperCase() })).toEqual(first)
    await expect(place(device, aWindow(device, 30), { reqId })).rejects.toThrow('used for another command')
    await device.cancel((first as { id: string }).id)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('that an earlier version kept in capitals is known', async () => {
    const device = await aPowerController()
    const [data, reqId] = [aWindow(device), crypto.randomUUID().toUpperCase()]
    const first = await place(device, data, { reqId })
    await device.stop()
    const journal = openJournal(device.folder)
    const { lookup } = journal.prepare('SELECT lookup FROM answer').get() as { lookup: number }
    createAnswerStore(journal).add(immediateChange, { keyId: 'key_1', reqId, request: 'x', reply: '{}', at: 0 })
    const { lookup: inCapitals } = journal.prepare('SELECT lookup FROM answer WHERE at = 0').get() as { lookup: number }
    journal.prepare('DELETE FROM answer WHERE at = 0').run()
    journal.prepare('UPDATE answer SET req_id = ?, lookup = ? WHERE lookup = ?').run(reqId, inCapitals, lookup)
    journal.close()
    await device.restart()
    expect(await place(device, data, { reqId })).toEqual(first)
  })

  test('twice in the same moment places one window', async () => {
    const device = await aPowerController()
    const [data, reqId] = [aWindow(device), crypto.randomUUID()]
    const [first, second] = await Promise.all([place(device, data, { reqId }), place(device, data, { reqId })])
    expect(second).toEqual(first)
    await device.cancel((first as { id: string }).id)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('with other data is rejected, also in the same moment, and nothing is placed', async () => {
    const device = await aPowerController()
    const reqId = crypto.randomUUID()
    const sent = [aWindow(device, 20), aWindow(device, 30)].map((data) => place(device, data, { reqId }))
    const [first, second] = await Promise.allSettled(sent)
    expect(first?.status).toBe('fulfilled')
    expect(second).toMatchObject({ reason: { kind: 'rejected', message: expect.stringContaining(reqId) } })
    await expect(place(device, aWindow(device, 40), { reqId })).rejects.toThrow('used for another command')
    await expect(device.cancel('ovr_x', { reqId })).rejects.toThrow('used for another command')
    expect(device.equipment.points.get('power')).toBe(20)
  })

  test('is still known after many later requests', async () => {
    const device = await aPowerController()
    const [data, reqId] = [aWindow(device, 20, 60), crypto.randomUUID()]
    const first = await place(device, data, { reqId })
    await device.pass(61)
    // Each of these requests is remembered too, and every so often the oldest answers are pruned.
    for (let count = 0; count < 2 * PRUNE_BATCH; count += 1) await device.cancel((first as { id: string }).id)
    expect(await place(device, data, { reqId })).toEqual(first)
    expect(device.equipment.writes.map(({ raw }) => raw)).toEqual([20, 10])
  })

  test('of another key is another request', async () => {
    const device = await aPowerController()
    const [data, reqId] = [aWindow(device), crypto.randomUUID()]
    const first = await place(device, data, { reqId, keyId: 'key_1' })
    expect(await place(device, data, { reqId, keyId: 'key_2' })).not.toEqual(first)
  })

  test('is known after a restart, and after a power cut', async () => {
    const device = await aPowerController()
    const [data, reqId] = [aWindow(device), crypto.randomUUID()]
    const first = await place(device, data, { reqId })
    await device.restart()
    expect(await place(device, data, { reqId })).toEqual(first)
    await device.crash()
    expect(await place(device, data, { reqId })).toEqual(first)
    await expect(place(device, aWindow(device, 30), { reqId })).rejects.toThrow('used for another command')
  })

  test('is given the first answer when the window has ended: it is not placed again', async () => {
    const device = await aPowerController()
    const [data, reqId] = [aWindow(device, 20, 60), crypto.randomUUID()]
    const first = await place(device, data, { reqId })
    await device.pass(61)
    expect(await place(device, data, { reqId })).toEqual(first)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('of a rejected command is free: it may be corrected and sent again', async () => {
    const device = await aPowerController()
    const reqId = crypto.randomUUID()
    await expect(place(device, { ...aWindow(device), datapointId: 'nowhere' }, { reqId })).rejects.toThrow('not loaded')
    await expect(place(device, aWindow(device), { reqId })).resolves.toHaveProperty('id')
  })

  test('of a cancel is given the first answer, and does not cancel what came later', async () => {
    const device = await aPowerController()
    const id = await device.override('power', 20, 0, 600)
    const reqId = crypto.randomUUID()
    await device.cancel(id, { reqId })
    await device.override('power', 30, 0, 600)
    expect(await device.cancel(id, { reqId })).toEqual({ success: true })
    expect(device.equipment.points.get('power')).toBe(30)
  })

  test('is kept for 48 hours, and forgotten after', async () => {
    const device = await aPowerController({ power: { writeInterval: 0 } })
    const [data, reqId] = [aWindow(device), crypto.randomUUID()]
    const first = await place(device, data, { reqId })
    await device.restart(47 * HOUR_S)
    expect(await place(device, data, { reqId })).toEqual(first)
    await device.restart(HOUR_S + 1)
    await device.override('power', 30, 0, 60)
    await expect(place(device, aWindow(device, 40), { reqId })).resolves.not.toEqual(first)
  })
})

test('two commands in the same moment are taken in the order in which they came', async () => {
  const device = await aPowerController()
  const data = [aWindow(device, 20), aWindow(device, 30), aWindow(device, 40)]
  await Promise.all(data.map((each) => place(device, each, { reqId: crypto.randomUUID() })))
  await device.pass(0)
  expect(device.equipment.points.get('power')).toBe(40)
})
