import { Failure } from '@plantroom/contract/failure'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { airHandlingUnit, type Bench, failure, never, startBench } from './testing/bench.ts'
import { answering, err } from './testing/server.ts'

let bench: Bench
beforeEach(async () => {
  bench = await startBench(airHandlingUnit())
})
afterEach(() => bench.stop())

describe('opening', () => {
  test('reads the lobby', async () => {
    await bench.open()
    expect(bench.asked()).toEqual(['GET /obix/'])
  })

  test('sends the credentials, and says why it failed if they are rejected', async () => {
    const driver = bench.connect(undefined, { username: 'edge', password: 'öl & gas: 1' })
    await driver.open(never)
    const expected = `Basic ${Buffer.from('edge:öl & gas: 1').toString('base64')}`
    expect(bench.server.requests[0]?.authorization).toBe(expected)
    bench.server.play(answering(/./, '', 401))
    await expect(driver.open(never)).rejects.toEqual(
      failure('offline', `${bench.host} rejected the username or password`),
    )
    await expect(bench.open()).rejects.toEqual(failure('offline', `${bench.host} requires a username and password`))
  })

  test.each<[string, number, string, string]>([
    ['an err', 200, err('obix:PermissionErr', 'Not you'), 'the server reports obix:PermissionErr: Not you'],
    ['a missing page', 404, '<html>', 'the server answered 404 Not Found'],
    ['an err with a status', 500, err('obix:ServerErr', 'Starting'), 'the server reports obix:ServerErr: Starting'],
    ['another status', 599, '', 'the server answered 599'],
    ['a page', 200, '<html><p>Log in<br></html>', 'the server sent an unusable answer: unexpected close tag.'],
    ['nothing', 200, '', 'the server sent nothing'],
  ])('fails on %s', async (_, status, body, reason) => {
    bench.server.play(answering(/./, body, status))
    await expect(bench.open()).rejects.toEqual(failure('offline', `${bench.server.url}: ${reason}`))
  })

  test('follows no redirect, which could send our credentials elsewhere', async () => {
    bench.server.play((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end())
    const reason = 'the server answered 302 Found, but redirects are not followed'
    await expect(bench.open()).rejects.toEqual(failure('offline', `${bench.server.url}: ${reason}`))
    expect(bench.asked()).toEqual(['GET /obix/'])
  })

  test('fails if nothing listens at the address', async () => {
    await bench.server.drop()
    await expect(bench.open()).rejects.toEqual(failure('offline', `${bench.host} refused the connection`))
  })

  test('fails if there is no answer in time', async () => {
    const silent = bench.whenAsked('GET /obix/')
    const opening = bench.open(undefined, { timeoutMs: 700 })
    await silent
    bench.clock.advanceNow(700)
    await expect(opening).rejects.toEqual(failure('offline', `${bench.host} did not answer within 700 ms`))
    expect(bench.clock.waiting()).toEqual([])
  })

  test('is cancelled by its signal and by closing', async () => {
    const cancelled = failure('offline', 'opening the connection was cancelled')
    const signal = new AbortController()
    const first = bench.whenAsked('GET /obix/')
    const opening = bench.connect().open(signal.signal)
    await first
    signal.abort()
    await expect(opening).rejects.toEqual(cancelled)
    await expect(bench.connect().open(signal.signal)).rejects.toEqual(cancelled)

    const second = bench.whenAsked('GET /obix/')
    const driver = bench.connect()
    const again = driver.open(never)
    await second
    await driver.close()
    await expect(again).rejects.toEqual(cancelled)
    expect(bench.clock.waiting()).toEqual([])
  })

  test('rejects a batch or watch on another server, which would receive our credentials', async () => {
    const lobby = (name: string) => `<obj is="obix:Lobby"><ref name="${name}" href="http://10.9.9.9/x/"/></obj>`
    bench.server.play(answering(/./, lobby('batch')))
    await expect(bench.open()).rejects.toEqual(
      failure('offline', `${bench.host} has its batch on another server, which is not used`),
    )
    await bench.open(undefined, { mode: 'get' })
    bench.server.play(answering(/./, lobby('watchService')))
    await expect(bench.open(undefined, { mode: 'watch' })).rejects.toEqual(
      failure('offline', `${bench.host} has its watchService on another server, which is not used`),
    )
  })

  test('finds the operations of the lobby even if the server uses another name for itself', async () => {
    const lobby = '<obj href="http://station.local/obix/"><op name="batch" href="batch/"/></obj>'
    bench.server.play(answering(/^GET .obix$/, lobby))
    const driver = await bench.open(undefined, { url: bench.server.url.replace(/\/$/, '') })
    await driver.read(['supply', 'fan'])
    expect(bench.asked()).toEqual(['GET /obix', 'POST /obix/batch/'])
  })
})

describe('reading', () => {
  test('reads all points in one batch, in the requested order', async () => {
    const driver = await bench.open()
    expect(await driver.read(['fan', 'outside', 'stage', 'supply', 'fan'])).toEqual([
      { raw: 1 },
      { raw: -4.25 },
      { raw: 3 },
      { raw: 21.5 },
      { raw: 1 },
    ])
    expect(bench.asked()).toEqual(['GET /obix/', 'POST /obix/batch/'])
  })

  test('reads points one at a time if the batch is missing, disabled or refused', async () => {
    const each = ['GET /obix/points/supply/', 'GET /obix/points/fan/']
    bench.server.offers.batch = false
    expect(await (await bench.open()).read(['supply', 'fan'])).toEqual([{ raw: 21.5 }, { raw: 1 }])
    expect(bench.asked()).toEqual(['GET /obix/', ...each])

    bench.server.offers.batch = true
    bench.server.requests.length = 0
    expect(await (await bench.open(undefined, { mode: 'get' })).read(['supply', 'fan'])).toHaveLength(2)
    expect(bench.asked()).toEqual(['GET /obix/', ...each])

    bench.server.requests.length = 0
    bench.server.play(answering(/batch/, err('obix:UnsupportedErr', 'no batch')))
    expect(await (await bench.open()).read(['supply', 'fan'])).toEqual([{ raw: 21.5 }, { raw: 1 }])
    expect(bench.asked()).toEqual(['GET /obix/', 'POST /obix/batch/', ...each])
  })

  test.each([
    ['too few answers', '<list><real val="1"/></list>'],
    ['too many answers', '<list><real val="1"/><real val="2"/><real val="3"/></list>'],
    [
      'answers in another order',
      '<list><bool val="true" href="/obix/points/fan/"/><real val="1" href="/obix/points/supply/"/></list>',
    ],
    ['something else', '<obj/>'],
    ['half an answer', '<list><real val="1"/>'],
  ])('assigns no value to the wrong point if a batch contains %s', async (_, batch) => {
    const driver = await bench.open()
    bench.server.play(answering(/batch/, batch))
    expect(await driver.read(['supply', 'fan'])).toEqual([{ raw: 21.5 }, { raw: 1 }])
  })

  test('splits many points into several batches', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `p${index}`)
    for (const [index, name] of names.entries()) bench.server.points.set(name, { tag: 'int', val: String(index) })
    const driver = await bench.open(Object.fromEntries(names.map((name) => [name, { href: `points/${name}` }])))
    expect(await driver.read(names)).toEqual(names.map((_, index) => ({ raw: index })))
    expect(bench.asked().slice(1)).toEqual(['POST /obix/batch/', 'POST /obix/batch/', 'GET /obix/points/p100'])
  })

  test('reports for each unreadable point why it cannot be read', async () => {
    bench.server.points.set('broken', { tag: 'real', val: '1', attributes: 'status="fault"' })
    bench.server.points.set('empty', { tag: 'real', val: '0', attributes: 'null="true"' })
    const driver = await bench.open({
      supply: { href: 'points/supply/' },
      gone: { href: 'points/gone/' },
      broken: { href: 'points/broken/' },
      empty: { href: 'points/empty/' },
      command: { href: 'points/fan/', accessType: 'WRITE' },
    })
    expect(await driver.read(['gone', 'broken', 'supply', 'empty', 'command', 'stranger'])).toEqual([
      { error: 'the server reports obix:BadUriErr: no /obix/points/gone/' },
      { error: 'the server reports status fault' },
      { raw: 21.5 },
      { error: 'the server reports null', image: expect.any(String) },
      { raw: 1 },
      { error: 'stranger is not a datapoint of this connection' },
    ])
  })

  test('sends no request without points', async () => {
    const driver = await bench.open(undefined, { mode: 'watch' })
    bench.server.requests.length = 0
    expect(await driver.read([])).toEqual([])
    expect(bench.asked()).toEqual([])
  })

  test('asks for a point that is commissioned as WRITE at its address, by batch and urgent', async () => {
    const driver = await bench.open({
      command: { href: 'points/fan/', accessType: 'WRITE' },
      blind: { href: 'points/blind/', accessType: 'WRITE' },
    })
    bench.server.requests.length = 0
    expect(await driver.read(['command'], { urgent: true })).toEqual([{ raw: 1 }])
    expect(bench.asked()).toEqual(['GET /obix/points/fan/'])
    expect(await driver.read(['command', 'blind'])).toEqual([
      { raw: 1 },
      { error: expect.stringContaining('no /obix') },
    ])
  })

  test('keeps whole numbers beyond 2^53 exact', async () => {
    bench.server.points.set('energy', { tag: 'int', val: '9007199254740993' })
    const driver = await bench.open({ energy: { href: 'points/energy/' } })
    expect(await driver.read(['energy'])).toEqual([{ raw: 9007199254740993n }])
  })

  test('accepts an href with a query and with XML special characters', async () => {
    const path = "/obix/points/a'b?c=%22d%22&e=%C3%A4"
    bench.server.play(({ method, path: at, body }, response, obey) => {
      if (at.endsWith('batch/') && body.includes(path.replaceAll('&', '&#38;').replaceAll("'", '&#39;'))) {
        response.end('<list><real val="7"/><real val="8"/></list>')
      } else if (method === 'GET' && at === path) response.end('<real val="9"/>')
      else obey()
    })
    const driver = await bench.open({ odd: { href: `points/a'b?c=%22d%22&e=ä` }, supply: { href: 'points/supply/' } })
    expect(await driver.read(['odd', 'supply'])).toEqual([{ raw: 7 }, { raw: 8 }])
    expect(await driver.read(['odd'])).toEqual([{ raw: 9 }])
  })

  test('does not wait for polls if it is urgent', async () => {
    const driver = await bench.open()
    const stuck = bench.whenAsked('POST /obix/batch/', ({ method }, _, obey) => method === 'GET' && obey())
    const reading = driver.read(['supply', 'fan'])
    await stuck
    expect(await driver.read(['outside'], { urgent: true })).toEqual([{ raw: -4.25 }])
    bench.clock.advanceNow(5000)
    expect(await reading).toEqual([{ raw: 21.5 }, { raw: 1 }])
  })

  test('reuses its sockets', async () => {
    const driver = await bench.open()
    for (let turn = 0; turn < 5; turn += 1) await driver.read(['supply', 'fan'])
    await driver.write('supply', 20)
    await driver.read(['supply'], { urgent: true })
    expect(bench.server.accepted()).toBe(2)
  })

  test('survives a server that closes its idle sockets', async () => {
    const driver = await bench.open()
    await driver.read(['supply', 'fan'])
    // The server closes the socket when the next request arrives on it, without processing the request.
    let closing = true
    bench.server.play((_, response, obey) => {
      if (closing) response.socket?.destroy()
      else obey()
      closing = false
    })
    expect(await driver.read(['supply', 'fan'])).toEqual([{ raw: 21.5 }, { raw: 1 }])
  })
})

