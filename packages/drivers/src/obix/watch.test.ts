import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Driver } from '../driver.ts'
import { type Bench, never, startBench } from './testing/bench.ts'
import { err } from './testing/server.ts'

let bench: Bench
beforeEach(async () => {
  bench = await startBench({
    supply: { tag: 'real', val: '21.5', writable: true },
    fan: { tag: 'bool', val: 'true' },
    later: { tag: 'int', val: '5' },
  })
})
afterEach(() => bench.stop())

/** Returns the requests since the last call. */
function asked(): string[] {
  return bench.server.requests.splice(0).map(({ method, path }) => `${method} ${path}`)
}

function set(name: string, val: string): void {
  const point = bench.server.points.get(name)
  if (point) point.val = val
}

const openWatching = () => bench.open(undefined, { mode: 'watch' })
const readBoth = (driver: Driver) => driver.read(['supply', 'fan'])

describe('a watch', () => {
  test('is created by the first read and polled for changes afterwards', async () => {
    const driver = await openWatching()
    expect(asked()).toEqual(['GET /obix/', 'GET /obix/watchService/'])
    expect(await readBoth(driver)).toEqual([{ raw: 21.5 }, { raw: 1 }])
    expect(asked()).toEqual(['POST /obix/watchService/make/', 'POST /obix/watch1/add'])

    expect(await readBoth(driver)).toEqual([{ raw: 21.5 }, { raw: 1 }])
    set('supply', '22')
    expect(await readBoth(driver)).toEqual([{ raw: 22 }, { raw: 1 }])
    expect(asked()).toEqual(['POST /obix/watch1/pollChanges/', 'POST /obix/watch1/pollChanges/'])
  })

  test('serves a single point, and adds more points later', async () => {
    const driver = await openWatching()
    expect(await driver.read(['later'])).toEqual([{ raw: 5 }])
    expect(await driver.read(['later', 'fan'])).toEqual([{ raw: 5 }, { raw: 1 }])
    expect(asked().slice(2)).toEqual([
      'POST /obix/watchService/make/',
      'POST /obix/watch1/add',
      'POST /obix/watch1/pollChanges/',
      'POST /obix/watch1/add',
    ])
  })

  test('is recreated after its lease has ended', async () => {
    const driver = await openWatching()
    await readBoth(driver)
    bench.server.forgetWatches()
    set('supply', '23')
    asked()
    expect(await readBoth(driver)).toEqual([{ raw: 23 }, { raw: 1 }])
    expect(asked()).toEqual([
      'POST /obix/watch1/pollChanges/',
      'POST /obix/watchService/make/',
      'POST /obix/watch2/add',
    ])
    set('supply', '24')
    expect(await readBoth(driver)).toEqual([{ raw: 24 }, { raw: 1 }])
  })

  test('is recreated after a lost answer, which may have contained a change', async () => {
    const driver = await openWatching()
    await readBoth(driver)
    set('supply', '25')
    bench.server.play((_, response, obey) => {
      // The server considers the change delivered.
      response.end = () => response.socket?.resetAndDestroy() as never
      obey()
    })
    await expect(readBoth(driver)).rejects.toThrow('closed the connection without an answer')
    bench.server.play(undefined)
    expect(await readBoth(driver)).toEqual([{ raw: 25 }, { raw: 1 }])
  })

  test('is refreshed completely if the socket failed during a poll for changes', async () => {
    const driver = await openWatching()
    await readBoth(driver)
    set('supply', '26')
    asked()
    let failing = true
    bench.server.play((_, response, obey) => {
      if (failing) response.end = () => response.socket?.destroy() as never
      failing = false
      obey()
    })
    expect(await readBoth(driver)).toEqual([{ raw: 26 }, { raw: 1 }])
    expect(asked()).toEqual(['POST /obix/watch1/pollChanges/', 'POST /obix/watch1/pollRefresh'])
  })

  test('is recreated by opening', async () => {
    const driver = await openWatching()
    await readBoth(driver)
    await driver.open(never)
    expect(await readBoth(driver)).toEqual([{ raw: 21.5 }, { raw: 1 }])
    expect(bench.server.watches()).toBe(2)
  })

  test('is refreshed completely from time to time, so that a lost change is noticed', async () => {
    const driver = await openWatching()
    await readBoth(driver)
    asked()
    for (let turn = 0; turn < 30; turn += 1) await readBoth(driver)
    const polls = asked()
    expect(polls).toHaveLength(30)
    expect(polls.slice(-2)).toEqual(['POST /obix/watch1/pollChanges/', 'POST /obix/watch1/pollRefresh'])
  })

  test("shows the server's error for a missing point, and reads it once it exists", async () => {
    bench.server.points.delete('fan')
    const driver = await openWatching()
    const missing = { error: 'the server reports obix:BadUriErr: no /obix/points/fan/' }
    expect(await readBoth(driver)).toEqual([{ raw: 21.5 }, missing])
    expect(await readBoth(driver)).toEqual([{ raw: 21.5 }, missing])
    bench.server.points.set('fan', { tag: 'bool', val: 'false' })
    expect(await readBoth(driver)).toEqual([{ raw: 21.5 }, { raw: 0 }])
    expect(bench.server.watches()).toBe(1)
  })

  test('that omits a point does not affect the others', async () => {
    const driver = await openWatching()
    bench.server.play(({ path }, response, obey) => {
      if (!path.endsWith('add')) return obey()
      response.end('<obj><list name="values"><bool val="true" href="/obix/points/fan"/><int val="1"/></list></obj>')
    })
    expect(await readBoth(driver)).toEqual([{ error: 'the watch of the server does not include it' }, { raw: 1 }])
  })

  test('serves concurrent reads', async () => {
    const driver = await openWatching()
    const readings = await Promise.all(Array.from({ length: 20 }, () => readBoth(driver)))
    expect(readings).toEqual(Array.from({ length: 20 }, () => [{ raw: 21.5 }, { raw: 1 }]))
    expect(bench.server.watches()).toBe(1)
  })

  test('keeps no unrequested objects', async () => {
    const driver = await openWatching()
    await readBoth(driver)
    bench.server.play((_, response) => {
      response.end('<obj><list name="values"><int val="99" href="/obix/points/later/"/></list></obj>')
    })
    await readBoth(driver)
    bench.server.play(undefined)
    asked()
    expect(await driver.read(['later'])).toEqual([{ raw: 5 }])
    expect(asked()).toEqual(['POST /obix/watch1/pollChanges/', 'POST /obix/watch1/add'])
  })

  test('is bypassed by urgent reads', async () => {
    const driver = await openWatching()
    await readBoth(driver)
    asked()
    expect(await driver.read(['supply'], { urgent: true })).toEqual([{ raw: 21.5 }])
    expect(asked()).toEqual(['GET /obix/points/supply/'])
  })

  test.each([
    '<obj href="http://10.9.9.9/w/"><op name="add" href="add"/></obj>',
    '<obj href="/obix/w/"><op name="pollChanges" href="http://10.9.9.9/w/"/></obj>',
    '<obj href="/obix/w/"><op name="add" href="http://["/></obj>',
  ])('as in %s is rejected, because another server would receive our credentials', async (watch) => {
    const driver = await openWatching()
    bench.server.play((_, response) => response.end(watch))
    await expect(readBoth(driver)).rejects.toThrow('has its watch on another server, which is not used')
  })
})

describe('without a watch', () => {
  test('the driver uses the batch if the lobby has no watch service', async () => {
    bench.server.offers.watchService = false
    expect(await readBoth(await openWatching())).toEqual([{ raw: 21.5 }, { raw: 1 }])
    expect(asked()).toEqual(['GET /obix/', 'POST /obix/batch/'])
  })

  test.each([
    ['make', err('obix:ServerErr', 'Too many watches')],
    ['add', err('obix:UnsupportedErr', 'No')],
    ['add', '<obj is="obix:WatchOut"/>'],
  ])('the driver uses the batch while the server refuses to %s one', async (operation, answer) => {
    const driver = await openWatching()
    bench.server.play(({ path }, response, obey) =>
      path.replace(/\/$/, '').endsWith(operation) ? response.end(answer) : obey(),
    )
    expect(await readBoth(driver)).toEqual([{ raw: 21.5 }, { raw: 1 }])
    expect(asked().at(-1)).toBe('POST /obix/batch/')
    bench.server.play(undefined)
    expect(await readBoth(driver)).toEqual([{ raw: 21.5 }, { raw: 1 }])
    expect(asked().at(-1)).toMatch(/watch\d\/add$/)
  })
})
