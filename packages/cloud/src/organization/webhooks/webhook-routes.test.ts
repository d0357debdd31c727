import { MAX_ASKED_PER_HOUR, MAX_WEBHOOKS } from '@plantroom/contract/webhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addTenant, asOperator, startTestCloud, type Tenant } from '../../testing/cloud.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let [own, foreign]: Tenant[] = []

beforeAll(async () => {
  cloud = await startTestCloud()
  own = await addTenant(cloud, 'Own')
  foreign = await addTenant(cloud, 'Foreign')
})
afterAll(() => cloud.stop())

const hooks = (tenant: Tenant | undefined, rest = '') => `/api/orgs/${tenant?.orgId}/webhooks${rest}`
const WEBHOOK = { url: 'https://receiver.example/secret-path', types: ['alert.opened'] }
async function add(changes: object = {}, tenant = own) {
  const { status, body } = await asOperator(cloud, 'POST', hooks(tenant), { ...WEBHOOK, ...changes })
  expect(status).toBe(201)
  return body as { id: string; secret: string }
}

describe('webhooks', () => {
  test('show their secret once', async () => {
    const { id, secret } = await add({ siteIds: [own?.siteId] })
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    const listed = await asOperator(cloud, 'GET', hooks(own))
    expect(listed.body.webhooks).toMatchObject([{ id, ...WEBHOOK, siteIds: [own?.siteId], state: 'active' }])
    expect(JSON.stringify(listed.body)).not.toContain(secret)
    const rotated = await asOperator(cloud, 'POST', hooks(own, `/${id}/rotate`), { overlapSeconds: 60 })
    expect(rotated.body.secret).not.toBe(secret)
    expect(rotated.body.previousSecretUntil).toEqual(expect.any(String))
    expect((await asOperator(cloud, 'DELETE', hooks(own, `/${id}`))).status).toBe(204)
  })

  test.each([
    [{ url: 'http://receiver.example/' }, /use https/],
    [{ url: 'https://169.254.169.254/latest/meta-data' }, /public address/],
    [{ url: 'https://[::ffff:10.0.0.1]/' }, /public address/],
    [{ url: 'https://2130706433/' }, /public address/],
    [{ url: 'https://user:password@receiver.example/' }, /user name/],
    [{ url: 'no address' }, /starts with https/],
    [{ types: [] }, /types/],
    [{ types: ['test'] }, /types/],
  ])('are refused with %j', async (changes, message) => {
    const { status, body } = await asOperator(cloud, 'POST', hooks(own), { ...WEBHOOK, ...changes })
    expect([status, body.code]).toEqual([400, 'INVALID'])
    expect(body.message).toMatch(message)
  })

  test('cannot name the site of another organization', async () => {
    const { status } = await asOperator(cloud, 'POST', hooks(own), { ...WEBHOOK, siteIds: [foreign?.siteId] })
    expect(status).toBe(400)
    const { id } = await add()
    const changed = await asOperator(cloud, 'PATCH', hooks(own, `/${id}`), { siteIds: [foreign?.siteId] })
    expect(changed.status).toBe(400)
  })

  test('are not found through another organization, in the same words as one that does not exist', async () => {
    const { id } = await add()
    const tested = await asOperator(cloud, 'POST', hooks(own, `/${id}/test`))
    const calls = (webhookId: string) =>
      [
        ['PATCH', `/${webhookId}`, { active: false }],
        ['DELETE', `/${webhookId}`, undefined],
        ['POST', `/${webhookId}/rotate`, { overlapSeconds: 0 }],
        ['POST', `/${webhookId}/test`, undefined],
        ['GET', `/${webhookId}/deliveries`, undefined],
        ['POST', `/${webhookId}/deliveries/${tested.body.deliveryId}/resend`, undefined],
      ] as const
    const missing = `wh_${'0'.repeat(20)}`
    for (const [index, [method, path, body]] of calls(id).entries()) {
      const refused = await asOperator(cloud, method, hooks(foreign, path), body)
      const [, other = ''] = calls(missing)[index] ?? []
      const unknown = await asOperator(cloud, method, hooks(foreign, other), body)
      expect([refused.status, String(refused.body.message).replace(id, missing)]).toEqual([404, unknown.body.message])
    }
    const { webhooks } = (await asOperator(cloud, 'GET', hooks(own))).body as {
      webhooks: { id: string; state: string }[]
    }
    expect(webhooks.find((webhook) => webhook.id === id)?.state).toBe('active')
    expect((await asOperator(cloud, 'GET', hooks(foreign))).body).toEqual({ webhooks: [] })
  })

  test('list their deliveries by pages, and send one again only when it is over', async () => {
    const { id } = await add()
    const sent: unknown[] = []
    for (let count = 0; count < 3; count += 1) {
      sent.unshift((await asOperator(cloud, 'POST', hooks(own, `/${id}/test`))).body.deliveryId)
    }
    const first = await asOperator(cloud, 'GET', hooks(own, `/${id}/deliveries?limit=2`))
    const last = await asOperator(cloud, 'GET', hooks(own, `/${id}/deliveries?limit=2&cursor=${first.body.nextCursor}`))
    const both = [first, last].flatMap(({ body }) => body.deliveries as { id: string; type: string; state: string }[])
    expect(both.map((delivery) => delivery.id)).toEqual(sent)
    expect(both[0]).toMatchObject({ type: 'test', state: 'waiting', attempts: 0 })
    expect(last.body.nextCursor).toBeNull()
    const again = () => asOperator(cloud, 'POST', hooks(own, `/${id}/deliveries/${sent[0]}/resend`))
    expect((await again()).status).toBe(409)
    await asOperator(cloud, 'PATCH', hooks(own, `/${id}`), { active: false })
    const stopped = await asOperator(cloud, 'GET', hooks(own, `/${id}/deliveries`))
    expect(stopped.body.deliveries).toMatchObject([{ state: 'failed' }, { state: 'failed' }, { state: 'failed' }])
    expect((await again()).status).toBe(409)
    await asOperator(cloud, 'PATCH', hooks(own, `/${id}`), { active: true })
    expect((await again()).status).toBe(202)
  })

  test('take a share of tests an hour, and an organization has a most of them', async () => {
    const { id } = await add({}, foreign)
    for (let count = 0; count < MAX_ASKED_PER_HOUR; count += 1) {
      expect((await asOperator(cloud, 'POST', hooks(foreign, `/${id}/test`))).status).toBe(202)
    }
    const refused = await asOperator(cloud, 'POST', hooks(foreign, `/${id}/test`))
    expect([refused.status, refused.body.code, Number(refused.headers.get('retry-after')) > 3000]).toEqual([
      ...[429, 'QUOTA_EXCEEDED', true],
    ])
    for (let count = 1; count < MAX_WEBHOOKS; count += 1) await add({}, foreign)
    const most = await asOperator(cloud, 'POST', hooks(foreign), WEBHOOK)
    expect([most.status, most.body.message]).toEqual([429, expect.stringMatching(/has 20 webhooks/)])
  })

  test('are in the activity log, without their secret and their path', async () => {
    const { secret } = await add()
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${own?.orgId}/activity?action=webhook-added&limit=1`)
    expect(body.entries).toMatchObject([{ subject: { kind: 'webhook', name: 'receiver.example' } }])
    expect(JSON.stringify(body)).not.toContain(secret)
    expect(JSON.stringify(body)).not.toContain('secret-path')
  })
})
