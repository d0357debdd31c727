import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { addTenant, asOperator, call, createKey, startTestCloud } from '../../testing/cloud.ts'
import { type Answering, connectDevice } from '../../testing/device.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
beforeAll(async () => {
  cloud = await startTestCloud()
})
afterAll(() => cloud?.stop())

const FILE = {
  technicalSystem: 'Room',
  connections: [
    {
      name: 'Inverter',
      protocol: 'modbus-tcp',
      settings: { host: '127.0.0.1', port: 1 },
      datapoints: [
        { name: 'Power', accessType: 'READ_WRITE', data: { register: 1, type: 'int16' } },
        { name: 'Grid', accessType: 'READ', unit: 'kW', data: { register: 2, type: 'int16' } },
      ],
    },
  ],
  powerLimit: {
    ...{ meter: 'Grid', guaranteedKw: 4 },
    loads: [{ datapoint: 'Power', kind: 'modulating', priority: 1, minKw: -50, maxKw: 50 }],
  },
}

const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

const NOTE = { seq: 7, placedByName: 'N', reason: '' }

const powerLimitOf = (meterId: string) => ({
  ...{ meterId, state: 'limited', importKw: 60, exportKw: null, meterKw: 50, meanKw: 50, moved: [] },
  limits: [
    {
      ...{ id: 'lim_1', direction: 'import', kw: 60, from: at(-60), to: at(600), averagingSeconds: 900 },
      ...{ reqId: 'l', placedBy: 'key_1', state: 'active' },
    },
  ],
})

/** A commissioned device that held `Power` for an override, and has lost power since. */
async function deadDevice() {
  const tenant = await addTenant(cloud, crypto.randomUUID())
  const { orgId, deviceId } = tenant
  const path = `/api/orgs/${orgId}/devices/${deviceId}`
  const get = async () => (await asOperator(cloud, 'GET', `${path}/replacement`)).body
  const replace = (body = {}) => asOperator(cloud, 'POST', `${path}/replacement`, body)
  const connect = async (deviceSecret: string, answering?: Answering) => {
    const device = await connectDevice(cloud.ready.mqttUrl, { deviceId, deviceSecret }, answering)
    onTestFinished(() => device.close())
    return device
  }
  const ok: Answering = (command) => ({
    status: 'ok',
    payload: command === 'placeLimit' ? '{"id":"lim_1","meterId":"m"}' : '{}',
  })
  const old = await connect(tenant.deviceSecret, ok)
  const { body } = await eventually(async () => {
    const answer = await asOperator(cloud, 'PUT', `${path}/commissioning`, FILE)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer
  })
  const [{ datapoints }] = body.connections as [{ datapoints: [{ id: string }, { id: string }] }]
  const [{ id: datapointId }, { id: meterId }] = datapoints
  const window = { datapointId, value: 20, from: at(-60), to: at(600), reqId: 'r', placedBy: 'key_1' }
  const plain = { by: 'plain', value: 10 }
  const hold = { datapointId, by: 'demand-response', value: 20, overrideId: 'ovr_1', until: at(600), next: plain }
  const state = {
    ...{ at: at(0), clockSuspect: false, connections: [] },
    holds: [{ ...hold, beneath: plain, trouble: null, troubleReason: null }],
    overrides: [{ id: 'ovr_1', ...window, state: 'active' }],
    powerLimit: powerLimitOf(meterId),
    notes: { plain: { [datapointId]: { raw: 100 } }, overrides: { ovr_1: NOTE }, limits: { lim_1: NOTE } },
  }
  const say = (device: typeof old, what: object) => device.client.publish(topics.state(deviceId), JSON.stringify(what))
  say(old, state)
  await eventually(async () => expect((await get()).overrides).toHaveLength(1))
  const empty = { ...state, holds: [], overrides: [], powerLimit: undefined, notes: undefined }
  return { ...tenant, datapointId, old, get, replace, connect, empty, say }
}

