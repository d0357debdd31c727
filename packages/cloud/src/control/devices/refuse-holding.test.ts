import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { addTenant, asOperator, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { connectDevice } from '../../testing/device.ts'

const AT = '2030-01-01T12:00:00.000Z'
const HOLD = {
  ...{ datapointId: 'dp_1', state: 'holding', by: 'demand-response', value: 5, overrideId: 'ovr_1', until: AT },
  ...{ next: { by: 'plain', value: null }, beneath: { by: 'plain', value: null }, trouble: null, troubleReason: null },
}

let cloud: Awaited<ReturnType<typeof startTestCloud>>
beforeAll(async () => {
  cloud = await startTestCloud({ replyTimeoutMs: 200 })
})
afterAll(() => cloud?.stop())

const devicesOf = async ({ orgId }: Tenant) =>
  (await asOperator(cloud, 'GET', `/api/orgs/${orgId}/devices`)).body.devices as { online: boolean }[]
const remove = ({ orgId, deviceId }: Tenant, query = '') =>
  asOperator(cloud, 'DELETE', `/api/orgs/${orgId}/devices/${deviceId}${query}`)

/** Adds a device that is online. `vanish` sends its state a last time. */
async function addHolding(name: string, holds: object[]): Promise<Tenant & { vanish(): Promise<void> }> {
  const tenant = await addTenant(cloud, name)
  const state = JSON.stringify({ at: AT, clockSuspect: false, connections: [], holds, overrides: [] })
  const device = await connectDevice(cloud.ready.mqttUrl, tenant, (command) => {
    return { status: 'ok', payload: command === 'getControlState' ? state : '{}' }
  })
  onTestFinished(() => device.close())
  const becomes = (online: boolean) =>
    eventually(async () => expect(await devicesOf(tenant)).toMatchObject([{ online }]))
  await becomes(true)
  return {
    ...tenant,
    async vanish() {
      device.client.publish(topics.state(tenant.deviceId), state)
      const path = `/api/orgs/${tenant.orgId}/devices/${tenant.deviceId}/replacement`
      await eventually(async () => expect((await asOperator(cloud, 'GET', path)).body.stateAt).not.toBeNull())
      device.vanish()
      await becomes(false)
    },
  }
}

describe('removing a device', () => {
  test('is refused while it holds something, until the caller confirms it', async () => {
    const tenant = await addHolding('Holding', [HOLD])
    const { status, body } = await remove(tenant)
    expect([status, body.code, body.message]).toEqual([
      409,
      'CONFIRMATION_REQUIRED',
      'the device "Device" holds 1 datapoint: cancel its overrides first. If you remove it anyway, its controller ends them on time, and nobody can end them earlier',
    ])
    expect(await devicesOf(tenant)).toHaveLength(1)
    expect((await remove(tenant, '?confirm=true')).status).toBe(204)
    expect(await devicesOf(tenant)).toEqual([])
  })

  test('needs no confirmation when nothing is held, or nothing was ever known', async () => {
    expect((await remove(await addHolding('Idle', []))).status).toBe(204)
    expect((await remove(await addTenant(cloud, 'Never connected'))).status).toBe(204)
  })

  test('goes by the last known state of one that does not answer', async () => {
    const tenant = await addHolding('Gone', [HOLD, { ...HOLD, datapointId: 'dp_2' }])
    await tenant.vanish()
    const { status, body } = await remove(tenant)
    expect([status, body.code]).toEqual([409, 'CONFIRMATION_REQUIRED'])
    expect(body.message).toMatch(/^the device "Device" does not answer and held 2 datapoints at 20\d\d-\S+Z: cancel/)
  })

  test('says nothing about the devices of others', async () => {
    const [theirs, ours] = [await addHolding('Theirs', [HOLD]), await addTenant(cloud, 'Ours')]
    expect((await remove({ ...theirs, orgId: ours.orgId })).status).toBe(404)
  })
})
