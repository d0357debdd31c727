import { createLog } from '@plantroom/base/log'
import { isAtLeast, type Role } from '@plantroom/contract/roles'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createPlainDatabase } from '../../../testing/database.ts'
import { openDatabase } from '../database.ts'
import { migrate } from '../migrate.ts'

test('memberships stay, and a role by tag gives nothing to a reader that does not know it', async () => {
  const db = openDatabase({ connectionString: await createPlainDatabase() }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  await migrate(db, '0051-alert-work')
  await sql
    .raw(`
    INSERT INTO organization (id, name) VALUES ('org', 'Organization');
    INSERT INTO site (id, organization_id, name) VALUES ('site', 'org', 'Site');
    INSERT INTO user_account (id, email) VALUES ('u1', 'a@x.ee'), ('u2', 'b@x.ee'), ('u3', 'c@x.ee');
    INSERT INTO membership (user_id, organization_id, site_id, role) VALUES
      ('u1', 'org', NULL, 'admin'), ('u2', 'org', 'site', 'viewer')`)
    .execute(db)
  await migrate(db)
  const kept = await db.selectFrom('membership').select(['user_id', 'site_id', 'role']).orderBy('id').execute()
  expect(kept).toEqual([
    { user_id: 'u1', site_id: null, role: 'admin' },
    { user_id: 'u2', site_id: 'site', role: 'viewer' },
  ])

  const add = (columns: object) =>
    sql`INSERT INTO membership (user_id, organization_id, site_id, role, group_role, site_tag)
      SELECT 'u3', 'org', site_id, role, group_role, site_tag
      FROM jsonb_populate_record(NULL::membership, ${JSON.stringify(columns)}::jsonb)`.execute(db)
  await add({ role: 'group', group_role: 'manager', site_tag: 'north' })
  await add({ role: 'group', group_role: 'viewer' })
  // The version before reads the role and the site only.
  const { role } = await db
    .selectFrom('membership')
    .where('site_tag', '=', 'north')
    .select('role')
    .executeTakeFirstOrThrow()
  expect(isAtLeast(role as Role, 'viewer')).toBe(false)
  for (const columns of [
    { role: 'manager' },
    { role: 'manager', site_tag: 'south' },
    { role: 'group', site_tag: 'south' },
    { role: 'group', group_role: 'admin', site_tag: 'south' },
    { role: 'group', group_role: 'viewer', site_id: 'site' },
    { role: 'admin', site_tag: 'south' },
    { role: 'admin' },
    { role: 'group', group_role: 'viewer', site_tag: 'north' },
  ])
    await expect(add(columns), JSON.stringify(columns)).rejects.toThrow(/constraint/)
})