describe('the replacement of a controller', () => {
  test('is refused while it is online, shows why a new one could not take over, and then gives it everything', async () => {
    const { old, orgId, deviceId, deviceSecret, datapointId, get, replace, connect } = await deadDevice()
    expect(await replace()).toMatchObject({ status: 409, body: { message: expect.stringContaining('is online') } })
    old.vanish()
    await eventually(async () => expect((await get()).online).toBe(false))
    const { status, body } = await replace()
    expect([status, body.replacement]).toMatchObject([
      201,
      { status: 'waiting', overrides: [{ id: 'ovr_1' }], limits: [{ id: 'lim_1' }] },
    ])
    await expect(connect(deviceSecret)).rejects.toThrow()

    const inUse = await connect(String(body.secret), () => ({ status: 'rejected', payload: 'it is not empty' }))
    await eventually(async () => expect((await get()).problem).toBe('it is not empty'))
    inUse.vanish()
    const parts: Record<string, unknown>[] = []
    await connect(String(body.secret), (command, { data }) => {
      if (command === 'restore') parts.push(data as Record<string, unknown>)
      const outcome = parts.length === (data as { parts?: number }).parts ? 'restored' : 'waiting'
      return { status: 'ok', payload: JSON.stringify({ outcome }) }
    })
    await eventually(async () => expect(await get()).toMatchObject({ status: 'restored', problem: null }))
    expect(parts.map(({ part }) => part)).toEqual([1, 2, 3])
    expect(parts[0]).toMatchObject({ technicalSystem: { name: 'Room' } })
    expect(parts[2]).toMatchObject({
      control: {
        overrides: [{ id: 'ovr_1', datapointId, value: 20, applied: true, placedByName: 'N' }],
        holds: [{ datapointId, overrideId: 'ovr_1', plain: { raw: 100 }, plainValue: 10 }],
        limits: [{ id: 'lim_1', kw: 60, applied: true, seq: 7, placedBy: 'key_1', placedByName: 'N' }],
        audit: null,
      },
    })
    const { body: log } = await asOperator(cloud, 'GET', `/api/orgs/${orgId}/activity`)
    const actions = (log.entries as { action: string; subject: { id: string } | null }[]).filter(
      ({ subject }) => subject?.id === deviceId,
    )
    expect(actions.map(({ action }) => action).slice(0, 2)).toEqual(['device-restored', 'device-replaced'])
  })

  test('that is repeated before the new controller took over still gives what the first one held', async () => {
    const { get, replace, connect, old, say, empty } = await deadDevice()
    old.vanish()
    await eventually(async () => expect((await get()).online).toBe(false))
    const { body } = await replace()
    const silent = await connect(String(body.secret))
    say(silent, empty)
    await eventually(async () => expect((await get()).online).toBe(true))
    const again = await replace({ evenIfOnline: true })
    expect(again.body.replacement).toMatchObject({ status: 'waiting', overrides: [{ id: 'ovr_1' }] })
  })

  test('does not give back what a person released while the old controller was away', async () => {
    const { orgId, deviceId, get, old } = await deadDevice()
    old.vanish()
    await eventually(async () => expect((await get()).online).toBe(false))
    const path = `/api/orgs/${orgId}/devices/${deviceId}/overrides/ovr_1/release`
    expect((await asOperator(cloud, 'POST', path, {})).body).toEqual({ pending: true })
    expect(await get()).toMatchObject({ overrides: [], leftOut: [{ id: 'ovr_1', reason: 'cancelled' }] })
  })

  test('does not give back a power limit that was released while the old controller was away', async () => {
    const { orgId, deviceId, get, old } = await deadDevice()
    const path = `/api/orgs/${orgId}/limits`
    const headers = { 'x-api-key': (await createKey(cloud, orgId, ['edge-device:read_write'])).apiKey }
    const body = {
      ...{ idempotencyKey: crypto.randomUUID(), deviceIds: [deviceId], direction: 'import', kw: 60 },
      ...{ from: at(0), to: at(600), averagingSeconds: 900 },
    }
    const placed = await call(cloud, 'POST', path, { headers, body })
    expect(placed.status, JSON.stringify(placed.body)).toBe(201)
    const one = `${path}/${placed.body.id}`
    await eventually(async () =>
      expect((await asOperator(cloud, 'GET', one)).body.counts).toMatchObject({ accepted: 1 }),
    )
    expect(await get()).toMatchObject({ limits: [{ id: 'lim_1' }], leftOut: [], unknownOverrides: 0 })
    old.vanish()
    await eventually(async () => expect((await get()).online).toBe(false))
    expect((await asOperator(cloud, 'DELETE', one)).status).toBeLessThan(300)
    expect(await get()).toMatchObject({ limits: [], leftOut: [{ id: 'lim_1', reason: 'cancelled' }] })
  })

  test('is not needed for a controller that lost its memory: it gets back what it had, once', async () => {
    const { orgId, deviceId, deviceSecret, get, old, connect, say, empty } = await deadDevice()
    old.vanish()
    await eventually(async () => expect((await get()).online).toBe(false))
    const parts: Record<string, unknown>[] = []
    const returned = await connect(deviceSecret, (command, { data }) => {
      if (command === 'restore') parts.push(data as Record<string, unknown>)
      const outcome = parts.length === (data as { parts?: number }).parts ? 'restored' : 'waiting'
      return { status: 'ok', payload: JSON.stringify({ outcome }) }
    })
    const memory = { id: 'mem_2', run: 'run_2', from: 1, count: 2 }
    say(returned, { ...empty, memory })
    await eventually(async () => expect(await get()).toMatchObject({ status: 'restored' }), 30_000)
    say(returned, { ...empty, memory: { ...memory, count: 9 } })
    expect(parts.map(({ part, memory: own }) => [part, own])).toEqual(
      [1, 2, 3].map((part) => [part, { id: 'mem_2', run: 'run_2' }]),
    )
    expect(parts[2]).toMatchObject({ control: { overrides: [{ id: 'ovr_1' }], holds: [{ overrideId: 'ovr_1' }] } })
    const { body: log } = await asOperator(cloud, 'GET', `/api/orgs/${orgId}/activity`)
    expect((log.entries as { action: string; subject: { id: string } | null }[])[0]).toMatchObject({
      action: 'device-memory-restored',
      subject: { id: deviceId },
    })
  })

  test('is not shown to, nor begun by, another organization', async () => {
    const ours = await deadDevice()
    const theirs = await addTenant(cloud, crypto.randomUUID())
    const path = `/api/orgs/${theirs.orgId}/devices/${ours.deviceId}/replacement`
    expect((await asOperator(cloud, 'GET', path)).status).toBe(404)
    expect((await asOperator(cloud, 'POST', path, {})).status).toBe(404)
    expect(await ours.get()).toMatchObject({ status: 'none', online: true })
  })
})

test('a controller with software that is too new gets no commands but cancels, and the list says so', async () => {
  const { orgId, deviceId, deviceSecret } = await addTenant(cloud, crypto.randomUUID())
  const device = await connectDevice(cloud.ready.mqttUrl, { deviceId, deviceSecret }, () => ({
    status: 'ok',
    payload: '{"success":true}',
  }))
  onTestFinished(() => device.close())
  const software = { protocol: 99, oldest: 98, version: '9.9.9' }
  device.client.publish(topics.status(deviceId), JSON.stringify({ online: true, link: device.link, software }))
  await eventually(async () => {
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${orgId}/devices`)
    expect(body.devices).toMatchObject([{ software: { version: '9.9.9', protocol: 99, fits: 'too-new' } }])
  })
  const path = `/api/orgs/${orgId}/devices/${deviceId}/commissioning`
  const { status, body } = await asOperator(cloud, 'PUT', path, FILE)
  expect([status, body.message]).toEqual([499, expect.stringMatching(/Plantroom 9\.9\.9.*too new.*Update the service/)])
})
