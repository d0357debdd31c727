import { once } from 'node:events'
import { createLog } from '@plantroom/base/log'
import type { LiveDevice } from '@plantroom/contract/control-state'
import { Failure } from '@plantroom/contract/failure'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import { addPerson } from '../../organization/access/testing/people.ts'
import { createServer } from '../../platform/http/server.ts'
import { createEventStreams } from '../../platform/streams/event-stream.ts'
import { openStream } from '../../platform/streams/testing/open-stream.ts'
import { addTenant, asOperator, call, createKey, startTestCloud } from '../../testing/cloud.ts'
import { connectDevice } from '../../testing/device.ts'
import { createAsk } from './ask.ts'
import { liveRoutes } from './device-routes.ts'
import { createLiveDevices } from './live-devices.ts'

const PATH = '/api/orgs/org/devices/dev_1/live'
const STATE = { at: '2030-01-01T00:00:00.000Z', clockSuspect: false, connections: [], holds: [], overrides: [] }
const OVERRIDE = {
  datapointId: 'dp',
  value: 20,
  from: STATE.at,
  to: '2030-01-01T01:00:00.000Z',
  reqId: 'req',
  state: 'active',
}

async function start(maxStreams = 10) {
  const clock = createManualClock()
  const log = createLog('test', 'silent')
  const app = createServer({ tls: undefined, log })
  const world = { asked: 0, online: true, sessionIsOpen: true }
  app.decorateRequest('sessionIsOpen', async () => world.sessionIsOpen)
  app.decorateRequest('managedSiteIds', 'all')
  const live = createLiveDevices({
    ask: createAsk(async () => {
      world.asked += 1
      if (!world.online) throw new Failure('offline', 'the device is offline')
      return Buffer.from(JSON.stringify(STATE))
    }),
    callers: { names: async () => new Map() },
    states: { polled() {}, find: async () => undefined },
    releases: { pending: async () => [] },
    clock,
    log,
  })
  const findDevice = (id: string) => (id === 'dev_1' ? { id, organizationId: 'org', siteId: 'site' } : undefined)
  liveRoutes(app, { live, findDevice, streams: createEventStreams(app, { clock, maxStreams }) })
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    live.close()
    await app.close()
  })
  return { clock, world, base, url: base + PATH }
}

