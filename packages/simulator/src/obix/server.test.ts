import { request as httpRequest } from 'node:http'
import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock, type ManualClock } from '@plantroom/testkit/manual-clock'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type LiveBuilding, startBuilding } from '../building/live-building.ts'
import { type ObixServer, startObixServer } from './server.ts'
import { parseXml } from './xml.ts'

let clock: ManualClock
let building: LiveBuilding
let server: ObixServer

const start = (login?: string, port = 0) =>
  startObixServer({ host: '127.0.0.1', port, login, building, faults: {}, clock, log: createLog('test', 'silent') })

beforeEach(async () => {
  clock = createManualClock()
  building = startBuilding({ clock, seed: 1 })
  server = await start()
})

afterEach(async () => {
  building.stop()
  await server.stop()
})

const url = (path: string) => `http://127.0.0.1:${server.port}${path}`

async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(url(path), init)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/xml; charset=utf-8')
  return parseXml(await response.text())
}

describe('an oBIX server on HTTP', () => {
  test('shows the address of its lobby as the client used it', async () => {
    expect(await ask('/obix/')).toMatchObject({ attributes: { is: 'obix:Lobby', href: url('/obix/') } })
  })

  test('reads with GET, and ignores the query', async () => {
    expect(await ask('/obix/points/extractAir/?x=1')).toMatchObject({
      tag: 'real',
      attributes: { val: '21', href: url('/obix/points/extractAir/') },
    })
  })

  test('writes with PUT and with writePoint', async () => {
    const supplyAir = '/obix/points/supplyAir/'
    expect(await ask(supplyAir, { method: 'PUT', body: '<real val="19"/>' })).toMatchObject({
      attributes: { val: '19' },
    })
    const body = '<?xml version="1.0"?><obj is="obix:WritePointIn"><real name="value" val="20"/></obj>'
    expect(await ask(`${supplyAir}writePoint/`, { method: 'POST', body })).toMatchObject({ attributes: { val: '20' } })
    expect(building.now().airHandler.setpointC).toBe(20)
  })

  test('creates a watch without a body', async () => {
    const { attributes } = await ask('/obix/watchService/make/', { method: 'POST' })
    expect(attributes.href).toMatch(/^http:.*\/obix\/watches\/\d+\/$/)
    expect(await ask(new URL('pollChanges/', attributes.href).pathname, { method: 'POST' })).toMatchObject({
      attributes: { is: 'obix:WatchOut' },
    })
  })

  test.each([
    ['/obix/nothing/', {}, 'obix:BadUriErr'],
    ['/obix/%00/', {}, 'obix:BadUriErr'],
    ['/obix/', { method: 'DELETE' }, 'obix:UnsupportedErr'],
    ['/obix/points/supplyAir/', { method: 'PUT', body: '<real val=' }, undefined],
    ['/obix/points/supplyAir/', { method: 'PUT', body: '<!DOCTYPE a [<!ENTITY b "1">]><real val="&b;"/>' }, undefined],
    ['/obix/points/supplyAir/', { method: 'PUT' }, undefined],
  ])('answers an impossible request with an err: %s %j', async (path, init, is) => {
    const { tag, attributes } = await ask(path, init)
    expect([tag, attributes.is]).toEqual(['err', is])
  })

  test('does not read a request that is too long', async () => {
    const body = `<real val="20" display="${'x'.repeat(1_000_000)}"/>`
    const refused = await fetch(url('/obix/points/supplyAir/'), { method: 'PUT', body }).then(
      ({ status }) => status,
      () => 413,
    )
    expect(refused).toBe(413)
    expect(building.now().airHandler.setpointC).toBe(21)
  })

  test('requires the configured login', async () => {
    await server.stop()
    server = await start('ahu:with:colons')
    const as = (login: string) => ({ headers: { Authorization: `Basic ${Buffer.from(login).toString('base64')}` } })
    expect(await ask('/obix/', as('ahu:with:colons'))).toMatchObject({ attributes: { is: 'obix:Lobby' } })
    for (const init of [{}, as('ahu:wrong'), as('ahu'), { headers: { Authorization: 'ahu:with:colons' } }]) {
      const response = await fetch(url('/obix/'), init)
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe('Basic realm="oBIX"')
    }
  })

  test('does not start on a port that is in use', async () => {
    await expect(start(undefined, server.port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})

describe('an oBIX server that misbehaves', () => {
  test('answers everything with an err until the fault ends', async () => {
    server.misbehave({ err: 1 })
    for (const path of ['/obix/', '/obix/points/supplyAir/']) expect((await ask(path)).tag).toBe('err')
    server.misbehave({})
    expect((await ask('/obix/')).tag).toBe('obj')
  })

  test('closes the connection', async () => {
    server.misbehave({ reset: 1 })
    await expect(fetch(url('/obix/'))).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  })

  test('answers late', async () => {
    server.misbehave({ late: 1500 })
    let answered = false
    const answer = ask('/obix/').finally(() => {
      answered = true
    })
    await eventually(() => expect(clock.waiting()).toContain(1500))
    await clock.advance(1499)
    expect(answered).toBe(false)
    await clock.advance(1)
    expect((await answer).tag).toBe('obj')
  })

  test('sends a body of the configured size', async () => {
    server.misbehave({ 'huge-body': 2 })
    const { length } = await (await fetch(url('/obix/'))).text()
    expect(length).toBeGreaterThan(2_000_000)
  })

  test('stops sending when its client disconnects, and serves the next one', async () => {
    server.misbehave({ 'huge-body': 10_000 })
    await new Promise<void>((resolve, reject) => {
      const request = httpRequest(url('/obix/'), (response) => {
        response.once('data', () => request.destroy())
        response.once('close', resolve)
        response.on('error', () => {})
      })
      request.on('error', reject)
      request.end()
    })
    server.misbehave({})
    expect((await ask('/obix/')).tag).toBe('obj')
  })

  test('has watches that end after a second', async () => {
    server.misbehave({ lease: 1 })
    const { attributes } = await ask('/obix/watchService/make/', { method: 'POST' })
    const watch = new URL(attributes.href ?? '').pathname
    expect((await ask(watch)).tag).toBe('obj')
    await clock.advance(1000)
    expect((await ask(watch)).tag).toBe('err')
  })
})
