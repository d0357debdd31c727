import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config.ts'
import { openStream } from '../platform/streams/testing/open-stream.ts'
import { addTenant, call, createKey, startTestCloud, type Tenant } from '../testing/cloud.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let greedy: Tenant
let other: Tenant

beforeAll(async () => {
  const limits = { ...readConfig({}).limits, unfinishedJobs: { perSite: 4, perOrganization: 6 } }
  cloud = await startTestCloud({ limits })
  greedy = await addTenant(cloud, 'Greedy')
  other = await addTenant(cloud, 'Other')
})
afterAll(() => cloud?.stop())

const packages = ({ orgId, siteId }: Tenant, rest: string) =>
  `/api/orgs/${orgId}/properties/${siteId}/ticket-packages${rest}`
const keyOf = async ({ orgId }: Tenant) => (await createKey(cloud, orgId, ['ticket:read_write'])).apiKey
const send = (method: string, path: string, key: string, body?: object) =>
  call(cloud, method, path, { headers: { 'x-api-key': key }, body })

/** Uploads a package, which no worker reads in this test. */
async function upload(tenant: Tenant, key: string): Promise<void> {
  const { body } = await send('GET', packages(tenant, '/import/upload-url?filename=a.fpl'), key)
  await fetch(String(body.url), { method: 'PUT', body: 'not a package' })
}

describe('an organization that takes all it can get', () => {
  test('is stopped at its quota of jobs, and another starts its own', async () => {
    const [key, theirs] = [await keyOf(greedy), await keyOf(other)]
    await upload(greedy, key)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        send('POST', packages(greedy, index % 2 ? '/import' : '/import/preview'), key, { filename: 'a.fpl' }),
      ),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect([answers.filter(({ status }) => status === 200).length, refused.length]).toEqual([4, 16])
    expect(refused[0]?.headers.get('retry-after')).toBe('30')
    expect((await send('POST', packages(other, '/export'), theirs)).status).toBe(200)
    // Their quota is not told apart from a site that does not exist.
    expect((await send('POST', packages(greedy, '/export'), theirs)).status).toBe(403)
  })

  test('is stopped at half of the event streams, however many keys it makes, and another opens its own', async () => {
    const follow = async (tenant: Tenant) => {
      const key = await keyOf(tenant)
      const { body } = await send('GET', packages(tenant, '/jobs'), key)
      const [job] = body.jobs as { id: string }[]
      return { key, url: `${cloud.ready.baseUrl}${packages(tenant, `/jobs/${job?.id}/events`)}` }
    }
    const statuses: (number | undefined)[] = []
    for (let keys = 0; keys < 6; keys += 1) {
      const { key, url } = await follow(greedy)
      for (let count = 0; count < 21; count += 1) {
        const stream = await openStream(url, { 'x-api-key': key })
        onTestFinished(() => void stream.request.destroy())
        statuses.push(stream.response.statusCode)
      }
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(100)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    const { key, url } = await follow(other)
    const theirs = await openStream(url, { 'x-api-key': key })
    onTestFinished(() => void theirs.request.destroy())
    expect(theirs.response.statusCode).toBe(200)
  })
})