describe('a message', () => {
  test('never contains the password, even if the server repeats it', async () => {
    const driver = await bench.open(undefined, { username: 'edge', password: 'hunter2' })
    const token = Buffer.from('edge:hunter2').toString('base64')
    const tattle = err('obix:PermissionErr', `edge with hunter2 (${token})`)
    bench.server.play(answering(/./, tattle))
    const shown = 'the server reports obix:PermissionErr: edge with *** (***)'
    expect(await driver.read(['supply'])).toEqual([{ error: shown }])
    await expect(driver.write('supply', 1)).rejects.toEqual(failure('rejected', `supply: ${shown}`))
    await expect(driver.open(never)).rejects.toEqual(failure('offline', `${bench.server.url}: ${shown}`))
    bench.server.play(undefined)
    await driver.open(never)
    bench.server.play(answering(/batch/, `<list>${tattle}${tattle}</list>`))
    expect(await driver.read(['supply', 'fan'])).toEqual([{ error: shown }, { error: shown }])
  })

  test('contains no part of the password where the text is truncated', async () => {
    const driver = await bench.open(undefined, { username: 'edge', password: 'correct horse battery staple' })
    const display = `${'x'.repeat(70)} correct horse battery staple`
    bench.server.play(answering(/./, err('obix:PermissionErr', display)))
    const [reading] = await driver.read(['supply'])
    expect(reading).toEqual({ error: expect.stringMatching(/x \*/) })
    expect(JSON.stringify(reading)).not.toContain('correct')
  })

  test('lists every error of an invalid connection', () => {
    expect(() => bench.connect({ a: { href: '//evil/' } }, { mode: 'push' })).toThrow(Failure)
    expect(() => bench.connect({ a: { href: '//evil/' } }, { mode: 'push' })).toThrow(
      /^settings.mode: push must be .*; datapoints\[0\].data.href: must be on the server /,
    )
  })
})
