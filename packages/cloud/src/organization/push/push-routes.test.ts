import { createECDH } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addTenant, call, startTestCloud } from '../../testing/cloud.ts'
import { addPerson, type SignedInHeaders } from '../access/testing/people.ts'
import { openTestDatabase } from '../activity/testing/logs.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let headers: SignedInHeaders
const PATH = '/api/session/push-subscriptions'
const ENDPOINT = 'https://push.example/abc'
const keys = () => {
  const pair = createECDH('prime256v1')
  return { p256dh: pair.generateKeys('base64url'), auth: Buffer.alloc(16).toString('base64url') }
}
const subscriptions = () =>
  openTestDatabase(cloud.config.databaseUrl ?? '')
    .selectFrom('push_subscription')
    .select('endpoint')
    .execute()

beforeAll(async () => {
  cloud = await startTestCloud()
  const { orgId } = await addTenant(cloud, 'Own')
  headers = (await addPerson(cloud, orgId, 'mari@example.com', { role: 'admin' })).headers
})
afterAll(() => cloud.stop())

test('a person subscribes a browser with the key of the service, and removes it', async () => {
  const { body } = await call(cloud, 'GET', '/api/session/push-key', { headers })
  expect(Buffer.from(String(body.key), 'base64url')).toHaveLength(65)
  expect((await call(cloud, 'POST', PATH, { headers, body: { endpoint: ENDPOINT, ...keys() } })).status).toBe(204)
  expect(await subscriptions()).toEqual([{ endpoint: ENDPOINT }])
  const removal = `${PATH}?endpoint=${encodeURIComponent(ENDPOINT)}`
  expect((await call(cloud, 'DELETE', removal, { headers })).status).toBe(204)
  expect(await subscriptions()).toEqual([])
})

test.each([
  ['an address inside the network of the service', { endpoint: 'https://10.0.0.1/x', ...keys() }, 'endpoint'],
  ['an address without encryption', { endpoint: 'http://push.example/x', ...keys() }, 'endpoint'],
  ['keys that are none', { endpoint: ENDPOINT, p256dh: 'x', auth: 'y' }, 'p256dh'],
])('%s is refused', async (_name, body, field) => {
  expect(await call(cloud, 'POST', PATH, { headers, body })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining(field) },
  })
  expect(await subscriptions()).toEqual([])
})

test('the subscription ends with the session', async () => {
  await call(cloud, 'POST', PATH, { headers, body: { endpoint: ENDPOINT, ...keys() } })
  expect(await subscriptions()).toHaveLength(1)
  await call(cloud, 'DELETE', '/api/session', { headers })
  expect(await subscriptions()).toEqual([])
})
