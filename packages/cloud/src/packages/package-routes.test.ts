import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../testing/cloud.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let ours: Tenant
let apiKey: string

beforeAll(async () => {
  cloud = await startTestCloud()
  ours = await addTenant(cloud, 'Ours')
  apiKey = (await createKey(cloud, ours.orgId, ['ticket:read_write'])).apiKey
})
afterAll(() => cloud.stop())

const path = (query: string) =>
  `/api/orgs/${ours.orgId}/properties/${ours.siteId}/ticket-packages/import/upload-url${query}`
const ask = (query: string, key = apiKey) => call(cloud, 'GET', path(query), { headers: { 'x-api-key': key } })

describe('the upload address', () => {
  test('accepts the raw file without a key', async () => {
    const { status, body } = await ask(`?filename=${encodeURIComponent('Hooldustööd õhtul (1).fpl')}`)
    expect([status, Object.keys(body)]).toEqual([200, ['url']])
    const url = String(body.url)
    expect(url.startsWith(cloud.ready.baseUrl)).toBe(true)
    const answer = await fetch(url, { method: 'PUT', body: Buffer.alloc(200_000) })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })

  test.each(['', '?filename=', '?filename=a.zip', '?filename=..%2Fa.fpl', '?filename=a.fpl&filename=b.fpl'])(
    'is refused for %j, naming the field',
    async (query) => {
      const { status, body } = await ask(query)
      expect([status, body.code, body.field]).toEqual([400, 'INVALID', 'filename'])
    },
  )

  test('is refused to a read-only key and for a site without Maintenance Requests', async () => {
    const reader = await createKey(cloud, ours.orgId, ['ticket:read'])
    expect((await ask('?filename=a.fpl', reader.apiKey)).status).toBe(403)
    const site = `/api/orgs/${ours.orgId}/sites/${ours.siteId}`
    await asOperator(cloud, 'PATCH', site, { maintenanceRequests: false })
    expect((await ask('?filename=a.fpl')).body.message).toContain('turned off')
    await asOperator(cloud, 'PATCH', site, { maintenanceRequests: true })
  })
})

describe('the manifest schema', () => {
  test('is served to anyone, byte for byte', async () => {
    const answer = await fetch(`${cloud.ready.baseUrl}/schemas/ticket-export-v1.json`)
    const file = new URL('../../../fpl/schemas/ticket-export-v1.json', import.meta.url)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch('json')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await answer.text()).toBe(await readFile(file, 'utf8'))
  })
})
