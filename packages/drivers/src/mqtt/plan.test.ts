import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createBoard } from './board.ts'
import { parseConfig } from './config.ts'
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
  const board = createBoard(topics)
  const point = points[0] ?? expect.fail('no point')
  return {
    topics,
    post: (topic: string, payload: string, now = 0, retained = false) =>
      board.post(topic, Buffer.from(payload), { retained, now }),
    reading: (now = 0) => readingOf(point, board.latest, now),
    readings: () => points.map((each) => readingOf(each, board.latest, 0)),
    absence: () => absenceOf(point, board.latest),
    commonAbsence: () => commonAbsence(points, board.latest),
    isUndecided: () => isUndecided(points, board.latest),
    board,
  }
}

describe('the topics', () => {
  test('are listened to once each, and only those that say something', () => {
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

  test('none when nothing is read', () => {
    expect(plan({ d: { accessType: 'WRITE', commandTopic: 'd' } }).topics).toEqual([])
  })
})

describe('a reading', () => {
  test('is that of the last message', () => {
    const { post, reading } = plan({ flow: { stateTopic: 'hp/flow' } })
    expect(reading()).toEqual({ error: 'no state received yet' })
    post('hp/flow', '20')
    post('hp/flow', '21')
    expect(reading()).toEqual({ raw: 21 })
    post('hp/flow', 'broken')
    expect(reading()).toEqual({ error: '"broken" is not a number' })
  })

  test('of one message serves all points that share its topic', () => {
    const { post, readings } = plan({
      a: { stateTopic: 'hp', path: 'a' },
      b: { stateTopic: 'hp', path: 'b[1]' },
      c: { stateTopic: 'hp', path: 'c' },
    })
    post('hp', '{"a":1,"b":[2,3]}')
    expect(readings()).toEqual([{ raw: 1 }, { raw: 3 }, { error: 'c is not in the payload' }])
  })

  test('costs one look at the message, and a message that nobody asked for costs none', () => {
    const { post, readings } = plan({ a: { stateTopic: 'hp', path: 'a' }, b: { stateTopic: 'hp', path: 'b' } })
    const parse = vi.spyOn(JSON, 'parse')
    onTestFinished(() => parse.mockRestore())
    for (let value = 0; value < 1000; value += 1) post('hp', `{"a":${value},"b":${value}}`)
    readings()
    expect(readings()).toEqual([{ raw: 999 }, { raw: 999 }])
    expect(parse).toHaveBeenCalledTimes(1)
  })

  test('of a WRITE point is its state, where it has a topic for that', () => {
    const { post, reading } = plan({ d: { accessType: 'WRITE', stateTopic: 'hp/d', commandTopic: 'hp/d/set' } })
    post('hp/d', '7')
    expect(reading()).toEqual({ raw: 7 })
  })

  test('does not exist where a point can only be written', () => {
    expect(plan({ d: { accessType: 'WRITE', commandTopic: 'd' } }).reading()).toEqual({
      error: 'd can only be written',
    })
  })

  test('of a topic that is refused says so, and never grows stale', () => {
    const { board, reading } = plan({ flow: { stateTopic: 'hp/flow', maxAgeSeconds: 1 } })
    board.giveUp('hp/flow', 'the broker does not let us listen')
    expect(reading(1e9)).toEqual({ error: 'the broker does not let us listen' })
  })
})

describe('a state with a maximum age', () => {
  const STALE = { error: 'stale: no state received for more than 60 s' }

  test('is stale when nothing newer came for longer than that', () => {
    const { post, reading } = plan({ flow: { stateTopic: 'hp/flow', maxAgeSeconds: 60 } })
    post('hp/flow', '21', 1000)
    expect(reading(61_000)).toEqual({ raw: 21 })
    expect(reading(61_001)).toEqual(STALE)
    post('hp/flow', '21', 70_000)
    expect(reading(130_000)).toEqual({ raw: 21 })
  })

  test('is no younger for being handed out again by the broker at a new link', () => {
    const { board, post, reading } = plan({ flow: { stateTopic: 'hp/flow', maxAgeSeconds: 60 } })
    post('hp/flow', '21', 0, true)
    board.clear()
    board.clear()
    post('hp/flow', '21', 50_000, true)
    expect(reading(60_001)).toEqual(STALE)
    // Some brokers leave the mark of a retained message on what is said now.
    post('hp/flow', '21', 60_000, true)
    expect(reading(60_001)).toEqual({ raw: 21 })
  })

  test('is young at a new link when it is another one, or said just now', () => {
    const { board, post, reading } = plan({ flow: { stateTopic: 'hp/flow', maxAgeSeconds: 60 } })
    post('hp/flow', '21', 0)
    board.clear()
    post('hp/flow', '22', 50_000, true)
    expect(reading(60_001)).toEqual({ raw: 22 })
    board.clear()
    post('hp/flow', '22', 100_000, false)
    expect(reading(160_000)).toEqual({ raw: 22 })
  })
})

describe('equipment that says whether it is there', () => {
  const OFFLINE = 'the equipment says that it is offline'

  test('is believed, for all points or for one', () => {
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

  test('has to be there by both, where both are given', () => {
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

  test('may say so in words of its own, and in JSON', () => {
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
  ])('is not taken to be there when it says anything else', (payload, error) => {
    const { post, reading } = plan({ flow: { stateTopic: 's', availabilityTopic: 'lwt' } })
    post('s', '21')
    post('lwt', payload)
    expect(reading()).toEqual({ error })
  })
})

describe('the equipment as a whole', () => {
  const own = (topic: string) => ({ stateTopic: 's', availabilityTopic: topic })

  test('is absent when every point is, by the availability of all or by its own', () => {
    const all = plan({ a: { stateTopic: 's' }, b: { stateTopic: 's' } }, { availability: { topic: 'lwt' } })
    expect(all.commonAbsence()).toBeUndefined()
    all.post('lwt', 'offline')
    expect(all.commonAbsence()).toBe('the equipment says that it is offline')

    const each = plan({ a: own('a'), b: own('b') })
    each.post('a', 'offline')
    expect(each.commonAbsence()).toBeUndefined()
    each.post('b', 'offline')
    expect(each.commonAbsence()).toBe('the equipment says that it is offline')
    each.post('a', 'online')
    expect(each.commonAbsence()).toBeUndefined()
  })

  test('is never absent without points, or with one that says nothing about itself', () => {
    expect(plan({ a: { stateTopic: 's' } }).commonAbsence()).toBeUndefined()
    expect(commonAbsence([], () => undefined)).toBeUndefined()
    const { post, commonAbsence: common } = plan({ a: own('a'), b: { stateTopic: 's' } })
    post('a', 'offline')
    expect(common()).toBeUndefined()
  })

  test('is undecided until one point is known to be there, or all are known not to be', () => {
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

test('a message about a topic shows no more of it than fits a line', () => {
  const topic = `lwt/${'x'.repeat(5000)}`
  const { post, absence } = plan({ flow: { stateTopic: 's', availabilityTopic: topic } })
  post(topic, 'y'.repeat(5000))
  expect(absence()?.length).toBeLessThan(250)
})

describe('what is kept', () => {
  test('is one message a topic, and nothing of a topic that was not asked for', () => {
    const { board, post } = plan({ flow: { stateTopic: 'hp/flow' } })
    for (let index = 0; index < 1000; index += 1) post(`other/${index}`, 'x')
    expect(board.latest('other/1')).toBeUndefined()
    for (let index = 0; index < 1000; index += 1) post('hp/flow', String(index))
    expect(board.latest('hp/flow')?.number).toBe(1000)
  })

  test('is forgotten at a new link', () => {
    const { board, post, reading } = plan({ flow: { stateTopic: 'hp/flow' } })
    post('hp/flow', '21')
    board.clear()
    expect(reading()).toEqual({ error: 'no state received yet' })
  })
})
