import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { parseConfig } from './config.ts'
import { createMessageCache } from './message-cache.ts'
import { absenceOf, commonAbsence, isUndecided, planTopics, readingOf } from './plan.ts'

type Data = Record<string, unknown>

function plan(datapoints: Record<string, Data>, settings: Data = {}) {
  const { config, problems } = parseConfig({
    settings: { url: 'mqtt://broker', ...settings },
    datapoints: Object.entries(datapoints).map(([name, { accessType = 'READ', ...data }]) => ({
      name,
      accessType: accessType as string,
      data,
    })),
  })
  expect(problems).toEqual([])
  const { points, topics } = planTopics(config)
  const cache = createMessageCache(topics)
  const point = points[0] ?? expect.fail('no point')
  return {
    topics,
    post: (topic: string, payload: string, now = 0, retained = false) =>
      cache.receive(topic, Buffer.from(payload), { retained, now }),
    reading: (now = 0) => readingOf(point, cache.latest, now),
    readings: () => points.map((each) => readingOf(each, cache.latest, 0)),
    absence: () => absenceOf(point, cache.latest),
    commonAbsence: () => commonAbsence(points, cache.latest),
    isUndecided: () => isUndecided(points, cache.latest),
    cache,
  }
}

describe('the topics', () => {
  test('are subscribed once each, and only if they carry a state or an availability', () => {
    const { topics } = plan(
      {
        a: { stateTopic: 'hp/state', path: 'a', availabilityTopic: 'hp/a/status' },
        b: { stateTopic: 'hp/state', path: 'b' },
        c: { accessType: 'READ_WRITE', stateTopic: 'hp/c', commandTopic: 'hp/c/set' },
        d: { accessType: 'WRITE', stateTopic: 'hp/d', commandTopic: 'hp/d/set' },
        e: { accessType: 'WRITE', commandTopic: 'hp/e/set' },
      },
      { availability: { topic: 'hp/status' } },
    )
    expect(topics).toEqual(['hp/state', 'hp/status', 'hp/a/status', 'hp/c', 'hp/d'])
  })

  test('are empty if nothing is read', () => {
    expect(plan({ d: { accessType: 'WRITE', commandTopic: 'd' } }).topics).toEqual([])
  })
})

describe('a reading', () => {
  test('comes from the last message', () => {
    const { post, reading } = plan({ flow: { stateTopic: 'hp/flow' } })
    expect(reading()).toEqual({ error: 'no state received yet' })
    post('hp/flow', '20')
    post('hp/flow', '21')
    expect(reading()).toEqual({ raw: 21 })
    post('hp/flow', 'broken')
    expect(reading()).toEqual({ error: '"broken" is not a number' })
  })

  test('of one message serves all points on its topic', () => {
    const { post, readings } = plan({
      a: { stateTopic: 'hp', path: 'a' },
      b: { stateTopic: 'hp', path: 'b[1]' },
      c: { stateTopic: 'hp', path: 'c' },
    })
    post('hp', '{"a":1,"b":[2,3]}')
    expect(readings()).toEqual([{ raw: 1 }, { raw: 3 }, { error: 'c is not in the payload' }])
  })

  test('decodes a message once, and only when it is read', () => {
    const { post, readings } = plan({ a: { stateTopic: 'hp', path: 'a' }, b: { stateTopic: 'hp', path: 'b' } })
    const parse = vi.spyOn(JSON, 'parse')
    onTestFinished(() => parse.mockRestore())
    for (let value = 0; value < 1000; value += 1) post('hp', `{"a":${value},"b":${value}}`)
    readings()
    expect(readings()).toEqual([{ raw: 999 }, { raw: 999 }])
    expect(parse).toHaveBeenCalledTimes(1)
  })

  test('of a WRITE point is its state if it has a state topic', () => {
    const { post, reading } = plan({ d: { accessType: 'WRITE', stateTopic: 'hp/d', commandTopic: 'hp/d/set' } })
    post('hp/d', '7')
    expect(reading()).toEqual({ raw: 7 })
  })

  test('is an error for a point without a state topic', () => {
    expect(plan({ d: { accessType: 'WRITE', commandTopic: 'd' } }).reading()).toEqual({
      error: 'd can only be written',
    })
  })

  test('of a refused topic is an error that never becomes stale', () => {
    const { cache, reading } = plan({ flow: { stateTopic: 'hp/flow', maxAgeSeconds: 1 } })
    cache.giveUp('hp/flow', 'the broker refused the subscription')
    expect(reading(1e9)).toEqual({ error: 'the broker refused the subscription' })
  })
})

describe('a state with a maximum age', () => {
  const STALE = { error: 'stale: no state received for more than 60 s' }

  test('is stale when nothing newer has arrived for longer', () => {
    const { post, reading } = plan({ flow: { stateTopic: 'hp/flow', maxAgeSeconds: 60 } })
    post('hp/flow', '21', 1000)
    expect(reading(61_000)).toEqual({ raw: 21 })
    expect(reading(61_001)).toEqual(STALE)
    post('hp/flow', '21', 70_000)
    expect(reading(130_000)).toEqual({ raw: 21 })
  })

  test('does not become newer when the broker resends it on a new link', () => {
    const { cache, post, reading } = plan({ flow: { stateTopic: 'hp/flow', maxAgeSeconds: 60 } })
    post('hp/flow', '21', 0, true)
    cache.clear()
    cache.clear()
    post('hp/flow', '21', 50_000, true)
    expect(reading(60_001)).toEqual(STALE)
    // Some brokers keep the retained flag on live messages.
    post('hp/flow', '21', 60_000, true)
    expect(reading(60_001)).toEqual({ raw: 21 })
  })

  test('is new on a new link if it differs or was just published', () => {
    const { cache, post, reading } = plan({ flow: { stateTopic: 'hp/flow', maxAgeSeconds: 60 } })
    post('hp/flow', '21', 0)
    cache.clear()
    post('hp/flow', '22', 50_000, true)
    expect(reading(60_001)).toEqual({ raw: 22 })
    cache.clear()
    post('hp/flow', '22', 100_000, false)
    expect(reading(160_000)).toEqual({ raw: 22 })
  })
})

