import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Driver } from '../driver.ts'
import { airHandlingUnit, type Bench, failure, startBench } from './testing/bench.ts'

let bench: Bench
let driver: Driver
beforeEach(async () => {
  bench = await startBench(airHandlingUnit())
  driver = await bench.open()
  await driver.read(['supply', 'stage', 'fan'])
})
afterEach(() => bench.stop())

const NO_LONGER_WANTED = failure('conflict', 'the value is no longer wanted; nothing was sent')

/** Starts an urgent read that blocks the line until the returned function is called. */
async function occupyLine(): Promise<() => void> {
  let answer = () => {}
  const asked = bench.whenAsked('GET /obix/points/outside/', (_, __, obey) => {
    answer = obey
  })
  const reading = driver.read(['outside'], { urgent: true })
  reading.catch(() => {})
  await asked
  bench.server.play(undefined)
  bench.server.requests.length = 0
  return () => answer()
}

describe('a queued request', () => {
  test('is sent in the order releases, setpoints, urgent reads', async () => {
    const resume = await occupyLine()
    const waiting = [
      driver.read(['fan'], { urgent: true }),
      driver.write('supply', 20),
      driver.write('stage', 2),
      driver.write('fan', 0, { release: true }),
    ]
    resume()
    await Promise.all(waiting)
    expect(bench.asked()).toEqual([
      'PUT /obix/points/fan/',
      'PUT /obix/points/supply/',
      'PUT /obix/points/stage/',
      'GET /obix/points/fan/',
    ])
  })

  test('is not sent if it is no longer wanted when its turn comes', async () => {
    const resume = await occupyLine()
    let wanted = true
    const writing = expect(driver.write('supply', 20, { stillWanted: () => wanted })).rejects.toEqual(NO_LONGER_WANTED)
    const next = driver.write('stage', 2, { stillWanted: () => true })
    wanted = false
    resume()
    await writing
    await next
    expect(bench.asked()).toEqual(['PUT /obix/points/stage/'])
    expect(bench.held('supply')).toBe('21.5')
  })

  test('is not sent after a release of the same point that overtook it', async () => {
    const resume = await occupyLine()
    const overtaken = expect(driver.write('supply', 30)).rejects.toEqual(NO_LONGER_WANTED)
    const release = driver.write('supply', 21.5, { release: true })
    const next = driver.write('supply', 24)
    resume()
    await overtaken
    await Promise.all([release, next])
    expect(bench.server.requests.map(({ body }) => body)).toEqual(['<real val="21.5"/>', '<real val="24"/>'])
  })

  test('goes behind others of its kind if the last write of its point got no answer', async () => {
    const silent = bench.whenAsked('PUT /obix/points/supply/')
    const lost = expect(driver.write('supply', 20)).rejects.toEqual(failure('offline', /did not answer/))
    await silent
    bench.clock.advanceNow(5000)
    await lost
    const resume = await occupyLine()
    const waiting = [driver.write('supply', 19), driver.write('stage', 2), driver.write('fan', 0, { release: true })]
    resume()
    await Promise.all(waiting)
    expect(bench.asked()).toEqual(['PUT /obix/points/fan/', 'PUT /obix/points/stage/', 'PUT /obix/points/supply/'])
  })
})

describe('a value that is no longer wanted', () => {
  test('is not sent after the lookup of its write operation', async () => {
    bench.server.points.set('set', { tag: 'real', val: '1', writable: true, writePoint: 'href="writePoint"' })
    const byOperation = await bench.open({ set: { href: 'points/set/', write: 'writePoint' } })
    let wanted = true
    bench.server.play((_, __, obey) => {
      wanted = false
      obey()
    })
    await expect(byOperation.write('set', 2, { stillWanted: () => wanted })).rejects.toEqual(NO_LONGER_WANTED)
    expect(bench.asked().at(-1)).toBe('GET /obix/points/set/')
    expect(bench.held('set')).toBe('1')
  })

  test('is not resent after the server closed the socket, when it may have been written', async () => {
    await driver.write('supply', 20)
    bench.server.requests.length = 0
    let wanted = true
    bench.server.play((_, response) => {
      wanted = false
      response.socket?.destroy()
    })
    await expect(driver.write('supply', 22, { stillWanted: () => wanted })).rejects.toEqual(
      failure('offline', /closed the connection without an answer/),
    )
    expect(bench.asked()).toEqual(['PUT /obix/points/supply/'])
  })
})

describe('a write that is not answered', () => {
  test('is offline after one timeout, and affects no other point', async () => {
    const silent = bench.whenAsked(
      'PUT /obix/points/supply/',
      ({ path }, _, obey) => !path.includes('supply') && obey(),
    )
    const lost = expect(driver.write('supply', 20)).rejects.toEqual(
      failure('offline', `${bench.host} did not answer within 5000 ms`),
    )
    const next = driver.write('stage', 2)
    await silent
    bench.clock.advanceNow(5000)
    await lost
    await next
    expect(bench.held('stage')).toBe('2')
    expect(await driver.read(['stage', 'fan'])).toEqual([{ raw: 2 }, { raw: 1 }])
  })

  test('has one timeout in total, even if the server closed its socket', async () => {
    await driver.write('supply', 20)
    let first = true
    const again = new Promise<void>((resolve) => {
      bench.server.play((_, response) => {
        if (!first) return resolve()
        first = false
        bench.clock.advanceNow(4000)
        response.socket?.destroy()
      })
    })
    const lost = expect(driver.write('supply', 21)).rejects.toEqual(failure('offline', /did not answer within 5000 ms/))
    await again
    expect(bench.clock.waiting()).toEqual([1000])
    bench.clock.advanceNow(1000)
    await lost
  })
})
