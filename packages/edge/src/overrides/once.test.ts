import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createLog } from '@plantroom/base/log'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createAnswerStore, PRUNE_BATCH } from '../store/answer-store.ts'
import { createCommits } from '../store/commits.ts'
import { openJournal } from '../store/journal.ts'
import { aCaller } from '../testing/caller.ts'
import type { Controller } from '../testing/controller.ts'
import { immediateChange } from '../testing/immediate-change.ts'
import { aPowerController, auditLines } from '../testing/power-controller.ts'
import { createOnce } from './once.ts'

const HOUR_S = 3600
const log = createLog('edge', 'silent')

/** The data of an override that starts now. */
function overrideData({ clock }: Controller, value = 20, seconds = 600) {
  const [from, to] = [formatTimestamp(clock.now()), formatTimestamp(clock.now() + seconds * 1000)]
  return { datapointId: 'power', value, from, to }
}

const place = (device: Controller, data: object, caller: { reqId: string; keyId?: string }) =>
  device.call('demandResponseOverride', data, caller)

/** Two requests whose answers are kept. */
const placeAndCancel = async (device: Controller) => device.cancel(await device.override('power', 30, 600, 660))

describe('the same reqId', () => {
  test('with the same data gets the first answer and places no second override', async () => {
    const device = await aPowerController()
    const [data, reqId] = [overrideData(device), crypto.randomUUID()]
    const first = await place(device, data, { reqId })
    await device.pass(10)
    expect(await place(device, data, { reqId })).toEqual(first)
    await device.cancel((first as { id: string }).id)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(auditLines(device)).toHaveLength(2)
  })

  test('is case-insensitive, even across a restart', async () => {
    const device = await aPowerController()
    const [data, reqId] = [overrideData(device), crypto.randomUUID()]
    const first = await place(device, data, { reqId: reqId.toUpperCase() })
    expect(await place(device, data, { reqId })).toEqual(first)
    await device.crash()
    expect(await place(device, data, { reqId: reqId.toUpperCase() })).toEqual(first)
    await expect(place(device, overrideData(device, 30), { reqId })).rejects.toThrow('used for another command')
    await device.cancel((first as { id: string }).id)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('stored in capitals by an earlier version is recognised', async () => {
    const device = await aPowerController()
    const [data, reqId] = [overrideData(device), crypto.randomUUID().toUpperCase()]
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

  test('sent twice at the same time places one override', async () => {
    const device = await aPowerController()
    const [data, reqId] = [overrideData(device), crypto.randomUUID()]
    const [first, second] = await Promise.all([place(device, data, { reqId }), place(device, data, { reqId })])
    expect(second).toEqual(first)
    await device.cancel((first as { id: string }).id)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('with other data is rejected, even at the same time, and places nothing', async () => {
    const device = await aPowerController()
    const reqId = crypto.randomUUID()
    const sent = [overrideData(device, 20), overrideData(device, 30)].map((data) => place(device, data, { reqId }))
    const [first, second] = await Promise.allSettled(sent)
    expect(first?.status).toBe('fulfilled')
    expect(second).toMatchObject({ reason: { kind: 'rejected', message: expect.stringContaining(reqId) } })
    await expect(place(device, overrideData(device, 40), { reqId })).rejects.toThrow('used for another command')
    await expect(device.cancel('ovr_x', { reqId })).rejects.toThrow('used for another command')
    expect(device.equipment.points.get('power')).toBe(20)
  })

  test('is remembered through many later requests', async () => {
    const device = await aPowerController()
    const [data, reqId] = [overrideData(device, 20, 60), crypto.randomUUID()]
    const first = await place(device, data, { reqId })
    await device.pass(61)
    // Each of these requests is remembered too, and every so often the oldest answers are pruned.
    for (let count = 0; count < PRUNE_BATCH; count += 1) await placeAndCancel(device)
    expect(await place(device, data, { reqId })).toEqual(first)
    expect(device.equipment.writes.map(({ raw }) => raw)).toEqual([20, 10])
  })

  test('is remembered through many requests in its last hour, and pruned by those that follow', async () => {
    const device = await aPowerController({ power: { writeInterval: 0 } })
    const [data, reqId] = [overrideData(device, 20, 60), crypto.randomUUID()]
    const first = (await place(device, data, { reqId })) as { id: string }
    await device.restart(47 * HOUR_S)
    for (let count = 0; count < PRUNE_BATCH / 2; count += 1) await placeAndCancel(device)
    expect(await place(device, data, { reqId })).toEqual(first)
    await device.restart(HOUR_S + 1)
    for (let count = 0; count < PRUNE_BATCH / 2; count += 1) await placeAndCancel(device)
    await device.stop()
    const journal = openJournal(device.folder)
    expect(journal.prepare('SELECT 1 FROM answer WHERE req_id = ?').get(reqId)).toBeUndefined()
    journal.close()
  })

  test('of another key is another request', async () => {
    const device = await aPowerController()
    const [data, reqId] = [overrideData(device), crypto.randomUUID()]
    const first = await place(device, data, { reqId, keyId: 'key_1' })
    expect(await place(device, data, { reqId, keyId: 'key_2' })).not.toEqual(first)
  })

  test('is recognised after a restart and after a power cut', async () => {
    const device = await aPowerController()
    const [data, reqId] = [overrideData(device), crypto.randomUUID()]
    const first = await place(device, data, { reqId })
    await device.restart()
    expect(await place(device, data, { reqId })).toEqual(first)
    await device.crash()
    expect(await place(device, data, { reqId })).toEqual(first)
    await expect(place(device, overrideData(device, 30), { reqId })).rejects.toThrow('used for another command')
  })

  test('gets the first answer after the override has ended, and does not place it again', async () => {
    const device = await aPowerController()
    const [data, reqId] = [overrideData(device, 20, 60), crypto.randomUUID()]
    const first = await place(device, data, { reqId })
    await device.pass(61)
    expect(await place(device, data, { reqId })).toEqual(first)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('of a rejected command may be used again for the corrected one', async () => {
    const device = await aPowerController()
    const reqId = crypto.randomUUID()
    await expect(place(device, { ...overrideData(device), datapointId: 'nowhere' }, { reqId })).rejects.toThrow(
      'not loaded',
    )
    await expect(place(device, overrideData(device), { reqId })).resolves.toHaveProperty('id')
  })

  test('of a cancel gets the first answer and does not cancel a later override', async () => {
    const device = await aPowerController()
    const id = await device.override('power', 20, 0, 600)
    const reqId = crypto.randomUUID()
    await device.cancel(id, { reqId })
    await device.override('power', 30, 0, 600)
    expect(await device.cancel(id, { reqId })).toEqual({ success: true })
    expect(device.equipment.points.get('power')).toBe(30)
  })

  test('is remembered for 48 hours and then forgotten', async () => {
    const device = await aPowerController({ power: { writeInterval: 0 } })
    const [data, reqId] = [overrideData(device), crypto.randomUUID()]
    const first = await place(device, data, { reqId })
    await device.restart(47 * HOUR_S)
    expect(await place(device, data, { reqId })).toEqual(first)
    await device.restart(HOUR_S + 1)
    await device.override('power', 30, 0, 60)
    await expect(place(device, overrideData(device, 40), { reqId })).resolves.not.toEqual(first)
  })
})

test('commands that arrive together run in the order of arrival', async () => {
  const device = await aPowerController()
  const data = [overrideData(device, 20), overrideData(device, 30), overrideData(device, 40)]
  await Promise.all(data.map((each) => place(device, each, { reqId: crypto.randomUUID() })))
  await device.pass(0)
  expect(device.equipment.points.get('power')).toBe(40)
})

describe('the size of the journal', () => {
  const bytes = ({ folder }: Controller) =>
    readdirSync(folder)
      .filter((name) => name.startsWith('journal.db'))
      .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  /** The write-ahead log grows to 200 pages before it is reused. */
  const LOG_BYTES = 1024 * 1024

  test('does not grow with 10,000 cancels of what is over, each with a new reqId', async () => {
    const device = await aPowerController()
    const id = await device.override('power', 20, 0, 60)
    await device.cancel(id)
    const before = bytes(device)
    for (let batch = 0; batch < 10; batch += 1) {
      await Promise.all(Array.from({ length: 1000 }, () => device.call('demandResponseCancel', { id })))
    }
    expect(bytes(device) - before).toBeLessThanOrEqual(LOG_BYTES)
    await device.stop()
    const journal = openJournal(device.folder)
    expect(journal.prepare('SELECT count(*) AS count FROM answer').get()).toEqual({ count: 2 })
    journal.close()
  })

  test('does not grow with 10,000 refused overrides, each with a new reqId', async () => {
    const device = await aPowerController()
    await device.pass(1)
    const before = bytes(device)
    const refused = { ...overrideData(device), datapointId: 'nowhere', reason: 'x'.repeat(200) }
    for (let batch = 0; batch < 10; batch += 1) {
      const sent = Array.from({ length: 1000 }, () => device.call('demandResponseOverride', refused))
      expect((await Promise.allSettled(sent)).every(({ status }) => status === 'rejected')).toBe(true)
    }
    expect(bytes(device) - before).toBeLessThanOrEqual(LOG_BYTES)
  })

  test('does not grow with overrides that are placed and cancelled while another one waits for its limits', async () => {
    const device = await aPowerController({ power: { limits: { minOffSeconds: 86_400 } }, points: { power: 0 } })
    await device.pass(1)
    await device.override('power', 5, 0, 10)
    const waiting = await device.override('power', 20, 12, 3600)
    await device.pass(20)
    expect(device.equipment.points.get('power')).toBe(0)
    const ids: string[] = []
    for (let count = 0; count < 300; count += 1) {
      ids.push(await device.override('power', 0, 600, 660))
      await device.cancel(ids.at(-1) ?? '')
    }
    await device.stop()
    const journal = openJournal(device.folder)
    const { size } = journal.prepare('SELECT max(length(document)) AS size FROM hold').get() ?? {}
    journal.close()
    expect(Number(size)).toBeLessThan(64 * 1024)
    // Every entry is there, in the order of what happened.
    await device.restart()
    await device.cancel(waiting)
    await device.pass(1)
    const closed = device.reports.filter(({ phase }) => phase === 'released').map(({ overrideId }) => overrideId)
    expect(closed.slice(1)).toEqual([...ids, waiting])
    expect(device.reports.filter(({ phase }) => phase === 'applied')).toHaveLength(2)
  })

  test('does not grow with long reasons, which still tell requests apart', async () => {
    const device = await aPowerController()
    const reqId = crypto.randomUUID()
    const data = { ...overrideData(device), reason: `${'\u0001'.repeat(199)}a` }
    const first = await place(device, data, { reqId })
    expect(await place(device, data, { reqId })).toEqual(first)
    const other = { ...data, reason: `${'\u0001'.repeat(199)}b` }
    await expect(place(device, other, { reqId })).rejects.toThrow('used for another command')
    const { id } = first as { id: string }
    await device.call('demandResponseCancel', { id, reason: data.reason })
    await device.stop()
    const journal = openJournal(device.folder)
    const { longest } = journal.prepare('SELECT max(length(request)) AS longest FROM answer').get() ?? {}
    journal.close()
    expect(Number(longest)).toBeLessThan(200)
  })

  test('has a bound for answers of one caller and of all, and the oldest go first', async () => {
    const journal = openJournal(temporaryFolder())
    const clock = createManualClock()
    const commits = createCommits({ journal, reserve: { hasRoom: () => true, release() {}, restore() {} }, clock, log })
    onTestFinished(() => {
      commits.close()
      journal.close()
    })
    const answers = createAnswerStore(journal)
    const once = createOnce({ answers, commits, clock, bounds: { perCaller: 100, inAll: 150 } })
    const kept = () =>
      journal.prepare('SELECT key_id, count(*) AS count, min(request) AS first FROM answer GROUP BY key_id').all()
    const ask = (keyId: string, index: number) =>
      commits.save((to) => {
        const request = `${keyId} ${String(index).padStart(5, '0')}`
        return once(to, aCaller({ keyId, reqId: request }), request, () => ({ reply: {}, isKept: true }))
      })
    await Promise.all([ask('key_quiet', 0), ...Array.from({ length: 1279 }, (_, index) => ask('key_1', index))])
    expect(kept()).toEqual([
      { key_id: 'key_1', count: 100, first: 'key_1 01179' },
      { key_id: 'key_quiet', count: 1, first: 'key_quiet 00000' },
    ])
    await Promise.all(Array.from({ length: 512 }, (_, index) => ask('key_2', index)))
    expect(kept()).toEqual([
      { key_id: 'key_1', count: 50, first: 'key_1 01229' },
      { key_id: 'key_2', count: 100, first: 'key_2 00412' },
    ])
  })

  test('does not cost an override its answer while it stands', async () => {
    const device = await aPowerController()
    const [data, reqId] = [overrideData(device), crypto.randomUUID()]
    const first = await place(device, data, { reqId })
    await device.stop()
    const journal = openJournal(device.folder)
    journal.exec('DELETE FROM answer')
    journal.close()
    await device.restart()
    expect(await place(device, data, { reqId: reqId.toUpperCase() })).toEqual(first)
    await expect(place(device, overrideData(device, 30), { reqId })).rejects.toThrow('used for another command')
    expect(await place(device, data, { reqId, keyId: 'key_2' })).not.toEqual(first)
  })
})
