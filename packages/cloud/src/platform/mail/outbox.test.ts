import { createLog } from '@plantroom/base/log'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { type Db, openDatabase } from '../db/database.ts'
import { queueMail } from './outbox-store.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let other: Tenant
let db: Db

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
  other = await addTenant(cloud, 'Other')
  db = openDatabase({ connectionString: cloud.config.databaseUrl ?? '' }, createLog('test', 'silent'))
  for (const { siteId } of [tenant, other]) {
    await sql`
      INSERT INTO ticket (id, site_id, number, external_id, title, state, created_at, state_changed_at)
      VALUES (${siteId}, ${siteId}, 7, 'A-7', 'Tap', 'open', now(), now())`.execute(db)
  }
})
afterAll(async () => {
  await db?.destroy()
  await cloud?.stop()
})

const outbox = ({ orgId, siteId }: Tenant) => `/api/orgs/${orgId}/properties/${siteId}/outbox`
const queue = ({ orgId, siteId }: Tenant, subject: string) => {
  const about = { organizationId: orgId, siteId, requestId: siteId }
  return queueMail(db, { ...about, recipient: 'mari@example.ee', subject, body: 'Fixed.' })
}

describe('the outbox of a site', () => {
  test('shows only its own mail, newest first, in pages', async () => {
    for (const subject of ['One', 'Two', 'Three']) await queue(tenant, subject)
    await queue(other, 'Elsewhere')
    const first = await asOperator(cloud, 'GET', `${outbox(tenant)}?limit=2`)
    expect(first.body.mails).toEqual(
      ['Three', 'Two'].map((subject) => ({
        id: expect.any(String),
        ticketNumber: 7,
        recipient: 'mari@example.ee',
        subject,
        body: 'Fixed.',
        state: 'waiting',
        attempts: 0,
        // This cloud has no SMTP_URL.
        error: expect.stringContaining('no mail server is set up; set SMTP_URL'),
        createdAt: expect.any(String),
        sentAt: null,
      })),
    )
    const second = await asOperator(cloud, 'GET', `${outbox(tenant)}?limit=2&cursor=${first.body.nextCursor}`)
    expect(second.body).toMatchObject({ mails: [{ subject: 'One' }], nextCursor: null })
  })

  test.each([
    [['ticket:read_write'], 200],
    [['ticket:read'], 403],
    [['edge-device:read_write'], 403],
  ])('answers a key with %j: %d', async (permissions, status) => {
    const { apiKey } = await createKey(cloud, tenant.orgId, permissions)
    const answer = await call(cloud, 'GET', outbox(tenant), { headers: { 'x-api-key': apiKey } })
    expect(answer.status).toBe(status)
  })

  test('is closed to keys of another organization and to anonymous callers', async () => {
    const { apiKey } = await createKey(cloud, other.orgId, ['ticket:read_write'])
    expect((await call(cloud, 'GET', outbox(tenant), { headers: { 'x-api-key': apiKey } })).status).toBe(403)
    expect((await call(cloud, 'GET', outbox(tenant))).status).toBe(401)
  })
})
