import { expect, test } from 'vitest'
import { createFactStore } from './fact-store.ts'
import { openAlertBench, WELL } from './testing/bench.ts'

test('what was seen is read of all devices, or of some', async () => {
  const { db, addDevices } = await openAlertBench()
  await addDevices(3)
  const store = createFactStore(db)
  const online = { online: true, since: 5 }
  const seen = new Map(['dev_a0', 'dev_a1', 'dev_a2'].map((id) => [id, online]))
  await store.saveSeen(seen)
  expect(await store.seen()).toEqual(seen)
  expect(await store.seen(['dev_a1', 'dev_removed'])).toEqual(new Map([['dev_a1', online]]))
})

test('health is stored when it differs, or every 30 s, and never replaced by an earlier one', async () => {
  const { db, addDevices } = await openAlertBench()
  const [deviceId = ''] = await addDevices(1)
  const save = async (at: number, freeBytes: number) => {
    const one = { deviceId, at, document: { ...WELL, freeBytes }, hasTrouble: false }
    await createFactStore(db).saveHealth([one])
    const { received_at, document } = await db.selectFrom('device_health').selectAll().executeTakeFirstOrThrow()
    return [received_at.getTime(), document.freeBytes]
  }
  expect(await save(100_000, 5)).toEqual([100_000, 5])
  expect(await save(130_000, 5)).toEqual([100_000, 5])
  expect(await save(130_001, 5)).toEqual([130_001, 5])
  expect(await save(130_002, 6)).toEqual([130_002, 6])
  expect(await save(130_001, 7)).toEqual([130_002, 6])
  expect(await save(90_000, 7)).toEqual([130_002, 6])
})
