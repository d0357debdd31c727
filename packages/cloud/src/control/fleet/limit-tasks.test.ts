import { describe, expect, test } from 'vitest'
import { startLimits } from './testing/limits.ts'

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
})
