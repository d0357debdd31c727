import { afterAll, beforeAll, expect, test } from 'vitest'
import { addTenant, asOperator, call, createKey, startTestCloud } from '../../testing/cloud.ts'
import { addPerson } from '../access/testing/people.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>

beforeAll(async () => {
  cloud = await startTestCloud()
})
afterAll(() => cloud?.stop())

const path = (orgId: string) => `/api/orgs/${orgId}/getting-started`
const stepsOf = async (orgId: string) => (await asOperator(cloud, 'GET', path(orgId))).body.steps

test('each step follows from what the organization has', async () => {
  const orgId = String((await asOperator(cloud, 'POST', '/api/orgs', { name: 'New' })).body.id)
  await addTenant(cloud, 'Complete neighbor')
  const nothing = { site: false, controller: false, commissioned: false, key: false, override: false }
  expect(await stepsOf(orgId)).toEqual(nothing)
  const site = await asOperator(cloud, 'POST', `/api/orgs/${orgId}/sites`, { name: 'Site' })
  expect(await stepsOf(orgId)).toEqual({ ...nothing, site: true })
  const body = { name: 'Controller', siteId: site.body.id }
  await asOperator(cloud, 'POST', `/api/orgs/${orgId}/devices`, body)
  const key = await createKey(cloud, orgId, ['measurement:read'])
  expect(await stepsOf(orgId)).toEqual({ ...nothing, site: true, controller: true, key: true })
  await asOperator(cloud, 'DELETE', `/api/orgs/${orgId}/api-keys/${key.id}`)
  expect(await stepsOf(orgId)).toMatchObject({ key: false })
  const { siteId, deviceId } = (await asOperator(cloud, 'GET', path(orgId))).body
  expect(siteId).toBe(site.body.id)
  expect(deviceId).toMatch(/^dev_/)
})

test('a person dismisses the list for themself, in one organization, and can undo it', async () => {
  const [ours, theirs] = [await addTenant(cloud, 'Ours'), await addTenant(cloud, 'Theirs')]
  const mari = await addPerson(cloud, ours.orgId, 'mari@example.com', { role: 'admin' })
  const jaan = await addPerson(cloud, ours.orgId, 'jaan@example.com', { role: 'admin' })
  const dismissed = async ({ headers }: typeof mari) => (await call(cloud, 'GET', path(ours.orgId), { headers })).body
  const set = (orgId: string, isDismissed: boolean) =>
    call(cloud, 'PUT', path(orgId), { headers: mari.headers, body: { dismissed: isDismissed } })

  expect((await set(ours.orgId, true)).body).toMatchObject({ dismissed: true })
  expect((await set(ours.orgId, true)).status).toBe(200)
  expect(await dismissed(mari)).toMatchObject({ dismissed: true })
  expect(await dismissed(jaan)).toMatchObject({ dismissed: false })
  expect((await set(theirs.orgId, true)).status).toBe(403)
  await set(ours.orgId, false)
  expect(await dismissed(mari)).toMatchObject({ dismissed: false })
  const { body } = await asOperator(cloud, 'GET', `/api/orgs/${ours.orgId}/activity?action=checklist-changed`)
  expect(body.entries).toHaveLength(2)
})

test('the operator is no person who could dismiss it', async () => {
  const { orgId } = await addTenant(cloud, 'Operated')
  expect((await asOperator(cloud, 'PUT', path(orgId), { dismissed: true })).status).toBe(400)
})
