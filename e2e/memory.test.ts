import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, createClient } from '@plantroom/client/client'
import { createSend } from '@plantroom/client/http'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dispatchable, ofBatteryRoom, registerIs, reported } from './support/dispatchable.ts'
import { eventually } from './support/eventually.ts'
import { type SilentWire, silentWire } from './support/silent-wire.ts'
import { type Stack, startStack } from './support/stack.ts'

const HOUR = 3_600_000

let wire: SilentWire
let stack: Stack
let power: Dispatchable
let limit: Dispatchable
let plain: { power: number; limit: number }

beforeAll(async () => {
  stack = await startStack({
    cloud: { PLANTROOM_REPLY_TIMEOUT_MS: '1500' },
    async edge({ mqttUrl }) {
      wire = await silentWire(Number(new URL(mqttUrl).port))
      return { MQTT_URL: `mqtt://127.0.0.1:${wire.port}` }
    },
  })
  power = ofBatteryRoom(stack, 'Charge power')
  limit = ofBatteryRoom(stack, 'Charge power limit')
  await eventually(async () => expect((await power.shown()).value).toBe(await power.register()))
  plain = { power: await power.register(), limit: await limit.register() }
})
afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
  await wire?.[Symbol.asyncDispose]()
})

/** Waits until the cloud keeps these overrides as the last state of the controller. */
const keptByTheCloud = (...ids: string[]) =>
  eventually(async () => {
    const { overrides } = await stack.admin.getReplacement(stack.ids)
    expect(overrides.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  })

/** Invites a person who manages the organization, and signs in as them. */
async function aManager(email: string): Promise<Client> {
  const { baseUrl } = stack.cloud.ready
  const sites = [{ siteId: stack.siteId, role: 'manager' as const }]
  const { link } = await stack.admin.addMember({ orgId: stack.orgId, body: { email, sites } })
  const { origin } = new URL(baseUrl)
  const accepted = await fetch(`${baseUrl}/api/invitation`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ token: String(link).split('#')[1], password: 'correct horse battery staple' }),
  })
  const [cookie = ''] = (accepted.headers.get('set-cookie') ?? '').split(';')
  return createClient(createSend(baseUrl, { cookie, origin }))
}

describe('a controller that is away', () => {
  test('releases what a person released meanwhile when it is back, in their name', async () => {
    const manager = await aManager('ann@example.com')
    const id = await power.place(7, { to: Date.now() + HOUR })
    await registerIs(power, 7)
    await keptByTheCloud(id)
    wire.cut()
    expect(await manager.releaseOverride({ ...stack.ids, overrideId: id, body: { reason: 'too hot' } })).toEqual({
      pending: true,
    })
    expect(await power.register()).toBe(7)
    wire.replace()
    await registerIs(power, plain.power)
    await reported(power, id, ['applied 7', `released ${plain.power} (cancelled)`])
    const last = (await power.reports()).at(-1)
    expect(last?.cancelledBy).toMatchObject({ name: 'ann@example.com', reason: 'too hot' })
    const again = await manager.releaseOverride({ ...stack.ids, overrideId: id, body: {} })
    expect(again).toEqual({ pending: false })
  })
})

describe('a controller that is killed and loses its journal', { timeout: 300_000 }, () => {
  const losses = [
    ['alone', (name: string) => name.startsWith('journal.db')],
    ['with everything beside it', (name: string) => name !== 'telemetry.db'],
  ] as const
  test.each(isCampaign ? losses : losses.slice(0, 1))(
    '%s goes on with what runs, and releases what has ended',
    async (_, isLost) => {
      const running = await power.place(9, { to: Date.now() + HOUR })
      const endsAt = Date.now() + 12_000
      const ended = await limit.place(12, { to: endsAt })
      await registerIs(power, 9)
      await registerIs(limit, 12)
      await keptByTheCloud(running, ended)
      await stack.edge.kill()
      const folder = join(stack.folder, 'edge')
      for (const name of readdirSync(folder).filter(isLost)) rmSync(join(folder, name))
      await eventually(() => expect(Date.now()).toBeGreaterThan(endsAt))
      await stack.edge.start()
      await registerIs(limit, plain.limit)
      await eventually(async () => {
        const { status } = await stack.admin.getReplacement(stack.ids)
        expect(status).toBe('restored')
      })
      await registerIs(power, 9)
      await reported(limit, ended, ['applied 12', expect.stringMatching(`^released ${plain.limit} `)])
      const answer = await power.cancel(running)
      expect(answer.status, answer.body.message).toBe(200)
      await registerIs(power, plain.power)
    },
  )

  test.runIf(isCampaign)('opens an alert that says so', async () => {
    await eventually(async () => {
      const { alerts } = await stack.admin.listAlerts({ orgId: stack.orgId, query: { open: 'true' } })
      expect(alerts.map(({ kind }) => kind)).toContain('memory-lost')
    }, 150_000)
  })
})
