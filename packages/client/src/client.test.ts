import { describe, expect, expectTypeOf, test } from 'vitest'
import { createClient, type OperationInput, pathOf } from './client.ts'
import { ApiError, createSend } from './http.ts'
import { sendJson, startServer } from './testing/server.ts'

async function startApi(status: number, reply: unknown) {
  const { url, requests } = await startServer((_asked, response) => sendJson(response, status, reply))
  return { client: createClient(createSend(url, { 'x-api-key': 'plr_x' })), requests }
}

describe('an operation', () => {
  test('sends its path, query and body, and returns the reply', async () => {
    const { client, requests } = await startApi(201, { id: 'site_1' })
    const added = await client.addSite({ orgId: 'org/1', body: { name: 'Küche' } })
    expect(added.id).toBe('site_1')
    await client.listReports({ orgId: 'org_1', query: { code: 4005, cursor: undefined, limit: 5 } })
    expect(requests).toMatchObject([
      { method: 'POST', path: '/api/orgs/org%2F1/sites', body: '{"name":"Küche"}', headers: { 'x-api-key': 'plr_x' } },
      { method: 'GET', path: '/api/orgs/org_1/reports?code=4005&limit=5', body: '' },
    ])
  })

  test('without parameters needs no input', async () => {
    const { client, requests } = await startApi(200, { organizations: [] })
    expect(await client.listOrganizations()).toEqual({ organizations: [] })
    expect(requests[0]?.path).toBe('/api/orgs')
  })

  test('rejects with the error of the service', async () => {
    const { client } = await startApi(404, { message: 'this organization has no site x', code: 'NOT_FOUND' })
    await expect(client.updateSite({ orgId: 'o', siteId: 'x', body: { name: 'A' } })).rejects.toThrow(ApiError)
  })

  test('is typed by the contract', () => {
    expectTypeOf<OperationInput<'revokeKey'>>().toEqualTypeOf<{ orgId: string; keyId: string } & object & object>()
    type Reports = OperationInput<'listReports'>
    expectTypeOf<{ orgId: string; query: { code: 4005 } }>().toExtend<Reports>()
    expectTypeOf<{ orgId: string; query: { code: 1 } }>().not.toExtend<Reports>()
    expectTypeOf<{ orgId: string }>().not.toExtend<OperationInput<'addSite'>>()
  })
})

test('the path of an operation can be had alone, for an EventSource or a link', () => {
  const job = { orgId: 'org_1', propertyId: 'site_1', jobId: 'job/1' }
  expect(pathOf('followJob', job)).toBe('/api/orgs/org_1/properties/site_1/ticket-packages/jobs/job%2F1/events')
  expect(pathOf('listJobProblems', { ...job, query: { format: 'csv' } })).toMatch(/problems\?format=csv$/)
})
