import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createCountingListener } from '../testing/counting-listener.ts'
import { airHandlingUnit, type Bench, connectionOf, never, startBench } from './testing/bench.ts'
import { answering, err } from './testing/server.ts'

let bench: Bench
beforeEach(async () => {
  bench = await startBench(airHandlingUnit())
})
afterEach(() => bench.stop())

const POINTS = Object.fromEntries(
  ['supply', 'stage', 'fan', 'absent', 'gone'].map((name) => [name, { href: `points/${name}/` }]),
)

async function open(settings: Record<string, unknown> = {}) {
  const events = createCountingListener()
  const driver = bench.protocol.connect(connectionOf(POINTS, { url: bench.server.url, ...settings }), events)
  onTestFinished(() => driver.close())
  await driver.open(never)
  return { driver, events }
}

describe('an exception', () => {
  test.each(['batch', 'get', 'watch'])('is reported for each err of the server, in mode %s', async (mode) => {
    const { driver, events } = await open({ mode })
    const readings = await driver.read(['supply', 'absent', 'fan', 'gone'])
    expect(readings.filter((reading) => 'error' in reading)).toHaveLength(2)
    expect(events).toMatchObject({ exceptions: 2, timeouts: 0, losses: [] })
  })

  test('is reported for a refused batch, even though each point is then read', async () => {
    const { driver, events } = await open()
    bench.server.play(answering(/batch/, err('obix:UnsupportedErr', 'not today')))
    expect(await driver.read(['supply', 'fan'])).toEqual([{ raw: 21.5 }, { raw: 1 }])
    expect(events).toMatchObject({ exceptions: 1, timeouts: 0 })
  })

  test.each([
    [404, ''],
    [500, err('obix:ServerErr', 'out of memory')],
    [302, '<html/>'],
    [410, 'oBIX Server Disabled'],
  ])('is reported once for an answer with status %d, whatever its body', async (status, body) => {
    const { driver, events } = await open()
    bench.server.play(answering(/./, body, status))
    await expect(driver.write('supply', 20)).rejects.toThrow()
    expect(events).toMatchObject({ exceptions: 1, timeouts: 0 })
  })

  test('is reported for a rejected password', async () => {
    const { driver, events } = await open({ username: 'edge', password: 'secret' })
    bench.server.play(answering(/./, '', 401))
    await expect(driver.read(['supply'])).rejects.toThrow('rejected the username or password')
    expect(events).toMatchObject({ exceptions: 1, timeouts: 0 })
  })

  test('is not reported for a point without a value, nor for one that was not read', async () => {
    const supply = bench.server.points.get('supply')
    if (supply) supply.attributes = 'status="fault"'
    const { driver, events } = await open()
    const readings = await driver.read(['supply', 'fan', 'stranger'])
    expect(readings.filter((reading) => 'error' in reading)).toHaveLength(2)
    await expect(driver.write('fan', 2)).rejects.toThrow('does not fit')
    expect(events).toMatchObject({ exceptions: 0, timeouts: 0 })
  })
})

describe('a timeout', () => {
  test('is reported for each request without an answer, even if it affects a single point', async () => {
    const { driver, events } = await open({ mode: 'get' })
    const stalled = bench.whenAsked('GET /obix/points/fan/', ({ path }, _, obey) => !path.includes('fan') && obey())
    const reading = driver.read(['supply', 'fan', 'stage'])
    await stalled
    bench.clock.advanceNow(5000)
    expect(await reading).toEqual([{ raw: 21.5 }, { error: expect.stringContaining('5000 ms') }, { raw: 3 }])
    expect(events).toMatchObject({ timeouts: 1, exceptions: 0, losses: [] })
  })

  test('is not reported for a refused connection, nor for a socket that the server closed', async () => {
    const { driver, events } = await open()
    await bench.server.drop()
    await bench.server.heal()
    expect(await driver.read(['supply', 'fan'])).toEqual([{ raw: 21.5 }, { raw: 1 }])
    await bench.server.drop()
    await expect(driver.read(['supply', 'fan'])).rejects.toThrow(/refused the connection|closed the connection/)
    expect(events).toMatchObject({ timeouts: 0, exceptions: 0, losses: [] })
  })

  test('is not reported for requests that closing cuts short', async () => {
    const { driver, events } = await open()
    const stuck = bench.whenAsked('POST /obix/batch/')
    const reading = driver.read(['supply', 'fan']).catch(() => {})
    await stuck
    await driver.close()
    await reading
    bench.clock.advanceNow(5000)
    expect(events).toMatchObject({ timeouts: 0, exceptions: 0, losses: [] })
  })
})
