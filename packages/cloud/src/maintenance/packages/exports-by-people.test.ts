import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson } from '../../organization/access/testing/people.ts'
import { addTenant, call, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { databaseOf } from '../requests/testing/site.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
})
afterAll(() => cloud?.stop())

const path = (rest: string) => `/api/orgs/${tenant.orgId}/properties/${tenant.siteId}/ticket-packages${rest}`
async function person(role: 'viewer' | 'manager') {
  const email = `${role}@example.com`
  return (await addPerson(cloud, tenant.orgId, email, { sites: [{ siteId: tenant.siteId, role }] })).headers
}

describe('an export, which contains all personal data', () => {
  test('is started and downloaded by managers; viewers see the job without its address', async () => {
    const [viewer, manager] = [await person('viewer'), await person('manager')]
    expect((await call(cloud, 'POST', path('/export'), { headers: viewer })).status).toBe(403)
    const started = await call(cloud, 'POST', path('/export'), { headers: manager })
    const id = String(started.body.jobId)
    const output = { url: 'key', filename: 'a.fpl', tickets: 1, comments: 0, attachments: 0, bytes: 9 }
    await sql`UPDATE job SET status = 'SUCCESS', resolved = true, output = ${JSON.stringify(output)}
      WHERE id = ${id}`.execute(databaseOf(cloud))

    const shownTo = async (headers: Record<string, string>) => {
      const one = await call(cloud, 'GET', path(`/jobs/${id}`), { headers })
      const list = await call(cloud, 'GET', path('/jobs'), { headers })
      const events = await call(cloud, 'GET', path(`/jobs/${id}/events`), { headers })
      return [JSON.stringify(one.body), JSON.stringify(list.body), String(events.body.text)]
    }
    for (const text of await shownTo(viewer)) {
      expect(text).toContain('"url":""')
      expect(text).not.toContain('/downloads/')
    }
    for (const text of await shownTo(manager)) expect(text).toContain('/downloads/exports/')
  })
})