describe('equipment that reports its availability', () => {
  const OFFLINE = 'the equipment reports that it is offline'

  test('does so for all points or for one', () => {
    for (const [datapoint, settings] of [
      [{ stateTopic: 's' }, { availability: { topic: 'lwt' } }],
      [{ stateTopic: 's', availabilityTopic: 'lwt' }, {}],
    ] as const) {
      const { post, reading, absence } = plan({ flow: datapoint }, settings)
      post('s', '21')
      expect(reading()).toEqual({ raw: 21 })
      post('lwt', 'offline')
      expect(reading()).toEqual({ error: OFFLINE })
      expect(absence()).toBe(OFFLINE)
      post('lwt', 'online')
      expect(reading()).toEqual({ raw: 21 })
      expect(absence()).toBeUndefined()
    }
  })

  test('must be online by both topics if there are two', () => {
    const { post, reading } = plan(
      { flow: { stateTopic: 's', availabilityTopic: 'own' } },
      { availability: { topic: 'all' } },
    )
    post('s', '21')
    post('all', 'online')
    post('own', 'offline')
    expect(reading()).toEqual({ error: OFFLINE })
    post('own', 'online')
    post('all', 'offline')
    expect(reading()).toEqual({ error: OFFLINE })
  })

  test('may use its own payloads, and JSON', () => {
    const { post, absence } = plan({
      flow: { stateTopic: 's', availabilityTopic: 'lwt', availabilityPath: 'up', online: 'true', offline: 'false' },
    })
    post('lwt', '{"up":true}')
    expect(absence()).toBeUndefined()
    post('lwt', '{"up":false}')
    expect(absence()).toBe(OFFLINE)
  })

  test.each([
    ['maybe', 'lwt: "maybe" is neither "online" nor "offline"'],
    ['', 'lwt: "" is neither "online" nor "offline"'],
    ['x'.repeat(300_000), 'lwt: the payload is longer than 256 KiB'],
  ])('is not considered online for any other payload', (payload, error) => {
    const { post, reading } = plan({ flow: { stateTopic: 's', availabilityTopic: 'lwt' } })
    post('s', '21')
    post('lwt', payload)
    expect(reading()).toEqual({ error })
  })
})

describe('the equipment as a whole', () => {
  const own = (topic: string) => ({ stateTopic: 's', availabilityTopic: topic })

  test('is absent when every point is, by the shared availability or its own', () => {
    const all = plan({ a: { stateTopic: 's' }, b: { stateTopic: 's' } }, { availability: { topic: 'lwt' } })
    expect(all.commonAbsence()).toBeUndefined()
    all.post('lwt', 'offline')
    expect(all.commonAbsence()).toBe('the equipment reports that it is offline')

    const each = plan({ a: own('a'), b: own('b') })
    each.post('a', 'offline')
    expect(each.commonAbsence()).toBeUndefined()
    each.post('b', 'offline')
    expect(each.commonAbsence()).toBe('the equipment reports that it is offline')
    each.post('a', 'online')
    expect(each.commonAbsence()).toBeUndefined()
  })

  test('is never absent without points, or with a point that has no availability', () => {
    expect(plan({ a: { stateTopic: 's' } }).commonAbsence()).toBeUndefined()
    expect(commonAbsence([], () => undefined)).toBeUndefined()
    const { post, commonAbsence: common } = plan({ a: own('a'), b: { stateTopic: 's' } })
    post('a', 'offline')
    expect(common()).toBeUndefined()
  })

  test('is undecided until one point is known to be available, or all are known to be absent', () => {
    const { post, isUndecided: undecided } = plan({ a: own('a'), b: own('b') })
    expect(undecided()).toBe(true)
    post('a', 'offline')
    expect(undecided()).toBe(true)
    post('b', 'offline')
    expect(undecided()).toBe(false)
    post('b', 'online')
    expect(undecided()).toBe(false)
    expect(plan({ a: own('a'), b: { stateTopic: 's' } }).isUndecided()).toBe(false)
  })
})

test('an error about a topic truncates it to one line', () => {
  const topic = `lwt/${'x'.repeat(5000)}`
  const { post, absence } = plan({ flow: { stateTopic: 's', availabilityTopic: topic } })
  post(topic, 'y'.repeat(5000))
  expect(absence()?.length).toBeLessThan(250)
})

describe('the message cache', () => {
  test('keeps one message per topic, and nothing of other topics', () => {
    const { cache, post } = plan({ flow: { stateTopic: 'hp/flow' } })
    for (let index = 0; index < 1000; index += 1) post(`other/${index}`, 'x')
    expect(cache.latest('other/1')).toBeUndefined()
    for (let index = 0; index < 1000; index += 1) post('hp/flow', String(index))
    expect(cache.latest('hp/flow')?.number).toBe(1000)
  })

  test('is cleared for a new link', () => {
    const { cache, post, reading } = plan({ flow: { stateTopic: 'hp/flow' } })
    post('hp/flow', '21')
    cache.clear()
    expect(reading()).toEqual({ error: 'no state received yet' })
  })
})
