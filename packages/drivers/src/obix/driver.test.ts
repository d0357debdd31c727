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
  test('asks for the lobby', async () => {
    await bench.open()
    expect(bench.asked()).toEqual(['GET /obix/'])
  })

  test('says who we are, and says why it failed when that is not enough', async () => {
    const driver = bench.connect(undefined, { username: 'edge', password: 'öl & gas: 1' })
    await driver.open(never)
    const expected = `Basic ${Buffer.from('edge:öl & gas: 1').toString('base64')}`
    expect(bench.server.requests[0]?.authorization).toBe(expected)
    bench.server.play(answering(/./, '', 401))
    await expect(driver.open(never)).rejects.toEqual(
      failure('offline', `${bench.host} does not accept username and password`),
    )
    await expect(bench.open()).rejects.toEqual(failure('offline', `${bench.host} asks for a username and password`))
  })

  test.each<[string, number, string, string]>([
    ['an err', 200, err('obix:PermissionErr', 'Not you'), 'the server says obix:PermissionErr: Not you'],
    ['a missing page', 404, '<html>', 'the server answered 404 Not Found'],
    ['an err with a status', 500, err('obix:ServerErr', 'Starting'), 'the server says obix:ServerErr: Starting'],
    ['another status', 599, '', 'the server answered 599'],
    ['a page', 200, '<html><p>Log in<br></html>', 'the answer of the server is not taken: unexpected close tag.'],
    ['nothing', 200, '', 'the server sent nothing'],
  ])('fails on %s', async (_, status, body, reason) => {
    bench.server.play(answering(/./, body, status))
    await expect(bench.open()).rejects.toEqual(failure('offline', `${bench.server.url}: ${reason}`))
  })

  test('follows no redirection, which could lead our credentials elsewhere', async () => {
    bench.server.play((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end())
    const reason = 'the server answered 302 Found, but redirections are not followed'
    await expect(bench.open()).rejects.toEqual(failure('offline', `${bench.server.url}: ${reason}`))
    expect(bench.asked()).toEqual(['GET /obix/'])
  })

  test('fails where nobody listens', async () => {
    await bench.server.drop()
    await expect(bench.open()).rejects.toEqual(failure('offline', `${bench.host} refused the connection`))
  })

  test('fails when there is no answer in time', async () => {
    const silent = bench.whenAsked('GET /obix/')
    const opening = bench.open(undefined, { timeoutMs: 700 })
    await silent
    bench.clock.advanceNow(700)
    await expect(opening).rejects.toEqual(failure('offline', `${bench.host} did not answer within 700 ms`))
    expect(bench.clock.waiting()).toEqual([])
  })

  test('is called off by its signal, and by closing', async () => {
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

  test('refuses a batch or a watch at another address: our credentials would go there', async () => {
    const lobby = (name: string) => `<obj is="obix:Lobby"><ref name="${name}" href="http://10.9.9.9/x/"/></obj>`
    bench.server.play(answering(/./, lobby('batch')))
    await expect(bench.open()).rejects.toEqual(
      failure('offline', `${bench.host} has its batch at another address, which is not used`),
    )
    await bench.open(undefined, { mode: 'get' })
    bench.server.play(answering(/./, lobby('watchService')))
    await expect(bench.open(undefined, { mode: 'watch' })).rejects.toEqual(
      failure('offline', `${bench.host} has its watchService at another address, which is not used`),
    )
  })

  test('finds what the lobby has also when the server calls itself by another name', async () => {
    const lobby = '<obj href="http://station.local/obix/"><op name="batch" href="batch/"/></obj>'
    bench.server.play(answering(/^GET .obix$/, lobby))
    const driver = await bench.open(undefined, { url: bench.server.url.replace(/\/$/, '') })
    await driver.read(['supply', 'fan'])
    expect(bench.asked()).toEqual(['GET /obix', 'POST /obix/batch/'])
  })
})

describe('reading', () => {
  test('brings all in one batch, in the order asked', async () => {
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

  test('asks one by one where there is no batch, where it is not wanted, and where it is refused', async () => {
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
  ])('gives no value to the wrong point when a batch brings %s', async (_, batch) => {
    const driver = await bench.open()
    bench.server.play(answering(/batch/, batch))
    expect(await driver.read(['supply', 'fan'])).toEqual([{ raw: 21.5 }, { raw: 1 }])
  })

  test('asks in several batches for what would not fit into one', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `p${index}`)
    for (const [index, name] of names.entries()) bench.server.points.set(name, { tag: 'int', val: String(index) })
    const driver = await bench.open(Object.fromEntries(names.map((name) => [name, { href: `points/${name}` }])))
    expect(await driver.read(names)).toEqual(names.map((_, index) => ({ raw: index })))
    expect(bench.asked().slice(1)).toEqual(['POST /obix/batch/', 'POST /obix/batch/', 'GET /obix/points/p100'])
  })

  test('says of each point that cannot be read why', async () => {
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
      { error: 'the server says obix:BadUriErr: no /obix/points/gone/' },
      { error: 'the server says status fault' },
      { raw: 21.5 },
      { error: 'the server says null', image: expect.any(String) },
      { raw: 1 },
      { error: 'stranger is not a datapoint of this connection' },
    ])
  })

  test('of nothing asks nothing', async () => {
    const driver = await bench.open(undefined, { mode: 'watch' })
    bench.server.requests.length = 0
    expect(await driver.read([])).toEqual([])
    expect(bench.asked()).toEqual([])
  })

  test('asks for a point that is commissioned as WRITE at its address, by batch and urgently', async () => {
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

  test('keeps whole numbers exact beyond 2^53', async () => {
    bench.server.points.set('energy', { tag: 'int', val: '9007199254740993' })
    const driver = await bench.open({ energy: { href: 'points/energy/' } })
    expect(await driver.read(['energy'])).toEqual([{ raw: 9007199254740993n }])
  })

  test('takes an href with a query, and with letters that XML has a use for', async () => {
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

  test('that is urgent does not wait for what is not', async () => {
    const driver = await bench.open()
    const stuck = bench.whenAsked('POST /obix/batch/', ({ method }, _, obey) => method === 'GET' && obey())
    const reading = driver.read(['supply', 'fan'])
    await stuck
    expect(await driver.read(['outside'], { urgent: true })).toEqual([{ raw: -4.25 }])
    bench.clock.advanceNow(5000)
    expect(await reading).toEqual([{ raw: 21.5 }, { raw: 1 }])
  })

  test('goes over sockets that stay open', async () => {
    const driver = await bench.open()
    for (let turn = 0; turn < 5; turn += 1) await driver.read(['supply', 'fan'])
    await driver.write('supply', 20)
    await driver.read(['supply'], { urgent: true })
    expect(bench.server.accepted()).toBe(2)
  })

  test('survives a server that closes its idle sockets', async () => {
    const driver = await bench.open()
    await driver.read(['supply', 'fan'])
    // The socket is closed when the next question has arrived on it, and that question was never looked at.
    let closing = true
    bench.server.play((_, response, obey) => {
      if (closing) response.socket?.destroy()
      else obey()
      closing = false
    })
    expect(await driver.read(['supply', 'fan'])).toEqual([{ raw: 21.5 }, { raw: 1 }])
  })
})

describe('what is shown', () => {
  test('never holds the password, even when the server says it back', async () => {
    const driver = await bench.open(undefined, { username: 'edge', password: 'hunter2' })
    const token = Buffer.from('edge:hunter2').toString('base64')
    const tattle = err('obix:PermissionErr', `edge with hunter2 (${token})`)
    bench.server.play(answering(/./, tattle))
    const shown = 'the server says obix:PermissionErr: edge with *** (***)'
    expect(await driver.read(['supply'])).toEqual([{ error: shown }])
    await expect(driver.write('supply', 1)).rejects.toEqual(failure('rejected', `supply: ${shown}`))
    await expect(driver.open(never)).rejects.toEqual(failure('offline', `${bench.server.url}: ${shown}`))
    bench.server.play(undefined)
    await driver.open(never)
    bench.server.play(answering(/batch/, `<list>${tattle}${tattle}</list>`))
    expect(await driver.read(['supply', 'fan'])).toEqual([{ error: shown }, { error: shown }])
  })

  test('holds no part of the password either where the text is cut', async () => {
    const driver = await bench.open(undefined, { username: 'edge', password: 'correct horse battery staple' })
    const display = `${'x'.repeat(70)} correct horse battery staple`
    bench.server.play(answering(/./, err('obix:PermissionErr', display)))
    const [reading] = await driver.read(['supply'])
    expect(reading).toEqual({ error: expect.stringMatching(/x \*/) })
    expect(JSON.stringify(reading)).not.toContain('correct')
  })

  test('names every problem of a connection that should not have been made', () => {
    expect(() => bench.connect({ a: { href: '//evil/' } }, { mode: 'push' })).toThrow(Failure)
    expect(() => bench.connect({ a: { href: '//evil/' } }, { mode: 'push' })).toThrow(
      /^settings.mode: push must be .*; datapoints\[0\].data.href: leads away from /,
    )
  })
})
