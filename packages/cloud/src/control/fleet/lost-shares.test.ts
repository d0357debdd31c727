import { createManualClock } from '@plantroom/testkit/manual-clock'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createLostShareStore, type LostShareStore } from './lost-share-store.ts'
import { startLimits } from './testing/limits.ts'

/** A limit of 90 kW that all controllers have accepted, long enough ago for their states to be clear. */
async function startHeld(count: number) {
  const fleet = await startLimits(count)
  const { startProcess, within, pass, addLimit, completed, draws } = fleet
  const id = await addLimit(90)
  startProcess().engine.wake()
  await within(30, completed(id))
  await pass(60)
  const reports = async (...kw: number[]) => {
    for (const [index, meterKw] of kw.entries()) await draws(index, meterKw)
  }
  const held = () => Array.from({ length: count }, (_, index) => fleet.heldBy(index))
  return { ...fleet, id, reports, held }
}

describe('a limit over several controllers', () => {
  test('is split again once when one has lost its share, and no more while that one draws more', async () => {
    const { id, startWorker, reports, held, device, within, pass, completed, released, outcomes, ended } =
      await startHeld(3)
    await startWorker()
    await startWorker()
    await reports(25, 25, 25)
    await pass(60)
    expect(held()).toEqual([[30], [30], [30]])
    expect(ended).toHaveLength(1)
    // Released by a person at the controller.
    device(2).limits.clear()
    await reports(25, 25, 50)
    await within(90, async () => expect(held()).toEqual([[20], [20], []]))
    await within(60, completed(id))
    await within(60, released(id))
    expect(await outcomes(id)).toMatchObject([
      { value: 30, outcome: 'cancelled', isReplaced: true, isLost: false },
      { value: 30, outcome: 'cancelled', isReplaced: true, isLost: false },
      { value: 30, outcome: 'refused', isLost: true, reason: 'the controller no longer has the limit' },
      { value: 20, outcome: 'accepted', isLost: false },
      { value: 20, outcome: 'accepted', isLost: false },
    ])
    await reports(20, 20, 80)
    await pass(90)
    expect(held()).toEqual([[20], [20], []])
    expect(ended).toMatchObject([{ counts: { accepted: 3 } }, { counts: { accepted: 2, refused: 1 } }])
  })

  test('is left alone where a state may be from before its share, and in its last 30 s', async () => {
    const { id, reports, device, db, clock } = await startHeld(2)
    device(1).limits.clear()
    await reports(25, 60)
    const store = createLostShareStore(db, async () => {})
    const foundAt = (ms: number) => store.find(sql<Date>`${new Date(ms)}::timestamptz`, 9)
    const { to_at } = await db.selectFrom('fleet_dispatch').select('to_at').executeTakeFirstOrThrow()
    expect(await foundAt(to_at.getTime() - 30_001)).toEqual([id])
    expect(await foundAt(to_at.getTime() - 30_000)).toEqual([])
    const share = db.selectFrom('fleet_target').where('device_id', '=', device(1).id).select('settled_at')
    const settledAt = (await share.executeTakeFirstOrThrow()).settled_at?.getTime() ?? 0
    const foundWithState = async (ms: number) => {
      const received_at = new Date(settledAt + ms)
      await db.updateTable('device_state').where('device_id', '=', device(1).id).set({ received_at }).execute()
      return foundAt(clock.now())
    }
    expect(await foundWithState(30_000)).toEqual([])
    expect(await foundWithState(30_001)).toEqual([id])
  })

  test('is split again by another worker when one dies while it looks', async () => {
    const { id, startWorker, reports, held, device, within, completed, ended, clock } = await startHeld(2)
    device(1).limits.clear()
    await reports(25, 60)
    // It takes the lease and nothing more happens in it: its time stands still.
    const frozen = createManualClock(clock.now())
    let isLooking = false
    const end = Promise.withResolvers<string[]>()
    const dead = (store: LostShareStore): LostShareStore => ({
      ...store,
      find() {
        isLooking = true
        return end.promise
      },
    })
    await startWorker(dead, frozen)
    onTestFinished(() => end.resolve([]))
    await within(60, async () => expect(isLooking).toBe(true))
    await startWorker()
    await within(120, async () => expect(held()).toEqual([[30], []]))
    await within(60, completed(id))
    expect(ended).toHaveLength(2)
  })

  test('stays released when it is released while a worker looks', async () => {
    const { id, startWorker, reports, held, device, within, released, dispatch, outcomes, cancel, ended } =
      await startHeld(2)
    device(1).limits.clear()
    await reports(25, 60)
    let splits = 0
    await startWorker((store) => ({
      ...store,
      async split(limit, now) {
        await cancel(limit)
        await store.split(limit, now)
        splits += 1
      },
    }))
    await within(60, async () => expect(splits).toBe(1))
    await within(60, released(id))
    expect(held()).toEqual([[], []])
    expect((await dispatch(id)).state).toBe('cancelled')
    expect(await outcomes(id)).toMatchObject([{ outcome: 'cancelled' }, { outcome: 'cancelled', isLost: false }])
    expect(ended).toHaveLength(1)
  })

  test('is split again although another one cannot be', async () => {
    const { startWorker, addLimit, completed, reports, device, within, pass, outcomes, id, heldBy } = await startHeld(2)
    const second = await addLimit(80)
    await within(30, completed(second))
    await pass(60)
    device(1).limits.clear()
    await reports(25, 60)
    let failures = 0
    await startWorker((store) => ({
      ...store,
      async split(limit, now) {
        if (limit !== id) return store.split(limit, now)
        failures += 1
        throw new Error('the database does not like it')
      },
    }))
    await within(60, async () => expect(heldBy(0)).toContain(20))
    expect(failures).toBeGreaterThan(0)
    expect(await outcomes(id)).toMatchObject([{ isLost: false }, { isLost: false }])
  })

  test('stays as it is when the one that lost it draws less than its share, and when one is offline', async () => {
    const { id, startWorker, held, device, dispatch, outcomes, draws, within, pass, db, clock } = await startHeld(2)
    await startWorker()
    await draws(0, 30)
    device(0).isOnline = false
    device(1).limits.clear()
    const at = new Date(clock.now())
    await db
      .insertInto('device_replacement')
      .values({ device_id: device(1).id, id: 'rpl', requested_at: at, requested_by: '{}' as never })
      .execute()
    await draws(1, 60)
    await pass(45)
    // It may still be given back what it had.
    expect((await dispatch(id)).counts).toMatchObject({ accepted: 2 })
    await db.updateTable('device_replacement').set({ finished_at: at }).execute()
    await draws(1, 10)
    await within(60, async () => expect((await dispatch(id)).counts).toMatchObject({ accepted: 1, refused: 1 }))
    // One more look.
    await pass(31)
    expect(held()).toEqual([[45], []])
    expect(await outcomes(id)).toMatchObject([{ isLost: false }, { isLost: true }])
    expect((await dispatch(id)).state).toBe('completed')
  })
})
