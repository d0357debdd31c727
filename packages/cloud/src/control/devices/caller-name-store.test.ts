import { createLog } from '@plantroom/base/log'
import { expect, onTestFinished, test } from 'vitest'
import { createKeyStore } from '../../organization/access/keys/key-store.ts'
import { createOrganizationStore } from '../../organization/organizations/organization-store.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { createCallerNameStore } from './caller-name-store.ts'

async function start() {
  const db = openDatabase({ connectionString: await createTestDatabase() }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  const organizations = createOrganizationStore(db)
  const keys = createKeyStore(db)
  for (const org of ['ours', 'theirs']) {
    await organizations.addOrganization(org, org)
    await organizations.addSite(`${org}_site`, org, { name: 'Site' })
    await keys.add({
      ...{ id: `key_${org}`, organizationId: org, name: `Key of ${org}`, hash: Buffer.alloc(32) },
      ...{ permissions: ['ticket:read'], siteIds: null },
    })
    await db
      .insertInto('user_account')
      .values({ id: `usr_${org}`, email: `eve@${org}.example`, password_hash: 'hash' })
      .execute()
  }
  const join = (userId: string, organizationId: string, siteId: string | null) =>
    db
      .insertInto('membership')
      .values({ user_id: userId, organization_id: organizationId, site_id: siteId, role: siteId ? 'viewer' : 'admin' })
      .execute()
  return { store: createCallerNameStore(db), keys, join }
}

const named = async (names: Promise<ReadonlyMap<string, string>>) => Object.fromEntries(await names)

test('returns the names of keys, even revoked ones, and the addresses of people', async () => {
  const { store, keys, join } = await start()
  await join('usr_ours', 'ours', 'ours_site')
  await keys.revoke('ours', 'key_ours', new Date())
  expect(await named(store.names('ours', ['key_ours', 'user:usr_ours', 'nobody', 'user:nobody', '', 'user:']))).toEqual(
    { key_ours: 'Key of ours', 'user:usr_ours': 'eve@ours.example' },
  )
})

test('returns no names from another organization', async () => {
  const { store, join } = await start()
  await join('usr_theirs', 'theirs', null)
  expect(await named(store.names('ours', ['key_theirs', 'user:usr_theirs', 'usr_theirs', 'user:key_ours']))).toEqual({})
  await join('usr_theirs', 'ours', null)
  expect(await named(store.names('ours', ['user:usr_theirs']))).toEqual({ 'user:usr_theirs': 'eve@theirs.example' })
})

test('returns no names for no ids', async () => {
  const { store } = await start()
  expect(await named(store.names('ours', []))).toEqual({})
})
