import { createLog } from '@plantroom/base/log'
import type { ControlState, PlacedOverride } from '@plantroom/contract/control-state'
import { Failure } from '@plantroom/contract/failure'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Dispatch } from './dispatch.ts'
import { createLiveDevices, type LiveEvent } from './live-devices.ts'

const DEVICE = { id: 'dev_1', organizationId: 'org' }
const EMPTY: ControlState = {
  at: '2030-01-01T00:00:00.000Z',
  clockSuspect: false,
  connections: [],
  holds: [],
  overrides: [],
}

function aWindow(placedBy: string): PlacedOverride {
  const times = { from: '2030-01-01T00:00:00.000Z', to: '2030-01-01T01:00:00.000Z' }
  return { id: 'ovr_1', datapointId: 'dp_1', value: 20, ...times, reqId: 'r', placedBy, state: 'active' }
}

/** Devices that answer what the test says, with what they were asked. */
function start() {
  const clock = createManualClock()
  const asked: Parameters<Dispatch>[] = []
  const lookUps: [string, readonly string[]][] = []
  const names = new Map<string, string>()
  const world = {
    answer: async (): Promise<Buffer> => Buffer.from(JSON.stringify(EMPTY)),
    lookUp: async (ids: readonly string[]) =>
      new Map(ids.flatMap((id) => (names.has(id) ? [[id, names.get(id) ?? '']] : []))),
  }
  const live = createLiveDevices({
    dispatch: (...request) => {
      asked.push(request)
      return world.answer()
    },
    placers: {
      names(organizationId, ids) {
        lookUps.push([organizationId, ids])
        return world.lookUp(ids)
      },
    },
    clock,
    log: createLog('test', 'silent'),
  })
  onTestFinished(() => live.close())
  function follow(device = DEVICE) {
    const events: LiveEvent[] = []
    return { events, end: live.follow(device, (event) => events.push(event)) }
  }
  const holding = (...overrides: PlacedOverride[]) => {
    world.answer = async () => Buffer.from(JSON.stringify({ ...EMPTY, overrides }))
  }
  return { clock, asked, lookUps, names, world, live, follow, holding }
}

const dataOf = (event: LiveEvent | undefined) => JSON.parse(event?.data ?? 'null')
const placersIn = (event: LiveEvent | undefined) =>
  (dataOf(event).overrides as { placedByName: string | null }[]).map(({ placedByName }) => placedByName)

describe('a device that is followed', () => {
  test('is asked at once, as the operator, and again two seconds after each answer', async () => {
    const { clock, asked, follow } = start()
    const { events } = follow()
    await clock.advance(0)
    expect(asked).toMatchObject([['dev_1', 'getControlState', { keyId: 'operator', data: {} }]])
    expect(events.map(({ event }) => event)).toEqual(['state'])
    expect(dataOf(events[0])).toEqual(EMPTY)
    await clock.advance(1999)
    expect(asked).toHaveLength(1)
    await clock.advance(1)
    expect([asked.length, events.length]).toEqual([2, 2])
    expect(new Set(asked.map(([, , { reqId }]) => reqId)).size).toBe(2)
  })

  test('is not asked again before it has answered', async () => {
    const { clock, asked, world, follow } = start()
    const slow = Promise.withResolvers<Buffer>()
    world.answer = () => slow.promise
    const { events } = follow()
    await clock.advance(60_000)
    expect([asked.length, events.length]).toEqual([1, 0])
    slow.resolve(Buffer.from(JSON.stringify(EMPTY)))
    await clock.advance(1999)
    expect([asked.length, events.length]).toEqual([1, 1])
    await clock.advance(1)
    expect([asked.length, events.length]).toEqual([2, 2])
  })

  test('is asked once for all who follow it', async () => {
    const { clock, asked, follow } = start()
    const followers = [follow(), follow(), follow()]
    await clock.advance(2000)
    expect(asked).toHaveLength(2)
    expect(followers.map(({ events }) => events.length)).toEqual([2, 2, 2])
  })

  test('is not mixed up with another', async () => {
    const { clock, asked, follow } = start()
    follow()
    const other = follow({ id: 'dev_2', organizationId: 'other' })
    await clock.advance(0)
    expect(asked.map(([deviceId]) => deviceId)).toEqual(['dev_1', 'dev_2'])
    expect(other.events).toHaveLength(1)
  })

  test('tells whoever comes later the last that it said, without being asked', async () => {
    const { clock, asked, follow } = start()
    const first = follow()
    await clock.advance(1000)
    const second = follow()
    expect(second.events).toEqual(first.events)
    expect([second.events.length, asked.length]).toEqual([1, 1])
  })

  test('is asked no more when nobody follows it', async () => {
    const { clock, asked, follow } = start()
    const [one, other] = [follow(), follow()]
    await clock.advance(0)
    one.end()
    await clock.advance(2000)
    expect([asked.length, one.events.length, other.events.length]).toEqual([2, 1, 2])
    other.end()
    await clock.advance(60_000)
    expect(asked).toHaveLength(2)
    expect(clock.waiting()).toEqual([])
  })

  test('is not asked more often by those who come and go', async () => {
    const { clock, asked, follow } = start()
    for (let time = 0; time < 100; time += 1) {
      const { end } = follow()
      await clock.advance(10)
      end()
    }
    expect(asked).toHaveLength(1)
    await clock.advance(2000)
    expect(clock.waiting()).toEqual([])
    follow()
    await clock.advance(0)
    expect(asked).toHaveLength(2)
  })

  test('that answers nobody any more is not told, and nothing waits', async () => {
    const { clock, world, follow, live } = start()
    const slow = Promise.withResolvers<Buffer>()
    world.answer = () => slow.promise
    const { events } = follow()
    await clock.advance(0)
    live.close()
    slow.resolve(Buffer.from(JSON.stringify(EMPTY)))
    await clock.advance(0)
    expect([events, clock.waiting()]).toEqual([[], []])
  })
})

