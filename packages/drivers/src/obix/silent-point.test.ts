import { eventually } from '@plantroom/testkit/eventually'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCountingListener } from '../testing/counting-listener.ts'
import { airHandlingUnit, type Bench, connectionOf, failure, never, startBench } from './testing/bench.ts'
import { err, type SeenRequest, type Trick } from './testing/server.ts'

let bench: Bench
beforeEach(async () => {
  bench = await startBench(airHandlingUnit())
})
afterEach(() => bench.stop())

/** The number of unanswered requests since the clock last moved. */
let unanswered = 0
beforeEach(() => {
  unanswered = 0
})

const leavingUnanswered =
  (matches: (request: SeenRequest) => boolean): Trick =>
  (request, _, obey) => {
    if (matches(request)) unanswered += 1
    else obey()
  }

/** Makes the server ignore every request that includes one of these points. */
const silentAbout = (...names: string[]) =>
  leavingUnanswered(({ path, body }) => names.some((name) => `${path} ${body}`.includes(`points/${name}/`)))

/** Moves the clock by a timeout whenever only unanswered requests are pending, until `work` is done. */
async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let over = false
  const end = () => {
    over = true
  }
  work.then(end, end)
  const onlyUnanswered = () => unanswered > 0 && unanswered === bench.clock.waiting().length
  for (;;) {
    await eventually(() => expect(over || onlyUnanswered()).toBe(true))
    if (over) return work
    // Another request may have been sent in the meantime.
    if (!onlyUnanswered()) continue
    unanswered = 0
    bench.clock.advanceNow(5000)
  }
}

const asked = () => bench.server.requests.splice(0).map(({ method, path }) => `${method} ${path}`)
const ALL = ['supply', 'stage', 'fan', 'outside']
const NO_ANSWER = () => ({ error: `${bench.host} did not answer within 5000 ms` })

describe.each(['batch', 'watch', 'get'])('a point that alone does not answer, in mode %s,', (mode) => {
  const readings = () => [{ raw: 21.5 }, NO_ANSWER(), { raw: 1 }, { raw: -4.25 }]

  test('costs its own reading, and is left out of the next polls', async () => {
    const driver = await bench.open(undefined, { mode })
    bench.server.play(silentAbout('stage'))
    expect(await inTime(driver.read(ALL))).toEqual(readings())
    asked()
    for (let turn = 0; turn < 3; turn += 1) expect(await driver.read(ALL)).toEqual(readings())
    expect(asked().filter((question) => question.includes('stage'))).toEqual([])
  })

  test('is retried beside the poll, and read with the others once it answers', async () => {
    const driver = await bench.open(undefined, { mode })
    bench.server.play(silentAbout('stage'))
    await inTime(driver.read(ALL))
    await bench.clock.advance(5000)
    asked()
    // The poll does not wait for the retry.
    expect(await driver.read(ALL)).toEqual(readings())
    await eventually(() => expect(asked()).toContain('GET /obix/points/stage/'))
    expect(await driver.read(ALL)).toEqual(readings())
    await bench.clock.advance(5000)
    bench.server.play(undefined)
    await bench.clock.advance(10_000)
    await eventually(async () => {
      expect(await driver.read(ALL)).toEqual([{ raw: 21.5 }, { raw: 3 }, { raw: 1 }, { raw: -4.25 }])
    })
  })

  test('delays no write to another point', async () => {
    const driver = await bench.open(undefined, { mode })
    await driver.read(ALL)
    bench.server.play(silentAbout('stage'))
    asked()
    const reading = driver.read(ALL.filter((name) => mode !== 'watch' || name === 'stage'))
    await eventually(() => expect(asked()).not.toEqual([]))
    await driver.write('supply', 18)
    expect(bench.held('supply')).toBe('18')
    await inTime(reading)
  })

  test('is read urgently after the others', async () => {
    const driver = await bench.open(undefined, { mode })
    bench.server.play(silentAbout('stage'))
    await inTime(driver.read(ALL))
    bench.server.play(undefined)
    asked()
    expect(await driver.read(['stage', 'fan'], { urgent: true })).toEqual([{ raw: 3 }, { raw: 1 }])
    expect(asked()).toEqual(['GET /obix/points/fan/', 'GET /obix/points/stage/'])
  })

  test('does not end the connection, even if it is the only point', async () => {
    const driver = await bench.open(undefined, { mode })
    bench.server.play(silentAbout('stage'))
    for (let turn = 0; turn < 2; turn += 1) expect(await inTime(driver.read(['stage']))).toEqual([NO_ANSWER()])
    // The lobby is read instead, which reveals the loss of the server.
    bench.server.play(leavingUnanswered(() => true))
    await expect(inTime(driver.read(['stage']))).rejects.toEqual(failure('offline', NO_ANSWER().error))
  })
})

