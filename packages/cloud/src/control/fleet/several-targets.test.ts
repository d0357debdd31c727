import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, test } from 'vitest'
import { startFleet } from './testing/fleet.ts'
import type { ImitatedDevice } from './testing/imitated-device.ts'

type Fleet = Awaited<ReturnType<typeof startFleet>>

const EACH = 12
/** Commands to one controller at a time. */
const AT_ONCE = 8

const counts = async (fleet: Fleet, id: string) => (await fleet.dispatch(id)).counts
const becomes = (fleet: Fleet, id: string, expected: object) =>
  fleet.within(15, async () => expect(await counts(fleet, id)).toMatchObject(expected))
const heldBy = (device: ImitatedDevice) => [...device.overrides.values()]
const sent = (device: ImitatedDevice, command: string) => device.received.filter((one) => one.command === command)

describe('several datapoints of one controller', () => {
  test('are all placed, each with its own value, override and outcome', async () => {
    const fleet = await startFleet(2, { datapointsEach: EACH })
    const { engine } = fleet.startProcess()
    const id = await fleet.add()
    engine.wake()
    await becomes(fleet, id, { accepted: 2 * EACH })
    const outcomes = await fleet.outcomes(id)
    expect(new Set(outcomes.map(({ overrideId }) => overrideId)).size).toBe(2 * EACH)
    for (const [index, { deviceId, value, overrideId, reqId }] of outcomes.entries()) {
      const held = fleet.devices.get(deviceId)?.overrides.get(overrideId ?? '')
      expect(held).toMatchObject({ value: -20 - (index % EACH), reqId })
      expect(held?.value).toBe(value)
    }
    expect(fleet.placements(fleet.device(0))).toHaveLength(EACH)
    expect(await fleet.dispatch(id)).toMatchObject({ state: 'completed' })
    expect(fleet.ended).toHaveLength(1)
  })

  test('are refused one by one', async () => {
    const fleet = await startFleet(1, { datapointsEach: EACH })
    fleet.device(0).refusesDatapoint = 'dp_dev_0000_3'
    const { engine } = fleet.startProcess()
    const id = await fleet.add()
    engine.wake()
    await becomes(fleet, id, { accepted: EACH - 1, refused: 1 })
    const refused = (await fleet.outcomes(id)).filter(({ outcome }) => outcome === 'refused')
    expect(refused).toMatchObject([{ datapointId: 'dp_dev_0000_3', overrideId: null, release: null }])
  })

  test('reach a controller that does not answer a few at a time, and the rest when it answers', async () => {
    const fleet = await startFleet(1, { datapointsEach: EACH })
    const device = fleet.device(0)
    device.mood = 'lost'
    const { engine } = fleet.startProcess()
    const id = await fleet.add()
    engine.wake()
    await eventually(() => expect(fleet.placements(device)).toHaveLength(AT_ONCE))
    device.mood = 'answers'
    await becomes(fleet, id, { accepted: EACH })
    expect(heldBy(device)).toHaveLength(EACH)
    expect(fleet.placements(device)).toHaveLength(EACH + AT_ONCE)
  })

  test('are not sent to a controller after some of them got no answer, until the next attempt', async () => {
    const fleet = await startFleet(1, { datapointsEach: EACH })
    const device = fleet.device(0)
    device.mood = 'lost'
    const { engine } = fleet.startProcess()
    const id = await fleet.add()
    engine.wake()
    await eventually(() => expect(fleet.placements(device)).toHaveLength(AT_ONCE))
    await fleet.within(15, async () => expect(fleet.placements(device).length).toBeGreaterThan(AT_ONCE))
    // The ninth command repeats one of the first eight: the other datapoints have not had their turn.
    const datapoints = fleet.placements(device).map(({ envelope }) => envelope.data.datapointId)
    expect(datapoints.slice(0, AT_ONCE)).toContain(datapoints[AT_ONCE])
    expect(await counts(fleet, id)).toMatchObject({ pending: EACH })
  })

  test('are released with one command, which leaves the overrides of other dispatches alone', async () => {
    const fleet = await startFleet(1, { datapointsEach: EACH })
    const device = fleet.device(0)
    const { engine } = fleet.startProcess()
    const [first, second] = [await fleet.add(), await fleet.add()]
    engine.wake()
    await becomes(fleet, first, { accepted: EACH })
    await becomes(fleet, second, { accepted: EACH })
    await fleet.cancel(first)
    engine.wake()
    await fleet.within(15, async () => expect((await fleet.dispatch(first)).releasing).toBe(0))
    expect((await fleet.outcomes(first)).every(({ release }) => release === 'confirmed')).toBe(true)
    const kept = (await fleet.outcomes(second)).map(({ overrideId }) => overrideId)
    expect(heldBy(device).map(({ id }) => id)).toEqual(kept)
    expect(sent(device, 'cancelOverridesByReqId')).toHaveLength(1)
    expect(await fleet.dispatch(second)).toMatchObject({ releasing: 0, counts: { accepted: EACH } })
  })

  test('are released one by one by a controller of an earlier version', async () => {
    const fleet = await startFleet(1, { datapointsEach: EACH })
    const device = fleet.device(0)
    device.isOld = true
    const { engine } = fleet.startProcess()
    const [first, second] = [await fleet.add(), await fleet.add()]
    engine.wake()
    await becomes(fleet, second, { accepted: EACH })
    await fleet.cancel(first)
    engine.wake()
    await fleet.within(15, async () => expect((await fleet.dispatch(first)).releasing).toBe(0))
    expect(heldBy(device)).toHaveLength(EACH)
    expect(sent(device, 'demandResponseCancel')).toHaveLength(EACH)
  })

  test('that were sent and not answered by the deadline are released, the others were never there', async () => {
    const fleet = await startFleet(1, { datapointsEach: EACH })
    const device = fleet.device(0)
    device.mood = 'lost'
    const { engine } = fleet.startProcess()
    const id = await fleet.add({ deadlineS: 3.5 })
    engine.wake()
    await eventually(() => expect(heldBy(device)).toHaveLength(AT_ONCE))
    await fleet.pass(3)
    // What ends before the process could say that it was not sent counts as sent.
    const unsent = fleet.db.selectFrom('device_task').where('sent_until', 'is', null).select('subject')
    await eventually(async () => expect(await unsent.execute()).toHaveLength(EACH - AT_ONCE))
    await fleet.pass(0.5)
    await becomes(fleet, id, { expired: AT_ONCE, offline: EACH - AT_ONCE })
    device.mood = 'answers'
    await fleet.within(60, async () => expect((await fleet.dispatch(id)).releasing).toBe(0))
    expect(heldBy(device)).toEqual([])
  })
})
