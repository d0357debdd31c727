import { once } from 'node:events'
import { createLog } from '@plantroom/base/log'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import { addPerson } from '../access/testing/people.ts'
import { createServer } from '../http/server.ts'
import { createEventStreams } from '../streams/event-stream.ts'
import { openStream } from '../streams/testing/open-stream.ts'
import { addTenant, asOperator, call, startTestCloud } from '../testing/cloud.ts'
import { connectDevice } from '../testing/device.ts'
import { broadcastRoutes } from './broadcast-routes.ts'
import { createBroadcasts } from './broadcasts.ts'

const PATH = '/api/orgs/org/devices/dev_1/broadcasts'
const value = { value: 21.5, timestamp: '2026-01-31T12:00:00.000Z' }
const EVENT = `event: values\ndata: ${JSON.stringify({ values: { dp_1: value } })}\n\n`

async function start() {
  const clock = createManualClock()
  const broadcasts = createBroadcasts()
  const app = createServer({ tls: undefined, log: createLog('test', 'silent') })
  const findDevice = (deviceId: string) => (deviceId === 'dev_1' ? { organizationId: 'org' } : undefined)
  broadcastRoutes(app, { broadcasts, findDevice, streams: createEventStreams(app, { clock }) })
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const send = (values: object = { dp_1: value }) =>
    broadcasts.receive('dev_1', Buffer.from(JSON.stringify({ values })))
  return { clock, broadcasts, app, base, url: base + PATH, send }
}

describe('a stream of broadcasts', () => {
  test('starts immediately and sends every broadcast as an event', async () => {
    const { url, send } = await start()
    const stream = await openStream(url)
    expect(stream.response.statusCode).toBe(200)
    expect(stream.response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    send()
    send()
    await eventually(() => expect(stream.text()).toBe(`:\n\n${EVENT}${EVENT}`))
  })

  test('leaves no timer behind when its reader disconnects', async () => {
    const { url, clock, send } = await start()
    const stream = await openStream(url)
    expect(clock.waiting()).toHaveLength(1)
    stream.request.destroy()
    await eventually(() => expect(clock.waiting()).toEqual([]))
    send()
  })

  test('does not answer HEAD, which would never end', async () => {
    const { url } = await start()
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(404)
  })

  test.each([
    ['an unknown device', '/api/orgs/org/devices/dev_2/broadcasts'],
    ['a device of another organization', '/api/orgs/other/devices/dev_1/broadcasts'],
  ])('answers 404 for %s', async (_what, path) => {
    const { base } = await start()
    expect((await fetch(base + path)).status).toBe(404)
  })
})

describe('a broadcast of a device', () => {
  test('reaches the operator through the whole cloud, and the stream ends when the cloud stops', async () => {
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

  test('does not reach followers of another organization', async () => {
    const cloud = await startTestCloud()
    onTestFinished(() => cloud.stop())
    const [ours, theirs] = [await addTenant(cloud, 'Ours'), await addTenant(cloud, 'Theirs')]
    const path = (orgId: string, deviceId: string) => `/api/orgs/${orgId}/devices/${deviceId}/broadcasts`
    const { headers } = await addPerson(cloud, ours.orgId, 'eve@example.com', { role: 'admin' })
    const stream = await openStream(cloud.ready.baseUrl + path(ours.orgId, ours.deviceId), { cookie: headers.cookie })
    for (const tenant of [theirs, ours]) {
      const device = await connectDevice(cloud.ready.mqttUrl, tenant)
      const values = { [`dp_of_${tenant.orgId}`]: value }
      await device.client.publishAsync(topics.broadcast(tenant.deviceId), JSON.stringify({ values }), { qos: 1 })
      await device.close()
    }
    await eventually(() => expect(stream.text()).toContain(`dp_of_${ours.orgId}`))
    expect(stream.text()).not.toContain(theirs.orgId)
    for (const orgId of [ours.orgId, theirs.orgId]) {
      expect((await call(cloud, 'GET', path(orgId, theirs.deviceId), { headers })).status).toBe(403)
    }
  })
})
