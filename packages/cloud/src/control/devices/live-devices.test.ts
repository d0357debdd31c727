import { createLog } from '@plantroom/base/log'
import type { ControlState, PendingRelease, PlacedOverride } from '@plantroom/contract/control-state'
import { Failure } from '@plantroom/contract/failure'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { OverrideView } from '../../organization/access/index.ts'
import { createAsk } from './ask.ts'
import type { KeptState } from './device-state-store.ts'
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

function override(placedBy: string): PlacedOverride {
  const times = { from: '2030-01-01T00:00:00.000Z', to: '2030-01-01T01:00:00.000Z' }
  return { id: 'ovr_1', datapointId: 'dp_1', value: 20, ...times, reqId: 'r', placedBy, state: 'active' }
}

/** Devices that answer as the test says, and record what they were asked. */
function start() {
  const clock = createManualClock()
  const asked: Parameters<Dispatch>[] = []
  const lookups: [string, readonly string[]][] = []
  const names = new Map<string, string>()
  const world = {
    answer: async (): Promise<Buffer> => Buffer.from(JSON.stringify(EMPTY)),
    lookUp: async (ids: readonly string[]) =>
      new Map(ids.flatMap((id) => (names.has(id) ? [[id, names.get(id) ?? '']] : []))),
    known: undefined as KeptState | undefined,
    pending: [] as PendingRelease[],
  }
  const polled: [string, ControlState][] = []
  const live = createLiveDevices({
    ask: createAsk((...request) => {
      asked.push(request)
      return world.answer()
    }),
    callers: {
      names(organizationId, ids) {
        lookups.push([organizationId, ids])
        return world.lookUp(ids)
      },
    },
    states: {
      polled: (deviceId, state) => void polled.push([deviceId, state]),
      find: async () => world.known,
    },
    releases: { pending: async () => world.pending },
    clock,
    log: createLog('test', 'silent'),
  })
  onTestFinished(() => live.close())
  function follow(device = DEVICE, how?: { fresh: boolean }) {
    const events: LiveEvent[] = []
    return { events, end: live.follow(device, (event) => events.push(event), how) }
  }
  const setOverrides = (...overrides: PlacedOverride[]) => {
    world.answer = async () => Buffer.from(JSON.stringify({ ...EMPTY, overrides }))
  }
  return { clock, asked, lookups, names, world, polled, live, follow, setOverrides }
}

const dataOf = (event: LiveEvent | undefined, view: OverrideView = 'all') => JSON.parse(event?.dataFor(view) ?? 'null')
const namesIn = (event: LiveEvent | undefined) =>
  (dataOf(event).overrides as { placedByName: string | null }[]).map(({ placedByName }) => placedByName)