describe('a device that does not answer', () => {
  test('is offline with the reason, each time that it is tried, until it is back', async () => {
    const { clock, world, follow } = start()
    const answer = world.answer
    world.answer = () => Promise.reject(new Failure('offline', 'the device is offline'))
    const { events } = follow()
    await clock.advance(2000)
    const offline = { event: 'offline', data: '{"message":"the device is offline"}' }
    expect(events).toEqual([offline, offline])
    world.answer = answer
    await clock.advance(2000)
    expect(events.at(-1)?.event).toBe('state')
  })

  test('since it does not know the question must be updated', async () => {
    const { clock, world, follow } = start()
    const words = 'this device does not know the command getControlState; update its software'
    world.answer = () => Promise.reject(new Failure('rejected', words))
    const { events } = follow()
    await clock.advance(0)
    expect(dataOf(events[0]).message).toBe('the software of this device is too old to be followed: update the device')
  })

  test.each(['', 'no JSON', 'null', '[]', '{}', '{"connections":[],"holds":[],"overrides":{}}'])(
    'with its state, but with %j, is told to be updated',
    async (reply) => {
      const { clock, world, follow } = start()
      world.answer = async () => Buffer.from(reply)
      const { events } = follow()
      await clock.advance(0)
      expect(events[0]?.event).toBe('offline')
      expect(dataOf(events[0]).message).toContain('not its state: update the device')
    },
  )

  test('with overrides of nobody is told to be updated', async () => {
    const { clock, world, follow } = start()
    world.answer = async () => Buffer.from(JSON.stringify({ ...EMPTY, overrides: [{ id: 'ovr_1' }] }))
    const { events } = follow()
    await clock.advance(0)
    expect(events[0]?.event).toBe('offline')
  })

  test('for a reason that nobody expected is tried again', async () => {
    const { clock, world, follow } = start()
    world.answer = () => Promise.reject(new Error('secret inside'))
    const { events } = follow()
    await clock.advance(2000)
    expect(events.map(({ event }) => event)).toEqual(['offline', 'offline'])
    expect(dataOf(events[0]).message).not.toContain('secret')
  })
})

describe('the overrides of a device', () => {
  test('are told with who placed them', async () => {
    const { clock, names, lookUps, follow, holding } = start()
    names.set('key_1', 'Aggregator').set('user:usr_1', 'eve@example.com')
    holding(aWindow('key_1'), aWindow('user:usr_1'), aWindow('key_1'))
    const { events } = follow()
    await clock.advance(0)
    expect(placersIn(events[0])).toEqual(['Aggregator', 'eve@example.com', 'Aggregator'])
    expect(lookUps).toEqual([['org', ['key_1', 'user:usr_1']]])
  })

  test('are looked up once for each who is known, and again for whoever is not', async () => {
    const { clock, names, lookUps, follow, holding } = start()
    names.set('key_1', 'Aggregator')
    holding(aWindow('key_1'), aWindow('key_2'))
    const { events } = follow()
    await clock.advance(0)
    expect(placersIn(events.at(-1))).toEqual(['Aggregator', null])
    names.set('key_2', 'Just added')
    await clock.advance(4000)
    expect(placersIn(events.at(-1))).toEqual(['Aggregator', 'Just added'])
    expect(lookUps.map(([, ids]) => ids)).toEqual([['key_1', 'key_2'], ['key_2']])
  })

  test.each(['', 'a\u0000b', 'ö', 'x'.repeat(101)])(
    'of %j, who is no caller of ours, are not looked up',
    async (id) => {
      const { clock, lookUps, follow, holding } = start()
      holding(aWindow(id))
      const { events } = follow()
      await clock.advance(0)
      expect(placersIn(events[0])).toEqual([null])
      expect(lookUps).toEqual([])
    },
  )

  test('are told without names when these cannot be looked up', async () => {
    const { clock, world, follow, holding } = start()
    world.lookUp = () => Promise.reject(new Error('no database'))
    holding(aWindow('key_1'))
    const { events } = follow()
    await clock.advance(0)
    expect(events[0]?.event).toBe('state')
    expect(placersIn(events[0])).toEqual([null])
  })
})
