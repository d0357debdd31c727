import { fingerprintOf, newAuditKey, openAuditKey } from '@plantroom/base/audit-key'
import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { addTenant, asOperator, startTestCloud } from '../../testing/cloud.ts'
import { connectDevice } from '../../testing/device.ts'

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
      datapoints: [{ name: 'Power', accessType: 'READ', data: { register: 1, type: 'int16' } }],
    },
  ],
}

const newKey = () => openAuditKey(newAuditKey()).publicKey

/** A controller that signs with the key it was last given, and the part of the activity log that is about keys. */
async function signingDevice() {
  const tenant = await addTenant(cloud, crypto.randomUUID())
  const path = `/api/orgs/${tenant.orgId}/devices/${tenant.deviceId}`
  let key = newKey()
  const connect = async (deviceSecret: string) => {
    const device = await connectDevice(cloud.ready.mqttUrl, { ...tenant, deviceSecret }, (command, { data }) => {
      const { part, parts } = data as { part?: number; parts?: number }
      const outcome = part === parts ? 'restored' : 'waiting'
      return { status: 'ok', payload: JSON.stringify({ auditKey: key, ...(command === 'restore' && { outcome }) }) }
    })
    onTestFinished(() => device.close())
    return device
  }
  return {
    path,
    connect,
    secret: tenant.deviceSecret,
    fingerprint: () => fingerprintOf(key),
    takeNewKey: () => {
      key = newKey()
    },
    commission: () =>
      eventually(async () => expect((await asOperator(cloud, 'PUT', `${path}/commissioning`, FILE)).status).toBe(200)),
    recorded: async () => {
      const { body } = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/activity`)
      const entries = body.entries as { action: string; details: object }[]
      return entries.filter(({ action }) => action.startsWith('audit-key')).toReversed()
    },
  }
}

describe('the key of a controller', () => {
  test('is recorded when it is commissioned, once, and a change that nothing explains as such', async () => {
    const { connect, secret, commission, recorded, fingerprint, takeNewKey } = await signingDevice()
    await connect(secret)
    await commission()
    await commission()
    const first = fingerprint()
    expect(await recorded()).toMatchObject([
      { action: 'audit-key-recorded', details: { fingerprint: first, reason: 'first' } },
    ])

    takeNewKey()
    await commission()
    expect((await recorded())[1]).toMatchObject({
      action: 'audit-key-changed',
      details: { fingerprint: fingerprint(), before: first, reason: 'unexplained' },
    })
  })

  test('is recorded when its replacement takes over, with the reason', async () => {
    const { path, connect, secret, commission, recorded, fingerprint, takeNewKey } = await signingDevice()
    const old = await connect(secret)
    await commission()
    const first = fingerprint()
    old.vanish()
    const { body } = await eventually(async () => {
      const answer = await asOperator(cloud, 'POST', `${path}/replacement`, {})
      expect(answer.status).toBe(201)
      return answer
    })
    takeNewKey()
    await connect(String(body.secret))
    await eventually(async () =>
      expect((await recorded())[1]).toMatchObject({
        action: 'audit-key-changed',
        details: { fingerprint: fingerprint(), before: first, reason: 'replaced' },
      }),
    )
  })
})
