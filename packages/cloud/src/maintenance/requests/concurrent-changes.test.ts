import { eventually } from '@plantroom/testkit/eventually'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../platform/db/database.ts'
import { addTenant, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { insertLabels } from './import-store.ts'
import { lockNumbers } from './request-number-store.ts'
import { databaseOf, onSite } from './testing/site.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let site: ReturnType<typeof onSite>

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
  site = onSite(cloud, tenant)
})
afterAll(() => cloud?.stop())

/** Waits until a transaction in this database waits for a lock. */
const somebodyWaits = (db: Db) =>
  eventually(async () => {
    const { rows } = await sql`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db)
    expect(rows).toHaveLength(1)
  })

describe('a change of a request', () => {
  test('with tags of a running import waits for the import, and both succeed', async () => {
    const db = databaseOf(cloud)
    await site.post('/tickets', { title: 'x' })
    const change = await db.transaction().execute(async (importing) => {
      await lockNumbers(importing, tenant.siteId)
      await insertLabels(importing, 'tag', tenant.siteId, ['second'])
      const change = site.patch('/tickets/1', { tags: ['first', 'second'] })
      await somebodyWaits(db)
      await insertLabels(importing, 'tag', tenant.siteId, ['first'])
      return { answer: change }
    })
    const { status, body } = await change.answer
    expect([status, body.tags]).toEqual([200, ['first', 'second']])
  })

  test.each([
    ['names', (number: number) => site.patch(`/tickets/${number}`, { supervisor: 'mari@example.ee' }), 400],
    [
      'is a comment of',
      (number: number) =>
        site.post(`/tickets/${number}/comments`, { content: 'x', author: { email: 'mari@example.ee' } }),
      201,
    ],
  ])('that %s a person who is being removed waits for the removal, and neither fails', async (_what, write, status) => {
    const db = databaseOf(cloud)
    await site.post('/people', { email: 'mari@example.ee' })
    const added = await site.post('/tickets', { title: 'x', assignee: 'mari@example.ee' })
    const number = Number(added.body.number)
    const written = await db.transaction().execute(async (removing) => {
      await sql`SELECT FROM person WHERE email = 'mari@example.ee' FOR UPDATE`.execute(removing)
      const answer = write(number)
      await somebodyWaits(db)
      await removing.deleteFrom('person').where('email', '=', 'mari@example.ee').execute()
      return { answer }
    })
    expect((await written.answer).status).toBe(status)
    expect((await site.get(`/tickets/${number}`)).body).toMatchObject({ assignee: null, supervisor: null })
  })
})
