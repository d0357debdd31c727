import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, test } from 'vitest'
import { createTargetStore } from './target-store.ts'
import { KEY, startFleet } from './testing/fleet.ts'

type Fleet = Awaited<ReturnType<typeof startFleet>>

const countsOf = async ({ dispatch }: Fleet, id: string) => (await dispatch(id)).counts
const NONE = { accepted: 0, refused: 0, offline: 0, expired: 0, pending: 0, cancelled: 0 }
const becomes = (fleet: Fleet, id: string, counts: Partial<typeof NONE>) =>
  eventually(async () => expect(await countsOf(fleet, id)).toEqual({ ...NONE, ...counts }))

/** The same while time passes. */
const endsWith = (fleet: Fleet, id: string, counts: Partial<typeof NONE>) =>
  fleet.within(15, async () => expect(await countsOf(fleet, id)).toEqual({ ...NONE, ...counts }))

describe('a fleet dispatch', () => {
  test('is placed once on every controller, under the caller, and has ended then', async () => {
    const fleet = await startFleet(3)
    const { engine } = fleet.startProcess()
    const id = await fleet.add()
    engine.wake()
    await becomes(fleet, id, { accepted: 3 })
    for (const device of fleet.devices.values()) {
      expect(fleet.placements(device)).toHaveLength(1)
      const { envelope, deadline } = fleet.placements(device)[0] ?? {}
      expect(envelope).toMatchObject({ keyId: KEY.id, callerName: 'Ann', data: { value: -20, reason: 'grid alarm' } })
      expect(deadline).toBeLessThanOrEqual(fleet.clock.now() + 60_000)
    }
    const outcomes = await fleet.outcomes(id)
    const held = [...fleet.devices.values()].flatMap(({ overrides }) => [...overrides.values()])
    expect(outcomes.map(({ overrideId, reqId }) => [overrideId, reqId])).toEqual(
      held.map(({ id, reqId }) => [id, reqId]),
    )
    expect(await fleet.dispatch(id)).toMatchObject({ state: 'completed', releasing: 0 })
    expect(fleet.ended).toMatchObject([{ id, organizationId: 'org', siteIds: ['site'], state: 'completed' }])
    expect(fleet.ended[0]?.counts.accepted).toBe(3)
    const owners = await fleet.db.selectFrom('override_owner').selectAll().execute()
    expect(new Map(owners.map(({ override_id, placed_by }) => [override_id, placed_by]))).toEqual(
      new Map(held.map((one) => [one.id, KEY.id])),
    )
  })

  test('reaches the others immediately when some are silent, and reports these at the deadline', async () => {
    const fleet = await startFleet(300)
    for (let index = 0; index < 300; index += 10) fleet.device(index).mood = 'deaf'
    const { engine } = fleet.startProcess()
    const id = await fleet.add({ deadlineS: 5 })
    engine.wake()
    await becomes(fleet, id, { accepted: 270, pending: 30 })
    await fleet.pass(4.5)
    expect(await countsOf(fleet, id)).toMatchObject({ accepted: 270, pending: 30 })
    await endsWith(fleet, id, { accepted: 270, expired: 30 })
    expect((await fleet.dispatch(id)).state).toBe('completed')
  })

  test('keeps the reason of a controller that refuses, and does not ask it again', async () => {
    const fleet = await startFleet(2)
    fleet.device(1).refuses = 'datapoint dp is not writable'
    const { engine } = fleet.startProcess()
    const id = await fleet.add()
    engine.wake()
    await becomes(fleet, id, { accepted: 1, refused: 1 })
    const [, refused] = await fleet.outcomes(id)
    expect(refused).toMatchObject({ reason: 'datapoint dp is not writable', overrideId: null, release: null })
    await fleet.pass(61)
    expect(fleet.placements(fleet.device(1))).toHaveLength(1)
  })

  test('waits for a controller that has not been given back what it had', async () => {
    const fleet = await startFleet(2)
    const [device, other] = [fleet.device(0), fleet.device(1)]
    device.isEmpty = true
    const { engine } = fleet.startProcess()
    const id = await fleet.add({ deadlineS: 300 })
    engine.wake()
    await becomes(fleet, id, { accepted: 1, pending: 1 })
    await fleet.within(60, async () => expect(fleet.placements(device).length).toBeGreaterThan(1))
    expect(await countsOf(fleet, id)).toMatchObject({ pending: 1, refused: 0 })
    device.isEmpty = false
    await fleet.within(60, async () => expect(await countsOf(fleet, id)).toMatchObject({ accepted: 2 }))
    expect([device.overrides.size, other.overrides.size]).toEqual([1, 1])
    expect(fleet.placements(other)).toHaveLength(1)
  })

  test('is sent again, with the same reqId and data, until a controller answers; it places one override', async () => {
    const fleet = await startFleet(1)
    const device = fleet.device(0)
    device.mood = 'lost'
    const { engine } = fleet.startProcess()
    const id = await fleet.add()
    engine.wake()
    await eventually(() => expect(fleet.placements(device)).toHaveLength(1))
    await fleet.pass(3)
    device.mood = 'answers'
    await endsWith(fleet, id, { accepted: 1 })
    const sent = fleet.placements(device).map(({ envelope }) => JSON.stringify(envelope))
    expect([sent.length, new Set(sent).size, device.overrides.size]).toEqual([2, 1, 1])
  })

  test('is sent to a controller as soon as it is back, and only then', async () => {
    const fleet = await startFleet(1)
    const device = fleet.device(0)
    device.isOnline = false
    const { engine, back } = fleet.startProcess()
    const id = await fleet.add()
    engine.wake()
    await fleet.pass(20)
    expect([device.received.length, await countsOf(fleet, id)]).toEqual([0, { ...NONE, pending: 1 }])
    expect(await fleet.outcomes(id)).toMatchObject([{ outcome: 'pending', settledAt: null }])
    device.isOnline = true
    back(device.id)
    await endsWith(fleet, id, { accepted: 1 })
    expect(await fleet.outcomes(id)).toMatchObject([{ outcome: 'accepted', settledAt: expect.any(String) }])
  })

  test('does not wait for the next attempt when a controller comes back', async () => {
    const fleet = await startFleet(1)
    const device = fleet.device(0)
    const { back } = fleet.startProcess()
    const id = await fleet.add()
    const later = new Date(fleet.clock.now() + 50_000)
    await fleet.db.updateTable('device_task').set({ due_at: later, attempts: 6 }).execute()
    back(device.id)
    await fleet.within(1, async () => expect(await countsOf(fleet, id)).toEqual({ ...NONE, accepted: 1 }))
  })

  test('is not sent to a controller that was offline until the deadline', async () => {
    const fleet = await startFleet(1)
    const device = fleet.device(0)
    device.isOnline = false
    const { engine, back } = fleet.startProcess()
    const id = await fleet.add({ deadlineS: 10 })
    engine.wake()
    await fleet.pass(10)
    await endsWith(fleet, id, { offline: 1 })
    expect(await fleet.dispatch(id)).toMatchObject({ state: 'completed', releasing: 0 })
    device.isOnline = true
    back(device.id)
    await fleet.pass(10)
    expect(device.received).toEqual([])
  })

  test('survives a database that fails for a while', async () => {
    const fleet = await startFleet(2)
    let failures = 2
    const { engine } = fleet.startProcess((store) => ({
      ...store,
      settle: (...args) => {
        failures -= 1
        return failures >= 0 ? Promise.reject(new Error('restarting')) : store.settle(...args)
      },
    }))
    const id = await fleet.add()
    engine.wake()
    await eventually(() => expect(failures).toBe(1))
    await endsWith(fleet, id, { accepted: 2 })
    for (const device of fleet.devices.values()) expect(fleet.placements(device)).toHaveLength(1)
  })
})

