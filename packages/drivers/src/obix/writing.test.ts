import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { airHandlingUnit, type Bench, failure, startBench } from './testing/bench.ts'
import { answering, type Trick } from './testing/server.ts'

let bench: Bench
beforeEach(async () => {
  bench = await startBench(airHandlingUnit())
})
afterEach(() => bench.stop())

describe('writing', () => {
  test('with PUT uses the type that the server showed', async () => {
    const driver = await bench.open()
    await driver.read(['supply', 'stage', 'fan'])
    await driver.write('supply', 20.5)
    await driver.write('stage', 4)
    await driver.write('fan', 0)
    expect(bench.server.requests.slice(-3).map(({ method, body }) => `${method} ${body}`)).toEqual([
      'PUT <real val="20.5"/>',
      'PUT <int val="4"/>',
      'PUT <bool val="false"/>',
    ])
    expect([bench.held('supply'), bench.held('stage'), bench.held('fan')]).toEqual(['20.5', '4', 'false'])
    expect(await driver.read(['fan'])).toEqual([{ raw: 0 }])
  })

  test('uses the commissioned type, or real if nothing was read yet', async () => {
    const driver = await bench.open({
      stage: { href: 'points/stage/', type: 'int' },
      supply: { href: 'points/supply/' },
    })
    await driver.write('stage', 2n)
    await driver.write('supply', 19)
    expect([bench.held('stage'), bench.held('supply')]).toEqual(['2', '19'])
    expect(driver.nearest('stage', 2.5)).toBe(3)
    expect(driver.nearest('supply', 2.5)).toBe(2.5)
  })

  test('with writePoint uses the operation of the point, and looks it up once', async () => {
    bench.server.points.set('set', { tag: 'real', val: '1', writable: true, writePoint: 'href="writePoint"' })
    const driver = await bench.open({ set: { href: 'points/set/', write: 'writePoint' } })
    await driver.write('set', 2)
    await driver.write('set', 3)
    expect(bench.held('set')).toBe('3')
    expect(bench.asked().slice(1)).toEqual([
      'GET /obix/points/set/',
      'POST /obix/points/set/writePoint',
      'POST /obix/points/set/writePoint',
    ])
    expect(bench.server.requests.at(-1)?.body).toBe('<obj is="obix:WritePointIn"><real name="value" val="3"/></obj>')
  })

  test.each([
    ['points/set', 'href="/obix/points/other/writePoint"', '/obix/points/other/writePoint'],
    ['points/set', '', '/obix/points/set/writePoint'],
    ['points/nothing', '', '/obix/points/nothing/writePoint'],
  ])('with writePoint of %s with %s uses %s', async (href, writePoint, path) => {
    bench.server.points.set('set', { tag: 'real', val: '1', writable: true, writePoint })
    bench.server.points.set('other', { tag: 'real', val: '1', writable: true })
    const driver = await bench.open({ set: { href, write: 'writePoint', accessType: 'WRITE' } })
    await driver.write('set', 2).catch(() => {})
    expect(bench.asked().at(-1)).toBe(`POST ${path}`)
  })

  test('with writePoint never follows the point to another server', async () => {
    bench.server.points.set('set', { tag: 'real', val: '1', writable: true, writePoint: 'href="http://10.9.9.9/w"' })
    const driver = await bench.open({ set: { href: 'points/set/', write: 'writePoint' } })
    const message = 'set: the server has its writePoint on another server, which is not used'
    await expect(driver.write('set', 2)).rejects.toEqual(failure('rejected', message))
  })

  test.each([
    ['<op name="set" href="set/" in="obix:real"/>', 'POST /obix/points/set/set/', '<real val="2"/>'],
    ['<op name="set"/>', 'POST /obix/points/set/set', '<real val="2"/>'],
    ['<op name="set" href="set/"/><op name="writePoint" href="w/"/>', 'POST /obix/points/set/w/', /WritePointIn/],
    ['<real name="set" href="set/" val="1"/>', 'POST /obix/points/set/writePoint', /WritePointIn/],
  ])('with writePoint of a point with %s sends %s', async (children, question, body) => {
    const driver = await bench.open({ set: { href: 'points/set/', write: 'writePoint' } })
    bench.server.play(answering(/./, `<real val="1">${children}</real>`))
    await driver.write('set', 2)
    expect(bench.asked().at(-1)).toBe(question)
    expect(bench.server.requests.at(-1)?.body).toMatch(body)
  })

  test('with set never follows the point to another server either', async () => {
    const driver = await bench.open({ set: { href: 'points/set/', write: 'writePoint' } })
    bench.server.play(answering(/./, '<real val="1"><op name="set" href="http://10.9.9.9/set/"/></real>'))
    const message = 'set: the server has its set on another server, which is not used'
    await expect(driver.write('set', 2)).rejects.toEqual(failure('rejected', message))
  })

  test('is rejected if the server refuses it: nothing was written', async () => {
    const driver = await bench.open()
    const message = 'outside: the server reports obix:PermissionErr: /obix/points/outside/ is read-only'
    await expect(driver.write('outside', 1)).rejects.toEqual(failure('rejected', message))
    for (const status of [302, 400, 403, 404, 405, 501, 503]) {
      bench.server.play(answering(/PUT/, '', status))
      await expect(driver.write('supply', 1)).rejects.toEqual(
        failure('rejected', new RegExp(`^supply: the server answered ${status}`)),
      )
    }
  })

  test.each<[string, Trick]>([
    ['a failure of the server', answering(/PUT/, '', 500)],
    ['a page', answering(/PUT/, '<html><br></html>')],
    ['a reset', (_, response) => response.socket?.resetAndDestroy()],
  ])('is offline after %s: the outcome is unknown', async (_, trick) => {
    const driver = await bench.open()
    bench.server.play(trick)
    await expect(driver.write('supply', 1)).rejects.toEqual(failure('offline', /./))
  })

  test.each<[string, string, number]>([
    ['no body', '', 204],
    ['a null object', '<obj null="true"/>', 200],
  ])('is done after one request that the server confirms with %s', async (_, body, status) => {
    const driver = await bench.open()
    bench.server.requests.length = 0
    bench.server.play(answering(/PUT/, body, status))
    await expect(driver.write('supply', 1)).resolves.toBeUndefined()
    expect(bench.server.requests).toMatchObject([
      { method: 'PUT', path: '/obix/points/supply/', body: '<real val="1"/>' },
    ])
  })

  test('does not wait for reads', async () => {
    const driver = await bench.open()
    const stuck = bench.whenAsked('POST /obix/batch/', ({ method }, _, obey) => method === 'PUT' && obey())
    const reading = driver.read(['supply', 'fan'])
    reading.catch(() => {})
    await stuck
    await driver.write('supply', 18)
    expect(bench.held('supply')).toBe('18')
  })

  test('rejects an unsuitable value, a read-only point and an unknown point without a request', async () => {
    const driver = await bench.open({
      stage: { href: 'points/stage/', type: 'int' },
      ro: { href: 'x', accessType: 'READ' },
    })
    bench.server.requests.length = 0
    await expect(driver.write('stage', 1.5)).rejects.toEqual(failure('rejected', /^1.5 does not fit int/))
    await expect(driver.write('ro', 1)).rejects.toEqual(failure('rejected', 'ro can only be read'))
    await expect(driver.write('nobody', 1)).rejects.toEqual(
      failure('rejected', 'nobody is not a datapoint of this connection'),
    )
    expect(() => driver.nearest('ro', 1)).toThrow('ro can only be read')
    expect(bench.asked()).toEqual([])
  })
})