describe('the live stream of a device', () => {
  test('sends the state immediately and then every two seconds', async () => {
    const { url, clock } = await start()
    const stream = await openStream(url)
    expect(stream.response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    await eventually(() => expect(stream.events()).toEqual([{ event: 'state', data: STATE }]))
    await clock.advance(2000)
    await eventually(() => expect(stream.events()).toHaveLength(2))
  })

  test('reports why the device does not answer, and when it answers again', async () => {
    const { url, clock, world } = await start()
    world.online = false
    const stream = await openStream(url)
    const offline = { event: 'offline', data: { message: 'the device is offline' } }
    await eventually(() => expect(stream.events()).toEqual([offline]))
    await clock.advance(2000)
    await eventually(() => expect(stream.events()).toEqual([offline, offline]))
    world.online = true
    await clock.advance(2000)
    await eventually(() => expect(stream.events().at(-1)?.event).toBe('state'))
  })

  test('shares one poll with all other streams', async () => {
    const { url, clock, world } = await start()
    const first = await openStream(url)
    await eventually(() => expect(first.events()).toHaveLength(1))
    const second = await openStream(url)
    await eventually(() => expect(second.events()).toHaveLength(1))
    expect(world.asked).toBe(1)
    await clock.advance(2000)
    await eventually(() => expect([first.events().length, second.events().length]).toEqual([2, 2]))
    expect(world.asked).toBe(2)
  })

  test('stops polling when its reader disconnects', async () => {
    const { url, clock, world } = await start()
    const stream = await openStream(url)
    await eventually(() => expect(stream.events()).toHaveLength(1))
    stream.request.destroy()
    await eventually(async () => {
      await clock.advance(2000)
      expect(clock.waiting()).toEqual([])
    })
    const { asked } = world
    await clock.advance(60_000)
    expect(world.asked).toBe(asked)
  })

  test('ends with the session of its reader', async () => {
    const { url, clock, world } = await start()
    const stream = await openStream(url)
    world.sessionIsOpen = false
    const ended = once(stream.response, 'end')
    await clock.advance(15_000)
    await ended
  })

  test('is refused when the limit of open streams is reached', async () => {
    const { url } = await start(1)
    await openStream(url)
    expect((await fetch(url)).status).toBe(503)
  })

  test('does not answer HEAD, which would never end', async () => {
    const { url } = await start()
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(404)
  })

  test.each([
    ['an unknown device', '/api/orgs/org/devices/dev_2/live'],
    ['a device of another organization', '/api/orgs/other/devices/dev_1/live'],
  ])('answers 404 for %s', async (_what, path) => {
    const { base } = await start()
    expect((await fetch(base + path)).status).toBe(404)
  })
})

describe('the live stream through the whole cloud', () => {
  test('contains ids and names of all overrides for managers, only its own for a key, and no ids for a viewer', async () => {
    const cloud = await startTestCloud()
    onTestFinished(() => cloud.stop())
    const tenant = await addTenant(cloud, 'Organization')
    const { orgId, siteId, deviceId } = tenant
    const person = async (email: string, role: 'viewer' | 'manager') =>
      addPerson(cloud, orgId, email, { sites: [{ siteId, role }] })
    const viewer = await person('eve@example.com', 'viewer')
    const manager = await person('mari@example.com', 'manager')
    const key = await createKey(cloud, orgId, ['edge-device:read_write'])
    const other = await createKey(cloud, orgId, ['edge-device:read_write'])
    const placedBy = [key.id, `user:${viewer.userId}`, 'key_of_others', '']
    const overrides = placedBy.map((caller, index) => ({ ...OVERRIDE, id: `ovr_${index}`, placedBy: caller }))
    const next = { by: 'demand-response', value: 30 }
    const about = { datapointId: 'dp', by: 'demand-response', value: 20, until: '2030-01-01T00:30:00.000Z', next }
    const holds = overrides.map(({ id }) => ({ ...about, overrideId: id }))
    const device = await connectDevice(cloud.ready.mqttUrl, tenant, (command, { keyId }) =>
      command === 'getControlState' && keyId === 'operator'
        ? { status: 'ok', payload: JSON.stringify({ ...STATE, holds, overrides, overridesLeftOut: 7 }) }
        : { status: 'rejected', payload: `this device does not know the command ${command}; update its software` },
    )
    onTestFinished(() => device.close())
    const seenWith = async (headers: Record<string, string>) => {
      const stream = await openStream(`${cloud.ready.baseUrl}/api/orgs/${orgId}/devices/${deviceId}/live`, headers)
      const live = await eventually(() => {
        const latest = stream.events().findLast(({ event }) => event === 'state')?.data as LiveDevice
        expect(latest).toBeDefined()
        return latest
      })
      stream.request.destroy()
      return live
    }
    const all = [
      { id: 'ovr_0', reqId: 'req', placedBy: key.id, placedByName: 'Key' },
      { id: 'ovr_1', reqId: 'req', placedBy: `user:${viewer.userId}`, placedByName: 'eve@example.com' },
      { id: 'ovr_2', reqId: 'req', placedBy: 'key_of_others', placedByName: null },
      { id: 'ovr_3', reqId: 'req', placedBy: '', placedByName: null },
    ]
    const hidden = { id: null, reqId: null, placedBy: null, placedByName: null }
    const cases: [Record<string, string>, object[]][] = [
      [{ authorization: `Bearer ${cloud.ready.adminToken}` }, all],
      [{ cookie: manager.headers.cookie }, all],
      [{ cookie: viewer.headers.cookie }, [hidden, hidden, hidden, hidden]],
    ]
    for (const [headers, expected] of cases) {
      const live = await seenWith(headers)
      expect(live.overrides).toMatchObject(expected.map((one) => ({ ...one, value: 20, state: 'active' })))
      expect(live.holds).toMatchObject(expected.map((one) => ({ ...about, overrideId: 'id' in one && one.id })))
      expect(live.overridesLeftOut).toBe(7)
    }
    const foreign = { datapointId: 'dp', by: 'demand-response' }
    const own = await seenWith({ 'x-api-key': key.apiKey })
    expect(own.overrides).toMatchObject([all[0] ?? {}])
    const ownHold = { ...about, overrideId: 'ovr_0', until: OVERRIDE.to, next: { ...next, value: null } }
    expect(own.holds).toEqual([expect.objectContaining(ownHold), foreign, foreign, foreign])
    const { holds: held, overrides: seen, overridesLeftOut } = await seenWith({ 'x-api-key': other.apiKey })
    expect([held, seen, overridesLeftOut]).toEqual([[foreign, foreign, foreign, foreign], [], null])
    expect((await asOperator(cloud, 'GET', `/api/orgs/${orgId}/devices/dev_none/live`)).status).toBe(404)
  })

  test('begins with what a device said before it went offline, as far as each caller may see it', async () => {
    const cloud = await startTestCloud()
    onTestFinished(() => cloud.stop())
    const [ours, theirs] = [await addTenant(cloud, 'Ours'), await addTenant(cloud, 'Theirs')]
    const { orgId, siteId, deviceId } = ours
    const viewer = await addPerson(cloud, orgId, 'eve@example.com', { sites: [{ siteId, role: 'viewer' }] })
    const plain = { by: 'plain', value: 21 }
    const hold = {
      datapointId: 'dp',
      by: 'demand-response',
      value: 20,
      overrideId: 'ovr_0',
      next: plain,
      beneath: plain,
    }
    const state = { ...STATE, holds: [hold], overrides: [{ ...OVERRIDE, id: 'ovr_0', placedBy: 'key_1' }] }
    const device = await connectDevice(cloud.ready.mqttUrl, ours)
    await device.client.publishAsync(topics.state(deviceId), JSON.stringify(state), { qos: 1 })
    await device.client.publishAsync(topics.status(deviceId), JSON.stringify({ online: false, link: device.link }), {
      qos: 1,
      retain: true,
    })
    await device.close()
    const path = `/api/orgs/${orgId}/devices/${deviceId}/live`
    const seenWith = async (headers: Record<string, string>) => {
      const stream = await openStream(cloud.ready.baseUrl + path, headers)
      await eventually(() => expect(stream.events().map(({ event }) => event)).toContain('offline'))
      return stream.events()[0]
    }
    expect(await seenWith({ authorization: `Bearer ${cloud.ready.adminToken}` })).toMatchObject({
      event: 'last-known',
      data: { ageMs: expect.any(Number), state: { holds: [{ overrideId: 'ovr_0' }], overrides: [{ id: 'ovr_0' }] } },
    })
    const seen = await seenWith({ cookie: viewer.headers.cookie })
    expect(seen).toMatchObject({ event: 'last-known', data: { state: { holds: [{ value: 20, overrideId: null }] } } })
    expect(JSON.stringify(seen)).not.toMatch(/ovr_0|key_1/)
    const key = await createKey(cloud, orgId, ['edge-device:read_write'])
    expect(await seenWith({ 'x-api-key': key.apiKey })).toMatchObject({
      event: 'last-known',
      data: { state: { holds: [{ datapointId: 'dp', by: 'demand-response' }], overrides: [] } },
    })
    const theirKey = await createKey(cloud, theirs.orgId, ['edge-device:read_write'])
    for (const org of [orgId, theirs.orgId]) {
      const answer = await call(cloud, 'GET', path.replace(orgId, org), { headers: { 'x-api-key': theirKey.apiKey } })
      expect(answer.status).toBe(403)
    }
  })

  test('does not begin with a current state when the device has fallen silent and still counts as online', async () => {
    const cloud = await startTestCloud()
    onTestFinished(() => cloud.stop())
    const tenant = await addTenant(cloud, 'Organization')
    let isSilent = false
    const device = await connectDevice(cloud.ready.mqttUrl, tenant, (command) =>
      isSilent || command !== 'getControlState' ? undefined : { status: 'ok', payload: JSON.stringify(STATE) },
    )
    onTestFinished(() => device.close())
    const url = `${cloud.ready.baseUrl}/api/orgs/${tenant.orgId}/devices/${tenant.deviceId}/live`
    const operator = { authorization: `Bearer ${cloud.ready.adminToken}` }
    const first = await openStream(url, operator)
    const kinds = (stream: typeof first) => stream.events().map(({ event }) => event)
    await eventually(() => expect(kinds(first)).toContain('state'))
    isSilent = true
    await eventually(() => expect(kinds(first)).toContain('last-known'))
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/devices`)
    expect(body.devices).toMatchObject([{ online: true }])
    const second = await openStream(url, operator)
    await eventually(() => expect(kinds(second)).not.toEqual([]))
    expect(second.events()[0]).toMatchObject({ event: 'last-known', data: { state: STATE } })
    expect(kinds(second)).not.toContain('state')
    isSilent = false
    await eventually(() => expect(kinds(second)).toContain('state'))
  })

  test('contains nothing of a device of another organization', async () => {
    const cloud = await startTestCloud()
    onTestFinished(() => cloud.stop())
    const [ours, theirs] = [await addTenant(cloud, 'Ours'), await addTenant(cloud, 'Theirs')]
    const theirKey = await createKey(cloud, theirs.orgId, ['edge-device:read_write'])
    for (const tenant of [ours, theirs]) {
      const overrides = [{ ...OVERRIDE, id: `ovr_of_${tenant.orgId}`, placedBy: theirKey.id }]
      const payload = JSON.stringify({ ...STATE, overrides })
      const device = await connectDevice(cloud.ready.mqttUrl, tenant, () => ({ status: 'ok', payload }))
      onTestFinished(() => device.close())
    }
    const path = (orgId: string, deviceId: string) => `/api/orgs/${orgId}/devices/${deviceId}/live`
    const headers = { 'x-api-key': (await createKey(cloud, ours.orgId, ['edge-device:read_write'])).apiKey }
    const operator = { authorization: `Bearer ${cloud.ready.adminToken}` }
    const stream = await openStream(cloud.ready.baseUrl + path(ours.orgId, ours.deviceId), operator)
    const latest = await eventually(() => {
      const state = stream.events().findLast(({ event }) => event === 'state')?.data as LiveDevice
      expect(state).toBeDefined()
      return state
    })
    // The name of a foreign key stays hidden, even when a device sends its id.
    expect(latest.overrides).toMatchObject([{ placedByName: null }])
    expect(stream.text()).not.toContain(`ovr_of_${theirs.orgId}`)
    for (const orgId of [ours.orgId, theirs.orgId]) {
      expect((await call(cloud, 'GET', path(orgId, theirs.deviceId), { headers })).status).toBe(403)
    }
  })
})
