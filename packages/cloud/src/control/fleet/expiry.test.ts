import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createOrganizationStore } from '../../organization/organizations/organization-store.ts'
import { createTargetStore } from './target-store.ts'
import { startFleet } from './testing/fleet.ts'

const MINUTE_MS = 60_000

/** Adds dispatches whose deadline is over. They say that they have so many targets, which are not there. */
async function addOverdue(
  { db, clock }: Awaited<ReturnType<typeof startFleet>>,
  organizationId: string,
  targets: readonly number[],
): Promise<void> {
  const now = clock.now()
  const rows = targets.map((count, index) => ({
    ...{ id: `${organizationId}_${index}`, organization_id: organizationId, site_ids: ['site'], targets: count },
    ...{ placed_by: 'key_ann', placed_by_name: 'Ann', idempotency_key: String(index), request_hash: '', value: 1 },
    ...{ stagger_seconds: 0, from_at: new Date(now - MINUTE_MS), to_at: new Date(now + MINUTE_MS) },
    ...{ deadline: new Date(now - 1_000 + index), created_at: new Date(now - MINUTE_MS) },
  }))
  await db.insertInto('fleet_dispatch').values(rows).execute()
}

test('one transaction ends a thousand targets or one dispatch, and organizations take turns', async () => {
  const fleet = await startFleet(1)
  await createOrganizationStore(fleet.db).addOrganization('other', 'Other')
  await addOverdue(fleet, 'org', [400, 400, 400, 5_000, 400])
  await addOverdue(fleet, 'other', [100, 100])
  const store = createTargetStore(fleet.db, async () => {})
  const at = new Date(fleet.clock.now())
  const rounds: string[][] = []
  for (let known = 0; known < 7; ) {
    await store.expire(at, at)
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM fleet_dispatch WHERE state = 'completed' ORDER BY id`.execute(fleet.db)
    const before = new Set(rounds.flat())
    rounds.push(rows.map(({ id }) => id).filter((id) => !before.has(id)))
    expect(rows.length).toBeGreaterThan(known)
    known = rows.length
  }
  expect(rounds).toEqual([['org_0', 'org_1', 'other_0', 'other_1'], ['org_2', 'org_3'], ['org_4']])
})

test('one statement ends a thousand releases, and says when more are left', async () => {
  const fleet = await startFleet(1, { datapointsEach: 1_001 })
  await fleet.add({ toS: 60 })
  await sql`UPDATE fleet_target SET release = 'pending'`.execute(fleet.db)
  const store = createTargetStore(fleet.db, async () => {})
  const over = new Date(fleet.clock.now() + MINUTE_MS)
  expect([await store.endOverdueReleases(over), await store.endOverdueReleases(over)]).toEqual([true, false])
  const { rows } = await sql`SELECT FROM fleet_target WHERE release = 'unconfirmed'`.execute(fleet.db)
  expect(rows).toHaveLength(1_001)
})