describe('several points that do not answer', () => {
  test('cost at most three timeouts per read', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`)
    for (const name of names) bench.server.points.set(name, { tag: 'int', val: '1' })
    const points = Object.fromEntries(names.map((name) => [name, { href: `points/${name}/` }]))
    const events = createCountingListener()
    const driver = bench.protocol.connect(connectionOf(points, { url: bench.server.url }), events)
    await driver.open(never)
    bench.server.play(silentAbout('p0', 'p1', 'p2', 'p3', 'p4'))
    const goodInTurn: number[] = []
    for (let turn = 0; turn < 5; turn += 1) {
      const before = events.timeouts
      const readings = await inTime(driver.read(names))
      expect(events.timeouts - before).toBeLessThanOrEqual(3)
      goodInTurn.push(readings.filter((reading) => 'raw' in reading).length)
    }
    expect(goodInTurn).toEqual([0, 0, 7, 7, 7])
    // The batch itself is not to blame.
    expect(asked().at(-1)).toBe('POST /obix/batch/')
    await driver.close()
  })

  test('recover together, not one per poll', async () => {
    const names = ['supply', 'stage', 'fan', 'outside']
    const driver = await bench.open(undefined, { mode: 'get' })
    bench.server.play(silentAbout(...names))
    for (let turn = 0; turn < 3; turn += 1) await inTime(driver.read(names))
    bench.server.play(undefined)
    await bench.clock.advance(10_000)
    await driver.read(names)
    asked()
    await eventually(async () => {
      const readings = await driver.read(names)
      expect(readings.every((reading) => 'raw' in reading)).toBe(true)
    })
  })
})

describe('a batch that does not answer though each of its points does', () => {
  test('is replaced by single reads, and retried after a while', async () => {
    const driver = await bench.open()
    bench.server.play(leavingUnanswered(({ path }) => path.includes('batch')))
    const readings = [{ raw: 21.5 }, { raw: 3 }, { raw: 1 }, { raw: -4.25 }]
    expect(await inTime(driver.read(ALL))).toEqual(readings)
    asked()
    expect(await driver.read(ALL)).toEqual(readings)
    expect(asked().filter((question) => question.startsWith('POST'))).toEqual([])
    bench.server.play(undefined)
    await bench.clock.advance(5000)
    expect(await driver.read(ALL)).toEqual(readings)
    expect(asked()).toEqual(['POST /obix/batch/'])
  })
})

describe('a watch service that does not answer', () => {
  test.each<[string, Trick]>([
    ['at all', leavingUnanswered(({ path }) => path.includes('watchService'))],
    [
      'but refuses',
      ({ path }, response, obey) =>
        path.includes('watchService') ? response.end(err('obix:ServerErr', 'no')) : obey(),
    ],
  ])('%s falls back to the batch', async (_, trick) => {
    const driver = bench.connect(undefined, { mode: 'watch' })
    bench.server.play(trick)
    await inTime(driver.open(never))
    expect(await driver.read(['supply', 'fan'])).toEqual([{ raw: 21.5 }, { raw: 1 }])
    expect(asked().at(-1)).toBe('POST /obix/batch/')
  })
})

describe('a point that breaks the connection', () => {
  test('costs its own reading', async () => {
    const driver = await bench.open()
    bench.server.play(({ path, body }, response, obey) => {
      if (`${path} ${body}`.includes('points/stage/')) response.socket?.resetAndDestroy()
      else obey()
    })
    const reset = { error: `${bench.host} closed the connection without an answer` }
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await driver.read(ALL)).toEqual([{ raw: 21.5 }, reset, { raw: 1 }, { raw: -4.25 }])
    }
  })
})

test('a write that is answered ends the silence of its point', async () => {
  const driver = await bench.open()
  await driver.read(ALL)
  bench.server.play(silentAbout('stage'))
  await inTime(driver.read(ALL))
  bench.server.play(undefined)
  await driver.write('stage', 4)
  expect(await driver.read(['supply', 'stage'])).toEqual([{ raw: 21.5 }, { raw: 4 }])
})
