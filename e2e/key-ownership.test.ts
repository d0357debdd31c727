import { createClient } from '@plantroom/client/client'
import { sendWithKey } from '@plantroom/client/http'
import type { LiveDevice } from '@plantroom/contract/control-state'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { controlState } from './support/control-state.ts'
import { type Dispatchable, ofBatteryRoom, registerIs } from './support/dispatchable.ts'
import { eventually } from './support/eventually.ts'
import { type Partner, partner } from './support/partner.ts'
import { type Stack, startStack } from './support/stack.ts'

const HOUR = 3_600_000
const POWER = 'Charge power'
const LIMIT = 'Charge power limit'

let stack: Stack
let power: Dispatchable
let limit: Dispatchable
let plain: number

beforeAll(async () => {
  stack = await startStack({ cloud: { PLANTROOM_REPLY_TIMEOUT_MS: '2000' } })
  power = ofBatteryRoom(stack, POWER)
  limit = ofBatteryRoom(stack, LIMIT)
  await eventually(async () => expect((await power.shown()).value).toBe(await power.register()))
  plain = await power.register()
})
afterAll(() => stack?.[Symbol.asyncDispose]())

interface Key extends Partner {
  id: string
  apiKey: string
}

async function newKey(permission: 'edge-device:read' | 'edge-device:read_write'): Promise<Key> {
  const { orgId, deviceId, admin } = stack
  const { id, apiKey } = await admin.createKey({ orgId, body: { name: permission, permissions: [permission] } })
  return { id, apiKey, ...partner(() => ({ baseUrl: stack.cloud.ready.baseUrl, apiKey, orgId, deviceId })) }
}

const setpoint = (name: string, value: number) => {
  const now = Date.now()
  return { datapointId: stack.datapointId(name), value, from: now, to: now + HOUR }
}

const seenBy = ({ apiKey }: Key): Promise<LiveDevice> => controlState({ ...stack, apiKey })

async function auditSeenBy({ apiKey }: Key) {
  const client = createClient(sendWithKey(stack.cloud.ready.baseUrl, apiKey))
  const { reports } = await client.listReports({ orgId: stack.orgId, query: { datapointId: stack.datapointId(POWER) } })
  return reports.map(({ phase, overrideId }) => [phase, overrideId])
}

describe('two keys of one organization', () => {
  test('neither see the ids of each other nor cancel what the other placed', async () => {
    const [owner, other, reader] = [
      await newKey('edge-device:read_write'),
      await newKey('edge-device:read_write'),
      await newKey('edge-device:read'),
    ]
    const placed = await owner.override(setpoint(POWER, 12))
    expect(placed.status).toBe(200)
    const { id } = placed.body.data
    await registerIs(power, 12)

    const own = await seenBy(owner)
    expect(own.overrides).toMatchObject([{ id, placedBy: owner.id, value: 12 }])
    expect(own.holds).toMatchObject([{ overrideId: id }])
    await eventually(async () => expect(await auditSeenBy(owner)).toEqual([['applied', id]]))
    for (const key of [other, reader]) {
      const seen = await seenBy(key)
      expect(seen.overrides).toMatchObject([{ id: null, reqId: null, placedBy: null, placedByName: null, value: 12 }])
      expect(seen.holds).toMatchObject([{ overrideId: null, by: 'demand-response', value: 12 }])
      expect(await auditSeenBy(key)).toEqual([['applied', null]])
    }

    const foreign = await other.cancel(id)
    const unknown = await other.cancel(`${id.slice(0, -4)}0000`)
    expect([foreign.status, unknown.status]).toEqual([499, 499])
    expect(foreign.body.message.replace(id, '')).toBe(unknown.body.message.replace(`${id.slice(0, -4)}0000`, ''))
    expect((await reader.cancel(id)).status).toBe(403)
    expect((await reader.override(setpoint(POWER, 13))).status).toBe(403)
    expect((await reader.values(stack.connectionId('Inverter'))).status).toBe(200)
    await registerIs(power, 12)

    const { apiKey } = await stack.admin.rotateKey({
      ...{ orgId: stack.orgId, keyId: owner.id, body: { overlapSeconds: 0 } },
    })
    expect((await owner.cancel(id)).status).toBe(401)
    const { orgId, deviceId } = stack
    const rotated = partner(() => ({ baseUrl: stack.cloud.ready.baseUrl, apiKey, orgId, deviceId }))
    expect((await rotated.cancel(id)).status).toBe(200)
    await registerIs(power, plain)
  })
})

describe('revoking a key with its overrides', () => {
  test('releases the equipment while the controller is online, and nothing of another key', async () => {
    const [leaving, staying] = [await newKey('edge-device:read_write'), await newKey('edge-device:read_write')]
    const plainLimit = await limit.register()
    const { body } = await leaving.override(setpoint(POWER, 14))
    const other = await staying.override(setpoint(LIMIT, 30))
    await registerIs(power, 14)
    await registerIs(limit, 30)
    await eventually(async () => {
      const { keys } = await stack.admin.listKeys({ orgId: stack.orgId })
      expect(keys.find((key) => key.id === leaving.id)?.overrides).toBe(1)
    })
    const revoke = { orgId: stack.orgId, keyId: leaving.id, query: { cancelOverrides: 'true' } } as const
    expect(await stack.admin.revokeKey(revoke)).toEqual({
      cancelled: [{ deviceId: stack.deviceId, id: body.data.id, datapointId: stack.datapointId(POWER) }],
      pending: [],
    })
    await registerIs(power, plain)
    await registerIs(limit, 30)
    expect(await stack.admin.revokeKey(revoke)).toEqual({ cancelled: [], pending: [] })
    expect((await staying.cancel(other.body.data.id)).status).toBe(200)
    await registerIs(limit, plainLimit)
    await eventually(async () => {
      const { reports } = await stack.admin.listReports({ orgId: stack.orgId, query: { limit: 20 } })
      const released = reports.find(({ overrideId, phase }) => overrideId === body.data.id && phase === 'released')
      const cancelledBy = { id: 'operator', name: 'Operator', reason: 'the API key was revoked' }
      expect(released).toMatchObject({ placedBy: { id: leaving.id }, cancelledBy })
    })
  })

  test('releases the equipment when a controller that was off returns, even after the cloud restarted', async () => {
    const key = await newKey('edge-device:read_write')
    expect((await key.override(setpoint(POWER, 16))).status).toBe(200)
    await registerIs(power, 16)
    await stack.edge.kill()
    await eventually(async () => expect(await stack.online()).toBe(false))
    const revoke = { orgId: stack.orgId, keyId: key.id, query: { cancelOverrides: 'true' } } as const
    expect(await stack.admin.revokeKey(revoke)).toEqual({
      cancelled: [],
      pending: [{ deviceId: stack.deviceId, name: 'Test controller' }],
    })
    await registerIs(power, 16)
    await stack.cloud.kill()
    await stack.cloud.start()
    await stack.edge.start()
    await registerIs(power, plain)
    await eventually(async () => {
      const { keys } = await stack.admin.listKeys({ orgId: stack.orgId })
      expect(keys.find(({ id }) => id === key.id)).toMatchObject({ state: 'revoked', overrides: 0, pendingDevices: 0 })
    })
  })
})