describe('restoring', () => {
  test.each([
    ['put', 'NaN', 'PUT', '<real val="NaN"/>'],
    ['put', '-0', 'PUT', '<real val="-0"/>'],
    ['writePoint', 'INF', 'POST', '<obj is="obix:WritePointIn"><real name="value" val="INF"/></obj>'],
  ])('with %s restores a point exactly: %s', async (write, val, method, body) => {
    bench.server.points.set('supply', { tag: 'real', val, writable: true, writePoint: '' })
    const driver = await bench.open({ supply: { href: 'points/supply/', write } })
    const [before] = await driver.read(['supply'], { urgent: true })
    await driver.write('supply', 20)
    expect(bench.held('supply')).toBe('20')
    await driver.write('supply', { image: before?.image ?? expect.fail('no image') }, { release: true })
    expect(bench.held('supply')).toBe(val)
    expect(bench.server.requests.at(-1)).toMatchObject({ method, body })
    expect(await driver.read(['supply'])).toEqual([before])
  })

  test('rejects a damaged image, and sends nothing', async () => {
    const driver = await bench.open()
    bench.server.requests.length = 0
    await expect(driver.write('supply', { image: '{"tag":"real"' })).rejects.toEqual(
      failure('rejected', /^the stored value .* is damaged; nothing was sent$/),
    )
    expect(bench.asked()).toEqual([])
  })

  test('makes images only for writable points', async () => {
    bench.server.points.set('supply', { tag: 'real', val: 'NaN' })
    const driver = await bench.open({ supply: { href: 'points/supply/', accessType: 'READ' } })
    expect(await driver.read(['supply'])).toEqual([{ error: 'the server sent NaN, which is not a valid real' }])
  })
})
