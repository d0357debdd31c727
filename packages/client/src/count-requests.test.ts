import { expect, test } from 'vitest'
import { createClient } from './client.ts'
import { countRequests } from './count-requests.ts'
import { sendWithKey } from './http.ts'
import { sendJson, startServer } from './testing/server.ts'

const SITE = { orgId: 'org_1', propertyId: 'site_1' }
const PATH = '/api/orgs/org_1/properties/site_1/tickets'

async function startApi(reply: object) {
  const { url, requests } = await startServer((_received, response) => sendJson(response, 200, reply))
  return { client: createClient(sendWithKey(url, 'plr_key')), paths: () => requests.map(({ path }) => path) }
}

test('returns the total of the matching requests and fetches only one of them', async () => {
  const { client, paths } = await startApi({ tickets: [], nextCursor: null, total: 12_000 })
  expect(await countRequests(client, { ...SITE, query: { tag: 'roof' } })).toBe(12_000)
  expect(paths()).toEqual([`${PATH}?tag=roof&limit=1&total=true`])
})

test('counts the requests in any of several states, or in all', async () => {
  const { client, paths } = await startApi({ tickets: [], nextCursor: null, total: 0 })
  await countRequests(client, { ...SITE, query: { state: ['new', 'on_hold'], priority: 0 } })
  await countRequests(client, { ...SITE, query: { state: [] } })
  await countRequests(client, SITE)
  expect(paths()).toEqual([
    `${PATH}?state=new&state=on_hold&priority=0&limit=1&total=true`,
    `${PATH}?limit=1&total=true`,
    `${PATH}?limit=1&total=true`,
  ])
})

test('fails when the reply has no total', async () => {
  const { client } = await startApi({ tickets: [], nextCursor: null })
  await expect(countRequests(client, SITE)).rejects.toThrow('the service returned no count of requests')
})
