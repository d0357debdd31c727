import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../platform/db/database.ts'
import { log } from '../platform/jobs/testing/job-bench.ts'
import { openStream } from '../platform/streams/testing/open-stream.ts'
import { addTenant, call, createKey, startTestCloud, type Tenant } from '../testing/cloud.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let key: string
let port: number

beforeAll(async () => {
  cloud = await startTestCloud({ host: '0.0.0.0' })
  tenant = await addTenant(cloud, 'Tenant')
  key = (await createKey(cloud, tenant.orgId, ['ticket:read_write'])).apiKey
  port = cloud.ready.port
})
afterAll(() => cloud?.stop())

const packages = (rest: string) => `/api/orgs/${tenant.orgId}/properties/${tenant.siteId}/ticket-packages${rest}`

describe('a service that listens on all interfaces and knows no public address', () => {
  test.each(['127.0.0.1', '127.0.0.2'])('gives an upload address on %s, where the caller reached it', async (host) => {
    const asked = await fetch(`http://${host}:${port}${packages('/import/upload-url?filename=a.fpl')}`, {
      headers: { 'x-api-key': key },
    })
    const { url } = (await asked.json()) as { url: string }
    expect(new URL(url).host).toBe(`${host}:${port}`)
    expect((await fetch(url, { method: 'PUT', body: 'not a package' })).status).toBe(200)
  })

  test('names the address of each reader when several follow one export', async () => {
    const { body } = await call(cloud, 'POST', packages('/export'), { headers: { 'x-api-key': key } })
    const path = packages(`/jobs/${body.jobId}/events`)
    const hosts = ['127.0.0.2', '127.0.0.3']
    const streams = await Promise.all(
      hosts.map((host) => openStream(`http://${host}:${port}${path}`, { 'x-api-key': key })),
    )
    const db = openDatabase({ connectionString: cloud.config.databaseUrl ?? '' }, log)
    onTestFinished(() => db.destroy())
    const output = JSON.stringify({ url: 'key', filename: 'a.fpl', tickets: 0, comments: 0, attachments: 0, bytes: 1 })
    await db.updateTable('job').set({ status: 'SUCCESS', resolved: true, output }).execute()
    await eventually(() => {
      const urls = streams.map((stream) => (stream.events().at(-1)?.data as { output?: { url: string } })?.output?.url)
      expect(urls.map((url) => url && new URL(url).hostname)).toEqual(hosts)
    })
  })

  test('names no address that a caller chose in a link that somebody else opens', async () => {
    const headers = { authorization: `Bearer ${cloud.ready.adminToken}`, 'content-type': 'application/json' }
    const invited = await fetch(`http://127.0.0.9:${port}/api/orgs/${tenant.orgId}/members`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ email: 'new@example.com', role: 'admin' }),
    })
    expect(invited.status).toBe(201)
    expect(await invited.text()).not.toContain('127.0.0.9')
  })
})
