import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { addPerson, type SignedInHeaders } from '../../organization/access/testing/people.ts'
import { addTenant, asOperator, call, createKey, startTestCloud } from '../../testing/cloud.ts'
import { type Answering, connectDevice } from '../../testing/device.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
beforeAll(async () => {
  cloud = await startTestCloud()
})
afterAll(() => cloud?.stop())

const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

/** A device whose last state lists `ovr_1` and `ovr_2`, and a manager of its organization. */
async function start() {
  const tenant = await addTenant(cloud, crypto.randomUUID())
  const { orgId, deviceId, siteId } = tenant
  const email = `${crypto.randomUUID()}@example.com`
  const { headers, userId } = await addPerson(cloud, orgId, email, { sites: [{ siteId, role: 'manager' }] })
  const asked: { keyId: string; callerName?: string; manages?: boolean; data: object }[] = []
  const connect = async (answering: Answering) => {
    const device = await connectDevice(cloud.ready.mqttUrl, tenant, (command, envelope) => {
      if (command === 'demandResponseCancel') asked.push(envelope as (typeof asked)[number])
      return answering(command, envelope)
    })
    onTestFinished(() => device.close())
    return device
  }
  const placed = { value: 1, from: at(0), to: at(600), reqId: 'r', placedBy: 'key_1', state: 'active' }
  const overrides = ['ovr_1', 'ovr_2'].map((id) => ({ id, datapointId: `dp_${id}`, ...placed }))
  const state = { at: at(0), clockSuspect: false, connections: [], holds: [], overrides }
  const path = (id: string) => `/api/orgs/${orgId}/devices/${deviceId}/overrides/${id}/release`
  const release = (id: string, own: SignedInHeaders | Record<string, string> = headers, body = {}) =>
    call(cloud, 'POST', path(id), { headers: own, body })
  const isOnline = async () => {
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${orgId}/devices`)
    return (body.devices as { online: boolean }[])[0]?.online
  }
  const say = (device: Awaited<ReturnType<typeof connect>>) =>
    device.client.publish(topics.state(deviceId), JSON.stringify(state))
  return { ...tenant, email, userId, headers, asked, connect, say, release, isOnline }
}

const DONE: Answering = () => ({ status: 'ok', payload: '{"success":true}' })

describe('releasing an override', () => {
  test('happens at once while the controller answers, in the name of the person', async () => {
    const { connect, release, asked, userId, email, isOnline } = await start()
    await connect(DONE)
    await eventually(async () => expect(await isOnline()).toBe(true))
    const { status, body } = await release('ovr_1', undefined, { reason: 'too hot' })
    expect([status, body]).toEqual([200, { pending: false }])
    expect(asked).toMatchObject([
      { keyId: `user:${userId}`, callerName: email, manages: true, data: { id: 'ovr_1', reason: 'too hot' } },
    ])
  })

  test('waits while it is away, is recorded, and is sent when it is back', async () => {
    const { orgId, connect, say, release, asked, userId, isOnline } = await start()
    const first = await connect(DONE)
    say(first)
    await eventually(async () => expect(await isOnline()).toBe(true))
    first.vanish()
    await eventually(async () => expect(await isOnline()).toBe(false))
    const { status, body } = await eventually(async () => {
      const answer = await release('ovr_1', undefined, { reason: 'too hot' })
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      return answer
    })
    expect([status, body]).toEqual([200, { pending: true }])
    expect((await release('ovr_9')).status).toBe(404)
    const { body: log } = await asOperator(cloud, 'GET', `/api/orgs/${orgId}/activity`)
    expect(log.entries).toContainEqual(
      expect.objectContaining({
        action: 'release-kept',
        actor: expect.objectContaining({ kind: 'person', id: userId }),
        details: { overrideId: 'ovr_1', reason: 'too hot' },
      }),
    )
    const before = asked.length
    await connect(DONE)
    await eventually(() => expect(asked.slice(before)).toMatchObject([{ data: { id: 'ovr_1', reason: 'too hot' } }]))
  })

  test('is refused to keys and to people who do not manage the site', async () => {
    const { orgId, siteId, release } = await start()
    const { apiKey } = await createKey(cloud, orgId, ['edge-device:read_write'])
    expect((await release('ovr_1', { 'x-api-key': apiKey })).status).toBe(401)
    const email = `${crypto.randomUUID()}@example.com`
    const viewer = await addPerson(cloud, orgId, email, { sites: [{ siteId, role: 'viewer' }] })
    expect((await release('ovr_1', viewer.headers)).status).toBe(403)
  })
})
