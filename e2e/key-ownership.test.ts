import { createClient } from '@plantroom/client/client'
import { sendWithKey } from '@plantroom/client/http'
import type { Permission } from '@plantroom/contract/permissions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { controlStateFor } from './support/control-state.ts'
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

async function newKey(permission: Permission = 'edge-device:read_write'): Promise<Key> {
  const { orgId, deviceId, admin } = stack
  const { id, apiKey } = await admin.createKey({ orgId, body: { name: permission, permissions: [permission] } })
  return { id, apiKey, ...partner(() => ({ baseUrl: stack.cloud.ready.baseUrl, apiKey, orgId, deviceId })) }
}

const setpoint = (name: string, value: number) => {
  const now = Date.now()
  return { datapointId: stack.datapointId(name), value, from: now, to: now + HOUR }
}

const seenBy = ({ apiKey }: Key) => controlStateFor(apiKey, stack)

async function auditSeenBy({ apiKey }: Key) {
  const client = createClient(sendWithKey(stack.cloud.ready.baseUrl, apiKey))
  const { reports } = await client.listReports({ orgId: stack.orgId, query: { datapointId: stack.datapointId(POWER) } })
  return reports.map(({ phase, overrideId }) => [phase, overrideId])
}

describe('two keys of one organization', () => {
  test('see nothing of what the other plans, and cancel whatever they have the id of', async () => {
    const [owner, other, reader] = [await newKey(), await newKey(), await newKey('measurement:read')]
    const placed = await owner.override(setpoint(POWER, 12))
    expect(placed.status).toBe(200)
    const { id } = placed.body.data
    const queued = await owner.override({ ...setpoint(POWER, 13), from: Date.now() + HOUR / 2 })
    await registerIs(power, 12)

    const own = await seenBy(owner)
    expect(own.overrides).toMatchObject([
      { id, placedBy: owner.id, value: 12 },
      { id: queued.body.data.id, value: 13, state: 'queued' },
    ])
    expect(own.holds).toMatchObject([{ overrideId: id, value: 12 }])
    await eventually(async () => expect(await auditSeenBy(owner)).toEqual([['applied', id]]))
    const seen = await seenBy(other)
    const datapointId = stack.datapointId(POWER)
    expect([seen.overrides, seen.holds]).toEqual([[], [{ datapointId, by: 'demand-response' }]])
    const inverter = stack.connectionId('Inverter')
    expect((await other.values(inverter)).body.data.values[datapointId]).toMatchObject({
      ...{ value: 12, locked: true, lockedBy: 'demand-response' },
    })
    for (const key of [other, reader]) expect(await auditSeenBy(key)).toEqual([['applied', null]])

    const unknown = await other.cancel(`${id.slice(0, -4)}0000`)
    expect([unknown.status, unknown.body.message]).toEqual([499, expect.stringContaining('never issued')])
    const refusals = [
      await reader.cancel(id),
      await reader.override(setpoint(POWER, 13)),
      await reader.values(inverter),
      await reader.datapoints(inverter),
    ]
    for (const { status, body } of refusals) {
      expect(status).toBe(403)
      expect(body.message).toContain('Edge devices read & write (edge-device:read_write)')
    }
    await registerIs(power, 12)
    expect((await other.cancel(queued.body.data.id)).status).toBe(200)
    await eventually(async () => expect((await seenBy(owner)).overrides).toMatchObject([{ id }]))

    const { apiKey } = await stack.admin.rotateKey({
      ...{ orgId: stack.orgId, keyId: owner.id, body: { overlapSeconds: 0 } },
    })
    expect((await owner.cancel(id)).status).toBe(401)
    const { orgId, deviceId } = stack
    const rotated = partner(() => ({ baseUrl: stack.cloud.ready.baseUrl, apiKey, orgId, deviceId }))
    expect((await rotated.cancel(id)).status).toBe(200)
    await registerIs(power, plain)
  })

  test('after the one that placed an override is revoked, the other with the id can cancel it', async () => {
    const [leaving, staying] = [await newKey(), await newKey()]
    const { id } = (await leaving.override(setpoint(POWER, 15))).body.data
    await registerIs(power, 15)
    await stack.admin.revokeKey({ orgId: stack.orgId, keyId: leaving.id })
    expect((await leaving.cancel(id)).status).toBe(401)
    for (const _again of [1, 2]) expect((await staying.cancel(id)).status).toBe(200)
    await registerIs(power, plain)
    await eventually(async () => {
      const { reports } = await stack.admin.listReports({ orgId: stack.orgId, query: { limit: 20 } })
      const released = reports.find(({ overrideId, phase }) => overrideId === id && phase === 'released')
      expect(released).toMatchObject({ placedBy: { id: leaving.id }, cancelledBy: { id: staying.id } })
    })
  })
})

describe('revoking a key with its overrides', () => {
  test('releases the equipment while the controller is online, and nothing of another key', async () => {
    const [leaving, staying] = [await newKey(), await newKey()]
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
    const key = await newKey()
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
