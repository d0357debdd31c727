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

/** What the server was asked since the last time. */
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
  test('is made with the first reading and asked for changes from then on', async () => {
    const driver = await openWatching()
    expect(asked()).toEqual(['GET /obix/', 'GET /obix/watchService/'])
    expect(await readBoth(driver)).toEqual([{ raw: 21.5 }, { raw: 1 }])
    expect(asked()).toEqual(['POST /obix/watchService/make/', 'POST /obix/watch1/add'])

    expect(await readBoth(driver)).toEqual([{ raw: 21.5 }, { raw: 1 }])
    set('supply', '22')
    expect(await readBoth(driver)).toEqual([{ raw: 22 }, { raw: 1 }])
    expect(asked()).toEqual(['POST /obix/watch1/pollChanges/', 'POST /obix/watch1/pollChanges/'])
  })

  test('also serves a single point, and takes in more', async () => {
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

  test('is made anew when its lease has ended', async () => {
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

  test('is made anew after an answer that was lost: a change may have been in it', async () => {
    const driver = await openWatching()
    await readBoth(driver)
    set('supply', '25')
    bench.server.play((_, response, obey) => {
      // The server believes that it has told.
      response.end = () => response.socket?.resetAndDestroy() as never
      obey()
    })
    await expect(readBoth(driver)).rejects.toThrow('closed the connection without an answer')
    bench.server.play(undefined)
    expect(await readBoth(driver)).toEqual([{ raw: 25 }, { raw: 1 }])
  })

  test('is asked for everything when the socket failed under a question for changes', async () => {
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

  test('is made anew by opening', async () => {
    const driver = await openWatching()
    await readBoth(driver)
    await driver.open(never)
    expect(await readBoth(driver)).toEqual([{ raw: 21.5 }, { raw: 1 }])
    expect(bench.server.watches()).toBe(2)
  })

  test('is asked for everything now and then, since a change that was lost would else stand for ever', async () => {
    const driver = await openWatching()
    await readBoth(driver)
    asked()
    for (let turn = 0; turn < 30; turn += 1) await readBoth(driver)
    const polls = asked()
    expect(polls).toHaveLength(30)
    expect(polls.slice(-2)).toEqual(['POST /obix/watch1/pollChanges/', 'POST /obix/watch1/pollRefresh'])
  })

  test('says of a point that is not there what the server says, and finds it when it comes', async () => {
    bench.server.points.delete('fan')
    const driver = await openWatching()
    const missing = { error: 'the server says obix:BadUriErr: no /obix/points/fan/' }
    expect(await readBoth(driver)).toEqual([{ raw: 21.5 }, missing])
    expect(await readBoth(driver)).toEqual([{ raw: 21.5 }, missing])
    bench.server.points.set('fan', { tag: 'bool', val: 'false' })
    expect(await readBoth(driver)).toEqual([{ raw: 21.5 }, { raw: 0 }])
    expect(bench.server.watches()).toBe(1)
  })

  test('that leaves a point out is no reason to leave out the others', async () => {
    const driver = await openWatching()
    bench.server.play(({ path }, response, obey) => {
      if (!path.endsWith('add')) return obey()
      response.end('<obj><list name="values"><bool val="true" href="/obix/points/fan"/><int val="1"/></list></obj>')
    })
    expect(await readBoth(driver)).toEqual([{ error: 'the watch of the server leaves it out' }, { raw: 1 }])
  })

  test('serves all who read at once', async () => {
    const driver = await openWatching()
    const readings = await Promise.all(Array.from({ length: 20 }, () => readBoth(driver)))
    expect(readings).toEqual(Array.from({ length: 20 }, () => [{ raw: 21.5 }, { raw: 1 }]))
    expect(bench.server.watches()).toBe(1)
  })

  test('keeps nothing of what nobody asked for', async () => {
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

  test('is passed by where a fresh value is asked for', async () => {
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
  ])('as in %s is refused: our credentials would go elsewhere', async (watch) => {
    const driver = await openWatching()
    bench.server.play((_, response) => response.end(watch))
    await expect(readBoth(driver)).rejects.toThrow('gives a watch at another address, which is not used')
  })
})

describe('without a watch', () => {
  test('the batch serves where the lobby has no watch service', async () => {
    bench.server.offers.watchService = false
    expect(await readBoth(await openWatching())).toEqual([{ raw: 21.5 }, { raw: 1 }])
    expect(asked()).toEqual(['GET /obix/', 'POST /obix/batch/'])
  })

  test.each([
    ['make', err('obix:ServerErr', 'Too many watches')],
    ['add', err('obix:UnsupportedErr', 'No')],
    ['add', '<obj is="obix:WatchOut"/>'],
  ])('the batch serves while the server refuses to %s one', async (operation, answer) => {
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
