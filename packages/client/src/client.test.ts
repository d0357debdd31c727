import type { ReleasedOverrides } from '@plantroom/contract/api'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { createClient, type OperationInput, type OperationReply, pathOf } from './client.ts'
import { ApiError, createSend } from './http.ts'
import { sendJson, startServer } from './testing/server.ts'

async function startApi(status: number, reply: unknown) {
  const { url, requests } = await startServer((_received, response) => sendJson(response, status, reply))
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

  test('repeats a query parameter for each item of a list and encodes its text', async () => {
    const { client, requests } = await startApi(200, { tickets: [], nextCursor: null })
    const site = { orgId: 'org_1', propertyId: 'site_1' }
    await client.listRequests({ ...site, query: { state: ['new', 'on_hold'], priority: 0, q: 'leak & õ' } })
    await client.listRequests({ ...site, query: { state: [] } })
    expect(requests.map(({ path }) => path)).toEqual([
      '/api/orgs/org_1/properties/site_1/tickets?state=new&state=on_hold&priority=0&q=leak+%26+%C3%B5',
      '/api/orgs/org_1/properties/site_1/tickets',
    ])
  })

  test('encodes ids, so that no id can change the path', async () => {
    const { client, requests } = await startApi(200, {})
    await client.getJob({ orgId: '../a', propertyId: 'b/c?d', jobId: '../../e#f' })
    expect(requests[0]?.path).toBe('/api/orgs/..%2Fa/properties/b%2Fc%3Fd/ticket-packages/jobs/..%2F..%2Fe%23f')
  })

  test('accepts a number in its path', async () => {
    const { client, requests } = await startApi(200, { number: 7 })
    await client.getRequest({ orgId: 'org_1', propertyId: 'site_1', number: 7 })
    expect(requests[0]?.path).toBe('/api/orgs/org_1/properties/site_1/tickets/7')
  })

  test('sends a token in the body and not in the path', async () => {
    const { client, requests } = await startApi(200, { email: 'mari@example.ee' })
    expect(await client.findInvitation({ body: { token: 't' } })).toEqual({ email: 'mari@example.ee' })
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/api/invitation', body: '{"token":"t"}' })
  })

  test('returns undefined for an empty reply', async () => {
    const { url } = await startServer((_received, response) => response.writeHead(204).end())
    expect(await createClient(createSend(url, {})).signOut()).toBeUndefined()
  })

  test('without parameters needs no input', async () => {
    const { client, requests } = await startApi(200, { organizations: [] })
    expect(await client.listOrganizations()).toEqual({ organizations: [] })
    expect(requests[0]?.path).toBe('/api/orgs')
  })

  test('rejects with the error of the service', async () => {
    const body = { message: 'this organization has no site x', code: 'NOT_FOUND' }
    const { client } = await startApi(404, body)
    const error = await client.updateSite({ orgId: 'o', siteId: 'x', body: { name: 'A' } }).catch((caught) => caught)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 404, ...body })
  })

  test('is typed by the contract', () => {
    expectTypeOf<OperationInput<'renewDeviceCredential'>>().toEqualTypeOf<
      { orgId: string | number; deviceId: string | number } & object & object
    >()
    expectTypeOf<OperationReply<'revokeKey'>>().toEqualTypeOf<ReleasedOverrides | undefined>()
    type Reports = OperationInput<'listReports'>
    expectTypeOf<{ orgId: string; query: { code: 4005 } }>().toExtend<Reports>()
    expectTypeOf<{ orgId: string; query: { code: 1 } }>().not.toExtend<Reports>()
    expectTypeOf<{ orgId: string }>().not.toExtend<OperationInput<'addSite'>>()
  })
})

test('pathOf returns the path of an operation, for an EventSource or a link', () => {
  const job = { orgId: 'org_1', propertyId: 'site_1', jobId: 'job/1' }
  expect(pathOf('followJob', job)).toBe('/api/orgs/org_1/properties/site_1/ticket-packages/jobs/job%2F1/events')
  expect(pathOf('listJobProblems', { ...job, query: { format: 'csv' } })).toMatch(/problems\?format=csv$/)
  expect(pathOf('listJobProblems', { ...job, query: { limit: 10_000 } })).toMatch(/problems\?limit=10000$/)
})
