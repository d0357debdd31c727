import { describe, expect, test } from 'vitest'
import { createAdminClient } from './admin.ts'
import { pages } from './history.ts'
import { createPartnerClient } from './partner.ts'
import { sendJson, startServer } from './testing/server.ts'

/** An operator and a partner of a service that answers everything with this. */
async function readersOf(answer: unknown) {
  const { url, requests } = await startServer((_asked, response) => sendJson(response, 200, answer))
  const admin = createAdminClient({ baseUrl: url, adminToken: 'token' })
  const partner = createPartnerClient({ baseUrl: url, apiKey: 'plr_key', orgId: 'org_1', deviceId: 'dev_1' })
  return { admin, partner, requests }
}

const NOTHING = { reports: [], nextCursor: null }
const MEASURED = { measurements: [{ at: '2030-01-01T00:00:00.000Z', value: 5 }], gaps: [], nextCursor: 'c1' }

describe('reports', () => {
  test('are asked for by an operator with the token, and with just the filters that were given', async () => {
    const { admin, requests } = await readersOf(NOTHING)
    expect(await admin.reports('org_1')).toEqual(NOTHING)
    await admin.reports('org_1', { siteId: 'site_1', code: 4005, deviceId: undefined, limit: 50, cursor: 'a b&c=d' })
    expect(requests[0]).toMatchObject({
      method: 'GET',
      path: '/api/orgs/org_1/reports',
      headers: { authorization: 'Bearer token' },
    })
    expect(requests[1]?.path).toBe('/api/orgs/org_1/reports?siteId=site_1&code=4005&limit=50&cursor=a+b%26c%3Dd')
  })

  test('are asked for by a partner with the key, about its device where no other is named', async () => {
    const { partner, requests } = await readersOf(NOTHING)
    await partner.reports()
    await partner.reports({ deviceId: 'dev_2', from: '2030-01-01T01:00:00+01:00' })
    expect(requests[0]).toMatchObject({
      path: '/api/orgs/org_1/reports?deviceId=dev_1',
      headers: { 'x-api-key': 'plr_key' },
    })
    expect(requests[1]?.path).toBe('/api/orgs/org_1/reports?deviceId=dev_2&from=2030-01-01T01%3A00%3A00%2B01%3A00')
  })
})

describe('measurements', () => {
  test('are asked for per datapoint, by either', async () => {
    const { admin, partner, requests } = await readersOf(MEASURED)
    expect(await admin.measurements('org_1', 'dev_1', 'dp_1')).toEqual(MEASURED)
    await partner.measurements('dp_1', { to: '2030-01-01T00:00:00Z' })
    expect(requests.map(({ path }) => path)).toEqual([
      '/api/orgs/org_1/devices/dev_1/datapoints/dp_1/measurements',
      '/api/orgs/org_1/devices/dev_1/datapoints/dp_1/measurements?to=2030-01-01T00%3A00%3A00Z',
    ])
  })

  test('stay below their path, whatever the ids', async () => {
    const { admin, requests } = await readersOf(MEASURED)
    await admin.measurements('../a', 'b/c', 'd?e#f')
    expect(requests[0]?.path).toBe('/api/orgs/..%2Fa/devices/b%2Fc/datapoints/d%3Fe%23f/measurements')
  })
})

describe('pages', () => {
  const page = (cursor: string | undefined, nextCursor: string | null) => ({ cursor, nextCursor })

  async function fetched(next: Readonly<Record<string, string | null>>, atMost = 10) {
    const asked: (string | undefined)[] = []
    for await (const { cursor } of pages(async (cursor) => page(cursor, next[cursor ?? 'first'] ?? null))) {
      asked.push(cursor)
      if (asked.length === atMost) break
    }
    return asked
  }

  test('follow each other by the cursor, up to the one without', async () => {
    expect(await fetched({ first: 'a', a: 'b' })).toEqual([undefined, 'a', 'b'])
    expect(await fetched({})).toEqual([undefined])
  })

  test('are not fetched before they are wanted', async () => {
    expect(await fetched({ first: 'a', a: 'b' }, 2)).toEqual([undefined, 'a'])
  })

  test('that lead back to themselves are an error, not a loop', async () => {
    await expect(fetched({ first: 'a', a: 'a' })).rejects.toThrow('the service gave the cursor a twice')
  })
})