describe('several processes', () => {
  test('send each target once', async () => {
    const fleet = await startFleet(200)
    const [first, second] = [fleet.startProcess(), fleet.startProcess()]
    const id = await fleet.add()
    first.engine.wake()
    second.engine.wake()
    await becomes(fleet, id, { accepted: 200 })
    for (const device of fleet.devices.values()) expect(fleet.placements(device)).toHaveLength(1)
    expect(fleet.ended).toHaveLength(1)
  })

  test('take over from one that was killed after it sent: the controller places nothing twice', async () => {
    const fleet = await startFleet(3)
    const first = fleet.startProcess()
    first.cut()
    const id = await fleet.add({ deadlineS: 120 })
    first.engine.wake()
    await eventually(() => expect(fleet.placements(fleet.device(2))).toHaveLength(1))
    first.kill()
    const second = fleet.startProcess()
    second.engine.wake()
    await fleet.pass(29)
    // The first process still has its lease.
    expect(fleet.placements(fleet.device(0))).toHaveLength(1)
    await endsWith(fleet, id, { accepted: 3 })
    for (const device of fleet.devices.values()) {
      expect([fleet.placements(device).length, device.overrides.size]).toEqual([2, 1])
    }
  })

  test('release what one sent that was killed, when its lease lasts until the deadline', async () => {
    const fleet = await startFleet(1)
    const first = fleet.startProcess()
    first.cut()
    const id = await fleet.add({ deadlineS: 20 })
    first.engine.wake()
    await eventually(() => expect(fleet.device(0).overrides.size).toBe(1))
    first.kill()
    fleet.startProcess().engine.wake()
    await fleet.pass(20)
    await endsWith(fleet, id, { expired: 1 })
    await fleet.within(20, async () => {
      expect(await fleet.outcomes(id)).toMatchObject([{ outcome: 'expired', release: 'confirmed' }])
    })
    expect(fleet.device(0).overrides.size).toBe(0)
  })
})

test('dispatches that are over are removed after 90 days, and the oldest beyond a number of targets', async () => {
  const fleet = await startFleet(2)
  const { engine } = fleet.startProcess()
  const store = createTargetStore(fleet.db, async () => {})
  const [first, second] = [await fleet.add({ toS: 100 }), await fleet.add({ toS: 100 })]
  engine.wake()
  await becomes(fleet, second, { accepted: 2 })
  const left = async () =>
    (await fleet.db.selectFrom('fleet_dispatch').select('id').orderBy('seq').execute()).map(({ id }) => id)
  const remove = (afterS: number, days: number, most: number) => {
    const now = fleet.clock.now() + afterS * 1000
    return store.removeOld(new Date(now), new Date(now - days * 86_400_000), most)
  }
  await remove(50, 0, 0)
  await remove(200, 90, 4)
  expect(await left()).toEqual([first, second])
  await remove(200, 90, 3)
  expect(await left()).toEqual([second])
  await remove(91 * 86_400, 90, 3)
  expect(await left()).toEqual([])
})

test('the deadline that comes next is the earliest of the dispatches that run', async () => {
  const fleet = await startFleet(1)
  const store = createTargetStore(fleet.db, async () => {})
  expect(await store.nextDeadline()).toBeUndefined()
  await fleet.add({ deadlineS: 60 })
  const first = await fleet.add({ deadlineS: 30 })
  await fleet.add({ deadlineS: 90 })
  expect(await store.nextDeadline()).toEqual(new Date(fleet.clock.now() + 30_000))
  await fleet.cancel(first)
  expect(await store.nextDeadline()).toEqual(new Date(fleet.clock.now() + 60_000))
})
