import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { createLog } from '@plantroom/base/log'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServer } from '../http/server.ts'
import { addTenant, asOperator, startTestCloud } from '../testing/cloud.ts'
import { connectDevice } from '../testing/device.ts'
import { broadcastRoutes } from './broadcast-routes.ts'
import { createBroadcasts } from './broadcasts.ts'

const PATH = '/api/orgs/org/devices/dev_1/broadcasts'
const value = { value: 21.5, timestamp: '2026-01-31T12:00:00.000Z' }
const EVENT = `event: values\ndata: ${JSON.stringify({ values: { dp_1: value } })}\n\n`

interface Stream {
  request: ClientRequest
  response: IncomingMessage
  /** All that has come. */
  text(): string
}

async function openStream(url: string, headers: Record<string, string> = {}): Promise<Stream> {
  const asked = request(url, { headers, agent: false }).end()
  asked.on('error', () => {})
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  let text = ''
  response.on('data', (chunk: Buffer) => {
    text += chunk
  })
  onTestFinished(() => void asked.destroy())
  return { request: asked, response, text: () => text }
}

/** Broadcasts of half a megabyte, each in a turn of its own. */
async function sendMuch(send: (values: object) => void, count: number): Promise<void> {
  const large = { dp_1: { ...value, error: 'x'.repeat(500_000) } }
  for (let times = 0; times < count; times += 1) {
    send(large)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function start() {
  const clock = createManualClock()
  const broadcasts = createBroadcasts()
  const app = createServer({ tls: undefined, log: createLog('test', 'silent') })
  const findDevice = (deviceId: string) => (deviceId === 'dev_1' ? { organizationId: 'org' } : undefined)
  broadcastRoutes(app, { broadcasts, findDevice, clock })
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const send = (values: object = { dp_1: value }) =>
    broadcasts.receive('dev_1', Buffer.from(JSON.stringify({ values })))
  return { clock, broadcasts, app, base, url: base + PATH, send }
}

describe('a stream of broadcasts', () => {
  test('begins at once, and has every broadcast of the device as an event', async () => {
    const { url, send } = await start()
    const stream = await openStream(url)
    expect(stream.response.statusCode).toBe(200)
    expect(stream.response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    send()
    send()
    await eventually(() => expect(stream.text()).toBe(`:\n\n${EVENT}${EVENT}`))
  })

  test('gives a sign of life every 15 seconds', async () => {
    const { url, clock } = await start()
    const stream = await openStream(url)
    await clock.advance(14_999)
    await clock.advance(1)
    await clock.advance(15_000)
    await eventually(() => expect(stream.text()).toBe(':\n\n:\n\n:\n\n'))
  })

  test('leaves nothing behind when its reader goes', async () => {
    const { url, clock, send } = await start()
    const stream = await openStream(url)
    expect(clock.waiting()).toHaveLength(1)
    stream.request.destroy()
    await eventually(() => expect(clock.waiting()).toEqual([]))
    send()
  })

  test('ends when the server closes, which does not wait for it', async () => {
    const { app, url, clock, send } = await start()
    const streams = [await openStream(url), await openStream(url)]
    const ended = Promise.all(streams.map(({ response }) => once(response, 'end')))
    const closed = app.close()
    send()
    await Promise.all([ended, closed])
    expect(clock.waiting()).toEqual([])
  })

  test('of which nobody reads the end does not hold the server up either', async () => {
    const { app, url, clock, send } = await start()
    const stream = await openStream(url)
    stream.response.pause()
    await sendMuch(send, 60)
    await app.close()
    await eventually(() => expect(clock.waiting()).toEqual([]))
  })

  test('that is read too slowly misses broadcasts: nothing is gathered for it', async () => {
    const { url, send } = await start()
    const stream = await openStream(url)
    stream.response.pause()
    await sendMuch(send, 200)
    stream.response.resume()
    await eventually(() => {
      send()
      expect(stream.text().endsWith(EVENT)).toBe(true)
    })
    // What the kernel holds on the way, and no more.
    expect(stream.text().split('event: values').length).toBeLessThan(60)
  })

  test('of a reader that takes nothing for two heartbeats is given up: it is gone and never said so', async () => {
    const { url, clock, send } = await start()
    const stream = await openStream(url)
    stream.response.pause()
    await eventually(async () => {
      await sendMuch(send, 10)
      await clock.advance(15_000)
      expect(clock.waiting()).toEqual([])
    })
  })

  test('is one of a hundred: the next is 503, until one goes', async () => {
    const { url } = await start()
    const streams = await Promise.all(Array.from({ length: 100 }, () => openStream(url)))
    const refused = await fetch(url)
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('100 streams') })
    streams[0]?.request.destroy()
    await eventually(async () => expect((await openStream(url)).response.statusCode).toBe(200))
  })

  test('is for GET alone: a HEAD would never end', async () => {
    const { url } = await start()
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(404)
  })

  test.each([
    ['an unknown device', '/api/orgs/org/devices/dev_2/broadcasts'],
    ['a device of another organization', '/api/orgs/other/devices/dev_1/broadcasts'],
  ])('of %s is 404', async (_what, path) => {
    const { base } = await start()
    expect((await fetch(base + path)).status).toBe(404)
  })
})

describe('a broadcast of a device', () => {
  test('reaches the operator through the whole cloud, and a cloud that stops ends the stream', async () => {
    const cloud = await startTestCloud()
    let running = true
    const stop = async () => {
      if (running) await cloud.stop()
      running = false
    }
    onTestFinished(stop)
    const tenant = await addTenant(cloud, 'Organization')
    const path = `/api/orgs/${tenant.orgId}/devices/${tenant.deviceId}/broadcasts`
    const stream = await openStream(cloud.ready.baseUrl + path, { authorization: `Bearer ${cloud.ready.adminToken}` })
    const device = await connectDevice(cloud.ready.mqttUrl, tenant)
    device.client.publish(topics.broadcast(tenant.deviceId), JSON.stringify({ values: { dp_1: value } }))
    await eventually(() => expect(stream.text()).toContain(EVENT))
    await device.close()
    expect((await asOperator(cloud, 'GET', '/api/orgs')).status).toBe(200)
    await Promise.all([once(stream.response, 'end'), stop()])
  })
})
