import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson } from '../../organization/access/testing/people.ts'
import { addTenant, asOperator, call, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import type { Cloud } from '../../wire/cloud.ts'

describe('the list of devices', () => {
  let cloud: Cloud
  let ours: Tenant
  let otherSite: string
  /** In the order in which they were added. */
  const added: string[] = []

  const list = async (query: string) => {
    const { status, body } = await asOperator(cloud, 'GET', `/api/orgs/${ours.orgId}/devices?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body as { devices: { id: string; siteId: string }[]; nextCursor: string | null }
  }
  const idsOf = ({ devices }: { devices: readonly { id: string }[] }) => devices.map(({ id }) => id)

  beforeAll(async () => {
    cloud = await startTestCloud()
    ours = await addTenant(cloud, 'Ours')
    await addTenant(cloud, 'Theirs')
    const site = await asOperator(cloud, 'POST', `/api/orgs/${ours.orgId}/sites`, { name: 'Another site' })
    otherSite = String(site.body.id)
    added.push(ours.deviceId)
    for (let index = 0; index < 6; index += 1) {
      const siteId = index < 3 ? ours.siteId : otherSite
      const body = { name: `Device ${index}`, siteId }
      added.push(String((await asOperator(cloud, 'POST', `/api/orgs/${ours.orgId}/devices`, body)).body.id))
    }
  })
  afterAll(() => cloud?.stop())

  test('has every device of the organization once, oldest first, whatever the size of its pages', async () => {
    for (const limit of [1, 2, 3, 7, 1000]) {
      const found: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await list(`limit=${limit}${cursor && `&cursor=${cursor}`}`)
        expect(page.devices.length).toBeLessThanOrEqual(limit)
        found.push(...idsOf(page))
        cursor = page.nextCursor
      }
      expect(found).toEqual(added)
    }
  })

  test('goes on behind a device that was removed meanwhile', async () => {
    const body = { name: 'Short-lived', siteId: ours.siteId }
    const { id } = (await asOperator(cloud, 'POST', `/api/orgs/${ours.orgId}/devices`, body)).body
    const last = { name: 'Last', siteId: ours.siteId }
    const { id: lastId } = (await asOperator(cloud, 'POST', `/api/orgs/${ours.orgId}/devices`, last)).body
    const page = await list(`limit=${added.length + 1}`)
    expect(idsOf(page)).toEqual([...added, id])
    await asOperator(cloud, 'DELETE', `/api/orgs/${ours.orgId}/devices/${id}`)
    expect(idsOf(await list(`cursor=${page.nextCursor}`))).toEqual([lastId])
    await asOperator(cloud, 'DELETE', `/api/orgs/${ours.orgId}/devices/${lastId}`)
  })

  test('has the devices of one site only, if asked', async () => {
    expect(idsOf(await list(`siteId=${otherSite}`))).toEqual(added.slice(4))
    expect(await list('siteId=site_of_nobody')).toEqual({ devices: [], nextCursor: null })
  })

  test('shows a person their sites only, also by pages and by the id of another site', async () => {
    const sites = [{ siteId: otherSite, role: 'viewer' as const }]
    const { headers } = await addPerson(cloud, ours.orgId, 'eve@example.com', { sites })
    const seen = async (query: string) => {
      const { status, body } = await call(cloud, 'GET', `/api/orgs/${ours.orgId}/devices?${query}`, { headers })
      expect(status).toBe(200)
      return idsOf(body as { devices: { id: string }[] })
    }
    expect(await seen('')).toEqual(added.slice(4))
    expect(await seen('limit=2')).toEqual(added.slice(4, 6))
    expect(await seen(`siteId=${ours.siteId}`)).toEqual([])
  })

  test.each(['1', 'x.dev_1', '1.', '1.dev_1%27', '9999999999999999999.dev_1'])(
    'rejects the cursor %s',
    async (cursor) => {
      const { status } = await asOperator(cloud, 'GET', `/api/orgs/${ours.orgId}/devices?cursor=${cursor}`)
      expect(status).toBe(400)
    },
  )

  test('takes the latest cursor there can be', async () => {
    expect(await list('cursor=999999999999999999.dev_1')).toEqual({ devices: [], nextCursor: null })
  })
})
