import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, test } from 'vitest'
import { startFleet } from './testing/fleet.ts'

type Fleet = Awaited<ReturnType<typeof startFleet>>

/** Waits while time passes. */
const becomes = (fleet: Fleet, id: string, expected: object, seconds = 60) =>
  fleet.within(seconds, async () => expect((await fleet.outcomes(id))[0]).toMatchObject(expected))

/** A controller that has accepted a dispatch, and whose answers were lost until the deadline. */
async function expired(change: (fleet: Fleet) => void = () => {}) {
  const fleet = await startFleet(1)
  const device = fleet.device(0)
  device.mood = 'lost'
  const process = fleet.startProcess()
  const id = await fleet.add({ deadlineS: 10, toS: 300 })
  process.engine.wake()
  await eventually(() => expect(device.overrides.size).toBe(1))
  change(fleet)
  await fleet.pass(10)
  await becomes(fleet, id, { outcome: 'expired', release: 'pending' }, 20)
  return { fleet, device, id, ...process }
}

describe('an override that was accepted and never answered', () => {
  test('is released after the deadline, when the controller answers again', async () => {
    const { fleet, device, id } = await expired()
    expect(await fleet.dispatch(id)).toMatchObject({ state: 'completed', releasing: 1 })
    device.mood = 'answers'
    await becomes(fleet, id, { outcome: 'expired', release: 'confirmed' })
    expect(device.overrides.size).toBe(0)
    expect(device.received.at(-1)?.envelope.data).toMatchObject({
      placedBy: 'key_ann',
      reason: 'the fleet dispatch expired',
    })
  })

  test('is released by its id on a controller that does not know how to release by reqId', async () => {
    const { fleet, device, id } = await expired(({ device }) => {
      device(0).isOld = true
    })
    device.mood = 'answers'
    await becomes(fleet, id, { release: 'confirmed' })
    expect(device.overrides.size).toBe(0)
    const sent = device.received.map(({ command }) => command)
    expect(sent.join()).toContain('cancelOverridesByReqId,getControlState,demandResponseCancel')
    // The other overrides of the same key stay.
    expect(sent).not.toContain('cancelOverrides')
  })

  test('is not taken for released while such a controller does not list all it holds; it ends with its window', async () => {
    const { fleet, device, id } = await expired(({ device }) => {
      device(0).isOld = true
      device(0).leavesOut = 1
    })
    device.mood = 'answers'
    await fleet.pass(60)
    await becomes(fleet, id, { release: 'pending' })
    await fleet.pass(230)
    await becomes(fleet, id, { outcome: 'expired', release: 'unconfirmed' })
    expect((await fleet.dispatch(id)).releasing).toBe(0)
  })

  test('is released although a later attempt was refused', async () => {
    const fleet = await startFleet(1)
    const device = fleet.device(0)
    device.mood = 'lost'
    const { engine } = fleet.startProcess()
    const id = await fleet.add()
    engine.wake()
    await eventually(() => expect(device.overrides.size).toBe(1))
    // The controller refuses the repeated command without looking whether it knows it.
    const { receive } = device
    device.receive = (command, envelope, deadline) =>
      receive(command, envelope, command === 'demandResponseOverride' ? 0 : deadline)
    await fleet.pass(3)
    device.mood = 'answers'
    await becomes(fleet, id, { outcome: 'refused' }, 10)
    await becomes(fleet, id, { outcome: 'refused', release: 'confirmed' })
    expect(device.overrides.size).toBe(0)
  })
})

describe('cancelling a dispatch', () => {
  test('releases what was accepted, and sends nothing more', async () => {
    const fleet = await startFleet(3)
    fleet.device(2).isOnline = false
    const { engine, back } = fleet.startProcess()
    const id = await fleet.add()
    engine.wake()
    await eventually(async () => expect((await fleet.dispatch(id)).counts).toMatchObject({ accepted: 2, pending: 1 }))
    expect(await fleet.cancel(id)).toMatchObject({ wasRunning: true, siteIds: ['site'] })
    expect(await fleet.cancel(id)).toBeUndefined()
    expect(await fleet.dispatch(id)).toMatchObject({ state: 'cancelled', counts: { cancelled: 3 }, releasing: 2 })
    engine.wake()
    await eventually(async () => expect((await fleet.dispatch(id)).releasing).toBe(0))
    for (const device of fleet.devices.values()) expect(device.overrides.size).toBe(0)
    fleet.device(2).isOnline = true
    back(fleet.device(2).id)
    await fleet.pass(70)
    expect(fleet.device(2).received).toEqual([])
    expect((await fleet.dispatch(id)).state).toBe('cancelled')
  })

  test('releases a controller that is offline when it is back', async () => {
    const fleet = await startFleet(1)
    const device = fleet.device(0)
    const { engine, back } = fleet.startProcess()
    const id = await fleet.add()
    engine.wake()
    await eventually(async () => expect((await fleet.dispatch(id)).state).toBe('completed'))
    device.isOnline = false
    await fleet.cancel(id)
    engine.wake()
    await fleet.pass(100)
    expect([(await fleet.dispatch(id)).releasing, device.overrides.size]).toEqual([1, 1])
    device.isOnline = true
    back(device.id)
    await becomes(fleet, id, { outcome: 'cancelled', release: 'confirmed' })
    expect(device.overrides.size).toBe(0)
  })

  test('releases again what a slow process sends after the release', async () => {
    const fleet = await startFleet(1)
    const device = fleet.device(0)
    device.mood = 'deaf'
    const { engine } = fleet.startProcess()
    const id = await fleet.add()
    engine.wake()
    await eventually(async () => expect((await fleet.dispatch(id)).counts.pending).toBe(1))
    const claimed = () => fleet.db.selectFrom('device_task').select('sent_until').executeTakeFirstOrThrow()
    await eventually(async () => expect((await claimed()).sent_until).not.toBeNull())
    await fleet.cancel(id)
    device.mood = 'answers'
    engine.wake()
    await eventually(() => expect(device.received).toHaveLength(1))
    // The command of the first attempt arrives only now, before its deadline.
    const [outcome] = await fleet.outcomes(id)
    const data = { datapointId: 'dp', value: -20, from: outcome?.from, to: outcome?.to }
    device.receive(
      'demandResponseOverride',
      { reqId: outcome?.reqId ?? '', keyId: 'key_ann', data },
      fleet.clock.now() + 1,
    )
    expect(device.overrides.size).toBe(1)
    expect(await fleet.outcomes(id)).toMatchObject([{ outcome: 'cancelled', release: 'pending' }])
    await becomes(fleet, id, { outcome: 'cancelled', release: 'confirmed' })
    expect(device.overrides.size).toBe(0)
  })

  test('of a dispatch whose window is over changes nothing', async () => {
    const fleet = await startFleet(1)
    const { engine } = fleet.startProcess()
    const id = await fleet.add({ deadlineS: 10, toS: 20 })
    engine.wake()
    await eventually(async () => expect((await fleet.dispatch(id)).state).toBe('completed'))
    await fleet.pass(20)
    expect(await fleet.cancel(id)).toBeUndefined()
    expect((await fleet.dispatch(id)).counts.accepted).toBe(1)
  })
})
