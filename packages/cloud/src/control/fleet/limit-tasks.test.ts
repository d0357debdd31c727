import { describe, expect, test } from 'vitest'
import { startFleet } from './testing/fleet.ts'

/** A fleet whose controllers have power limits, and one process. */
async function startLimits(count: number) {
  const fleet = await startFleet(count)
  await fleet.commissionLimits()
  const heldBy = (index: number) => [...fleet.device(index).limits.values()].map(({ kw }) => kw)
  const completed = (id: string) => async () => expect((await fleet.dispatch(id)).state).toBe('completed')
  const released = (id: string) => async () => expect((await fleet.dispatch(id)).releasing).toBe(0)
  /** Lets a controller report its power and the limits that it has. */
  const draws = (index: number, meterKw: number) => {
    const limits = [...fleet.device(index).limits.values()]
    const received_at = new Date(fleet.clock.now())
    const document = JSON.stringify({ powerLimit: { meterKw, limits } }) as never
    return fleet.db
      .insertInto('device_state')
      .values({ device_id: fleet.device(index).id, held: 0, troubled: 0, received_at, document })
      .onConflict((known) => known.column('device_id').doUpdateSet({ received_at, document }))
      .execute()
  }
  return { ...fleet, heldBy, completed, released, draws }
}

describe('a power limit over several controllers', () => {
  test('is placed once at each with its share, and released by its reqId', async () => {
    const { addLimit, startProcess, within, completed, released, heldBy, device, dispatch, cancel } =
      await startLimits(3)
    const id = await addLimit(90)
    const { engine } = startProcess()
    engine.wake()
    await within(30, completed(id))
    expect([0, 1, 2].map(heldBy)).toEqual([[30], [30], [30]])
    const [placed] = device(0).received
    expect(placed).toMatchObject({
      command: 'placeLimit',
      envelope: { keyId: 'key_ann', data: { direction: 'import' } },
    })
    expect((await dispatch(id)).limit).toEqual({ direction: 'import', averagingSeconds: 900 })
    await cancel(id)
    engine.wake()
    await within(30, released(id))
    expect([0, 1, 2].map(heldBy)).toEqual([[], [], []])
    expect(device(0).received.at(-1)).toMatchObject({
      command: 'cancelOverridesByReqId',
      envelope: { data: { reason: 'the power limit was cancelled' } },
    })
  })

  test('is not split again for a controller that has not been given back what it had', async () => {
    const { addLimit, startProcess, within, completed, heldBy, device, dispatch } = await startLimits(2)
    device(1).isEmpty = true
    const id = await addLimit(60, { deadlineS: 300 })
    const { engine } = startProcess()
    engine.wake()
    await within(60, async () => expect(device(1).received.length).toBeGreaterThan(2))
    expect((await dispatch(id)).counts).toMatchObject({ pending: 1, refused: 0 })
    device(1).isEmpty = false
    await within(60, completed(id))
    expect([0, 1].map(heldBy)).toEqual([[30], [30]])
  })

  test('is split again when one refuses that draws more than its share, without a moment in which a site has no limit', async () => {
    const { addLimit, startProcess, within, completed, released, heldBy, device, dispatch, outcomes, draws, ended } =
      await startLimits(3)
    device(2).refuses = 'the meter is not calibrated'
    await draws(2, 50)
    const id = await addLimit(90)
    const { engine } = startProcess()
    engine.wake()
    await within(60, completed(id))
    await within(60, released(id))
    expect([0, 1, 2].map(heldBy)).toEqual([[20], [20], []])
    for (const index of [0, 1]) {
      const commands = device(index).received.map(({ command, envelope }) => [command, envelope.data.kw])
      expect(commands).toEqual([
        ['placeLimit', 30],
        ['placeLimit', 20],
        ['cancelOverridesByReqId', undefined],
      ])
    }
    expect((await dispatch(id)).counts).toMatchObject({ accepted: 2, refused: 1, cancelled: 0, pending: 0 })
    expect(await outcomes(id)).toMatchObject([
      { value: 30, outcome: 'cancelled', isReplaced: true, release: 'confirmed', reason: 'the total was split again' },
      { value: 30, outcome: 'cancelled', isReplaced: true, release: 'confirmed' },
      { value: 30, outcome: 'refused', isReplaced: false, reason: 'the meter is not calibrated' },
      { value: 20, outcome: 'accepted', isReplaced: false },
      { value: 20, outcome: 'accepted', isReplaced: false },
    ])
    // Once, at the end of the last round.
    expect(ended).toMatchObject([{ id, kind: 'limit', counts: { accepted: 2, refused: 1 } }])
  })

  test('is split again at the deadline when one is offline, also by another process', async () => {
    const { addLimit, startProcess, within, completed, released, heldBy, device, draws, pass } = await startLimits(2)
    device(1).isOnline = false
    await draws(1, 60)
    const id = await addLimit(90, { deadlineS: 30 })
    const first = startProcess()
    first.engine.wake()
    await within(10, async () => expect(heldBy(0)).toEqual([45]))
    first.kill()
    const second = startProcess()
    second.engine.wake()
    await pass(35)
    await within(60, completed(id))
    await within(60, released(id))
    expect([0, 1].map(heldBy)).toEqual([[30], []])
  })

  test('keeps the share before where the new one is not accepted', async () => {
    const { addLimit, startProcess, within, completed, released, heldBy, device, dispatch, draws } =
      await startLimits(2)
    device(1).refuses = 'no'
    await draws(1, 60)
    const id = await addLimit(90)
    const { engine } = startProcess()
    engine.wake()
    await within(10, async () => expect(heldBy(0)).toEqual([45]))
    device(0).refuses = 'no'
    await within(60, completed(id))
    await within(60, released(id))
    const commands = device(0).received.map(({ command, envelope }) => [command, envelope.data.kw])
    expect(commands).toEqual([
      ['placeLimit', 45],
      ['placeLimit', 30],
      ['getControlState', undefined],
    ])
    expect(heldBy(0)).toEqual([45])
    expect((await dispatch(id)).counts).toMatchObject({ accepted: 1, refused: 1 })
  })

  test('is split again once when a controller has lost it, also by another process, and no more while that one draws more', async () => {
    const {
      addLimit,
      startProcess,
      within,
      pass,
      completed,
      released,
      heldBy,
      device,
      dispatch,
      outcomes,
      draws,
      ended,
    } = await startLimits(3)
    const reports = async (...kw: number[]) => {
      for (const [index, meterKw] of kw.entries()) await draws(index, meterKw)
    }
    const id = await addLimit(90)
    let isLost = false
    // It dies after it has split the limit again, and before it places a new share.
    const first = startProcess((store) => ({
      ...store,
      async splitLost(now) {
        await store.splitLost(now)
        if (isLost && (await dispatch(id)).state === 'running') first.kill()
      },
    }))
    first.engine.wake()
    await within(30, completed(id))
    await pass(60)
    await reports(25, 25, 25)
    await pass(60)
    expect([0, 1, 2].map(heldBy)).toEqual([[30], [30], [30]])
    expect(ended).toHaveLength(1)
    // Released by somebody at the controller.
    device(2).limits.clear()
    isLost = true
    await reports(25, 25, 50)
    await within(60, async () => expect((await dispatch(id)).state).toBe('running'))
    expect([0, 1].map(heldBy)).toEqual([[30], [30]])
    for (const { engine } of [startProcess(), startProcess()]) engine.wake()
    await within(60, completed(id))
    await within(60, released(id))
    expect([0, 1, 2].map(heldBy)).toEqual([[20], [20], []])
    expect(await outcomes(id)).toMatchObject([
      { value: 30, outcome: 'cancelled', isReplaced: true },
      { value: 30, outcome: 'cancelled', isReplaced: true },
      { value: 30, outcome: 'refused', isReplaced: false, reason: 'the controller no longer has the limit' },
      { value: 20, outcome: 'accepted' },
      { value: 20, outcome: 'accepted' },
    ])
    await reports(20, 20, 80)
    await pass(90)
    expect([0, 1, 2].map(heldBy)).toEqual([[20], [20], []])
    expect(ended).toMatchObject([{ counts: { accepted: 3 } }, { counts: { accepted: 2, refused: 1 } }])
  })

  test('stays as it is when the one that lost it draws less than its share, and when one is offline', async () => {
    const { addLimit, startProcess, within, pass, completed, heldBy, device, dispatch, draws, db, clock } =
      await startLimits(2)
    const id = await addLimit(90)
    startProcess().engine.wake()
    await within(30, completed(id))
    await pass(60)
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
    await pass(60)
    expect(heldBy(0)).toEqual([45])
    expect((await dispatch(id)).state).toBe('completed')
  })
})