describe('a followed device', () => {
  test('is polled immediately, as the operator, and again two seconds after each answer', async () => {
    const { clock, asked, follow } = start()
    const { events } = follow()
    await clock.advance(0)
    expect(asked[0]?.slice(0, 3)).toMatchObject(['dev_1', 'getControlState', { keyId: 'operator', data: {} }])
    expect(events.map(({ event }) => event)).toEqual(['state'])
    expect(dataOf(events[0])).toEqual(EMPTY)
    await clock.advance(1999)
    expect(asked).toHaveLength(1)
    await clock.advance(1)
    expect([asked.length, events.length]).toEqual([2, 2])
    expect(new Set(asked.map(([, , { reqId }]) => reqId)).size).toBe(2)
  })

  test('that runs an earlier version, without states of holds, gets them by what else it says', async () => {
    const { clock, world, follow } = start()
    const next = { by: 'plain', value: 0 }
    const hold = { datapointId: 'd', by: 'demand-response', value: 1, next, trouble: null }
    const holds = [hold, { ...hold, trouble: 'not-taken' }, { ...hold, by: 'plain' }, { ...hold, state: 'stuck' }]
    world.answer = async () => Buffer.from(JSON.stringify({ ...EMPTY, holds }))
    const { events } = follow()
    await clock.advance(0)
    const states = (dataOf(events[0]).holds as { state: string }[]).map(({ state }) => state)
    expect(states).toEqual(['holding', 'writing', 'releasing', 'stuck'])
  })

  test('is not polled again before it has answered', async () => {
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

  test('is polled once for all followers', async () => {
    const { clock, asked, follow } = start()
    const followers = [follow(), follow(), follow()]
    await clock.advance(2000)
    expect(asked).toHaveLength(2)
    expect(followers.map(({ events }) => events.length)).toEqual([2, 2, 2])
  })

  test('is polled separately from other devices', async () => {
    const { clock, asked, follow } = start()
    follow()
    const other = follow({ id: 'dev_2', organizationId: 'other' })
    await clock.advance(0)
    expect(asked.map(([deviceId]) => deviceId)).toEqual(['dev_1', 'dev_2'])
    expect(other.events).toHaveLength(1)
  })

  test('sends its latest state to a new follower without another poll', async () => {
    const { clock, asked, follow } = start()
    const first = follow()
    await clock.advance(1000)
    const second = follow()
    expect(second.events).toEqual(first.events)
    expect([second.events.length, asked.length]).toEqual([1, 1])
  })

  test('is polled again immediately for a follower who wants a fresh state', async () => {
    const { clock, asked, follow } = start()
    follow()
    await clock.advance(0)
    const { events } = follow(DEVICE, { fresh: true })
    expect(events).toEqual([])
    await clock.advance(0)
    expect([asked.length, events.length]).toEqual([2, 1])
    await clock.advance(2000)
    expect([asked.length, events.length]).toEqual([3, 2])
  })

  test('does not send a fresh follower the answer to a question from before', async () => {
    const { clock, asked, world, follow } = start()
    let answer = () => {}
    const reply = world.answer
    world.answer = () => new Promise((resolve) => (answer = () => resolve(reply())))
    const early = follow()
    await clock.advance(0)
    const fresh = follow(DEVICE, { fresh: true })
    answer()
    await clock.advance(0)
    expect([early.events.length, fresh.events.length]).toEqual([1, 0])
    world.answer = reply
    await clock.advance(2000)
    expect([asked.length, fresh.events.length]).toEqual([2, 1])
  })

  test('is no longer polled when its last follower leaves', async () => {
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

  test('is not polled more often when followers come and go', async () => {
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

  test('sends nothing after close, and leaves no timer behind', async () => {
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
  test('is reported as offline with the reason at each poll until it answers', async () => {
    const { clock, world, follow } = start()
    const answer = world.answer
    world.answer = () => Promise.reject(new Failure('offline', 'the device is offline'))
    const { events } = follow()
    await clock.advance(2000)
    expect(events.map(({ event }) => event)).toEqual(['offline', 'offline'])
    expect(dataOf(events[0], 'none')).toEqual({ message: 'the device is offline' })
    world.answer = answer
    await clock.advance(2000)
    expect(events.at(-1)?.event).toBe('state')
  })

  test('because it does not know the command is reported with its own message', async () => {
    const { clock, world, follow } = start()
    const message = 'this device does not know the command getControlState; update its software'
    world.answer = () => Promise.reject(new Failure('rejected', message))
    const { events } = follow()
    await clock.advance(0)
    expect(events.map((event) => [event.event, dataOf(event)])).toEqual([['offline', { message }]])
  })

  test.each([
    '',
    'no JSON',
    'null',
    '[]',
    '{}',
    '{"connections":[],"holds":[],"overrides":{}}',
    '{"connections":[],"holds":[null],"overrides":[]}',
  ])('with a state but with %j needs an update', async (reply) => {
    const { clock, world, follow } = start()
    world.answer = async () => Buffer.from(reply)
    const { events } = follow()
    await clock.advance(0)
    expect(events[0]?.event).toBe('offline')
    expect(dataOf(events[0]).message).toContain('reply that this service cannot read')
  })

  test('with overrides without a caller needs an update', async () => {
    const { clock, world, follow } = start()
    world.answer = async () => Buffer.from(JSON.stringify({ ...EMPTY, overrides: [{ id: 'ovr_1' }] }))
    const { events } = follow()
    await clock.advance(0)
    expect(events[0]?.event).toBe('offline')
  })

  test('because of an unexpected error is polled again', async () => {
    const { clock, world, follow } = start()
    world.answer = () => Promise.reject(new Error('secret inside'))
    const { events } = follow()
    await clock.advance(2000)
    expect(events.map(({ event }) => event)).toEqual(['offline', 'offline'])
    expect(dataOf(events[0]).message).not.toContain('secret')
  })
})

describe('the last known state of a device', () => {
  const kinds = (events: readonly LiveEvent[]) => events.map(({ event }) => event)
  const offline = () => Promise.reject(new Failure('offline', 'the device is offline'))
  const known = (receivedAt: number) => ({ receivedAt, state: { ...EMPTY, overrides: [override('key_1')] } })

  test('is sent once to each follower while it does not answer, with its age', async () => {
    const { clock, names, world, follow } = start()
    names.set('key_1', 'Aggregator')
    world.answer = offline
    world.known = known(clock.now() - 180_000)
    const { events } = follow()
    await clock.advance(2000)
    expect(kinds(events)).toEqual(['last-known', 'offline', 'offline'])
    const later = follow()
    expect(kinds(later.events)).toEqual(['last-known', 'offline'])
    expect(dataOf(later.events[0])).toMatchObject({ ageMs: 182_000, state: { overrides: [{ id: 'ovr_1' }] } })
    expect(dataOf(later.events[0]).state.overrides).toMatchObject([{ placedByName: 'Aggregator' }])
    expect(dataOf(later.events[0], 'none').state.overrides).toMatchObject([{ id: null, placedByName: null }])
    world.known = known(clock.now() - 1000)
    await clock.advance(2000)
    expect(kinds(events).slice(3)).toEqual(['last-known', 'offline'])
  })

  test('is sent again when a release begins to wait, which only those see who manage the site', async () => {
    const { clock, world, follow } = start()
    world.answer = offline
    world.known = known(clock.now())
    const { events } = follow()
    await clock.advance(2000)
    expect(kinds(events)).toEqual(['last-known', 'offline', 'offline'])
    expect(dataOf(events[0]).state).not.toHaveProperty('pendingReleases')
    world.pending = [
      { overrideId: 'ovr_1', datapointId: 'power', by: 'ann@example.com', at: '2030-01-01T00:00:00.000Z' },
    ]
    await clock.advance(2000)
    expect(kinds(events).slice(3)).toEqual(['last-known', 'offline'])
    expect(dataOf(events[3]).state.pendingReleases).toEqual(world.pending)
    expect(dataOf(events[3], 'none').state).not.toHaveProperty('pendingReleases')
  })

  test('is not sent while it answers', async () => {
    const { clock, world, follow, polled } = start()
    world.known = known(clock.now())
    const { events } = follow()
    await clock.advance(2000)
    expect(kinds(events)).toEqual(['state', 'state'])
    expect(kinds(follow().events)).toEqual(['state'])
    expect(polled).toEqual([
      ['dev_1', EMPTY],
      ['dev_1', EMPTY],
    ])
  })

  test('replaces the state of a device that falls silent: new followers do not see it as current', async () => {
    const { clock, world, follow, setOverrides } = start()
    // Stored a while before the last answer, because nothing had changed.
    world.known = known(clock.now() - 50_000)
    setOverrides(override('key_1'))
    const { events } = follow()
    await clock.advance(0)
    const answers = world.answer
    const silence = Promise.withResolvers<Buffer>()
    world.answer = () => silence.promise
    await clock.advance(2000 + 2999)
    expect(kinds(events)).toEqual(['state'])
    expect(kinds(follow().events)).toEqual(['state'])
    await clock.advance(1)
    expect(kinds(events)).toEqual(['state', 'last-known'])
    await clock.advance(5000)
    const late = follow()
    expect(kinds(late.events)).toEqual(['last-known'])
    expect(dataOf(late.events[0])).toMatchObject({ ageMs: 10_000, state: { overrides: [{ id: 'ovr_1' }] } })
    world.answer = answers
    silence.reject(new Failure('offline', 'the device did not answer'))
    await clock.advance(0)
    expect(kinds(late.events)).toEqual(['last-known', 'offline'])
    await clock.advance(2000)
    expect(kinds(late.events).slice(2)).toEqual(['state'])
    expect(kinds(follow().events)).toEqual(['state'])
  })

  test('is not sent for an answer that takes a while', async () => {
    const { clock, world, follow } = start()
    const { events } = follow()
    await clock.advance(0)
    const slow = Promise.withResolvers<Buffer>()
    world.answer = () => slow.promise
    await clock.advance(2000 + 2999)
    slow.resolve(Buffer.from(JSON.stringify(EMPTY)))
    await clock.advance(1000)
    expect(kinds(events)).toEqual(['state', 'state'])
  })

  test('is sent a second after the question to a device that lets people wait', async () => {
    const { clock, world, follow } = start()
    world.answer = () => new Promise(() => {})
    world.known = known(clock.now())
    const { events } = follow()
    await clock.advance(999)
    expect(events).toEqual([])
    await clock.advance(1)
    expect(kinds(events)).toEqual(['last-known'])
  })
})

describe('the overrides of a device', () => {
  test('include the names of their callers', async () => {
    const { clock, names, lookups, follow, setOverrides } = start()
    names.set('key_1', 'Aggregator').set('user:usr_1', 'eve@example.com')
    setOverrides(override('key_1'), override('user:usr_1'), override('key_1'))
    const { events } = follow()
    await clock.advance(0)
    expect(namesIn(events[0])).toEqual(['Aggregator', 'eve@example.com', 'Aggregator'])
    expect(lookups).toEqual([['org', ['key_1', 'user:usr_1']]])
  })

  test('look up known callers once, and unknown callers again', async () => {
    const { clock, names, lookups, follow, setOverrides } = start()
    names.set('key_1', 'Aggregator')
    setOverrides(override('key_1'), override('key_2'))
    const { events } = follow()
    await clock.advance(0)
    expect(namesIn(events.at(-1))).toEqual(['Aggregator', null])
    names.set('key_2', 'Just added')
    await clock.advance(4000)
    expect(namesIn(events.at(-1))).toEqual(['Aggregator', 'Just added'])
    expect(lookups.map(([, ids]) => ids)).toEqual([['key_1', 'key_2'], ['key_2']])
  })

  test.each(['', 'a\u0000b', 'ö', 'x'.repeat(101)])('do not look up %j, which is not a caller id', async (id) => {
    const { clock, lookups, follow, setOverrides } = start()
    setOverrides(override(id))
    const { events } = follow()
    await clock.advance(0)
    expect(namesIn(events[0])).toEqual([null])
    expect(lookups).toEqual([])
  })

  test('have no names when the lookup fails', async () => {
    const { clock, world, follow, setOverrides } = start()
    world.lookUp = () => Promise.reject(new Error('no database'))
    setOverrides(override('key_1'))
    const { events } = follow()
    await clock.advance(0)
    expect(events[0]?.event).toBe('state')
    expect(namesIn(events[0])).toEqual([null])
  })
})
