import { describe, expect, test } from 'vitest'
import { createKeyStore } from '../../organization/access/keys/key-store.ts'
import { createDispatchStore } from './dispatch-store.ts'
import { KEY, startFleet } from './testing/fleet.ts'

type Fleet = Awaited<ReturnType<typeof startFleet>>

const endsWith = (fleet: Fleet, id: string, counts: object) =>
  fleet.within(15, async () => expect((await fleet.dispatch(id)).counts).toMatchObject(counts))

const PERSON = { id: 'user:usr_1', name: 'ann@example.com' }

/** A member with this role on each of these sites. Without a site, everywhere. */
async function addPerson({ db }: Fleet, places: readonly (string | null)[], role: 'manager' | 'admin' = 'manager') {
  await db.insertInto('user_account').values({ id: 'usr_1', email: PERSON.name }).execute()
  for (const site_id of places) {
    await db.insertInto('membership').values({ user_id: 'usr_1', organization_id: 'org', site_id, role }).execute()
  }
}

/** Places a dispatch while its controller is away, takes rights from the caller, and lets the controller come back. */
async function placedBefore(fleet: Fleet, placedBy: typeof KEY, change: () => Promise<unknown>): Promise<string> {
  const device = fleet.device(0)
  device.isOnline = false
  const { engine, back } = fleet.startProcess()
  const id = await fleet.add({ placedBy })
  engine.wake()
  await change()
  device.isOnline = true
  back(device.id)
  return id
}

async function isRefused(fleet: Fleet, id: string): Promise<void> {
  await endsWith(fleet, id, { refused: 1 })
  expect((await fleet.outcomes(id))[0]?.reason).toBe('who placed the dispatch may no longer control this device')
  expect(fleet.device(0).received).toEqual([])
}

describe('a key', () => {
  test.each([
    ['was revoked', ({ db }: Fleet) => createKeyStore(db).revoke('org', KEY.id, new Date())],
    [
      'expired',
      ({ db, clock }: Fleet) =>
        db
          .updateTable('api_key')
          .set({ expires_at: new Date(clock.now()) })
          .execute(),
    ],
    ['lost its sites', ({ db }: Fleet) => db.updateTable('api_key').set({ all_sites: false }).execute()],
    [
      'is for another site now',
      async ({ db }: Fleet) => {
        await db.updateTable('api_key').set({ all_sites: false }).execute()
        await db
          .insertInto('api_key_site')
          .values({ organization_id: 'org', api_key_id: KEY.id, site_id: 'annex' })
          .execute()
      },
    ],
    [
      'is only for requests now',
      ({ db }: Fleet) =>
        db
          .updateTable('api_key')
          .set({ permissions: ['ticket:read_write'] })
          .execute(),
    ],
  ])('that %s places nothing more', async (_what, change) => {
    const fleet = await startFleet(1)
    await isRefused(fleet, await placedBefore(fleet, KEY, () => change(fleet)))
  })

  test('has its own idempotency keys in each organization', async () => {
    const fleet = await startFleet(1)
    const id = await fleet.add()
    const store = createDispatchStore(fleet.db)
    expect(await store.findByKey('org', KEY.id, id)).toMatchObject({ id })
    expect(await store.findByKey('other', KEY.id, id)).toBeUndefined()
    expect(await store.findByKey('org', 'key_other', id)).toBeUndefined()
  })

  test('of the site still places', async () => {
    const fleet = await startFleet(1)
    const id = await placedBefore(fleet, KEY, async () => {
      await fleet.db.updateTable('api_key').set({ all_sites: false }).execute()
      await fleet.db
        .insertInto('api_key_site')
        .values({ organization_id: 'org', api_key_id: KEY.id, site_id: 'site' })
        .execute()
    })
    await endsWith(fleet, id, { accepted: 1 })
  })

  test('that a process does not know, or knows to be revoked since the claim, places nothing until it is sure', async () => {
    const fleet = await startFleet(2)
    fleet.world.isActive = false
    const { engine } = fleet.startProcess()
    const id = await fleet.add()
    engine.wake()
    await fleet.pass(3)
    expect((await fleet.dispatch(id)).counts).toMatchObject({ pending: 2 })
    expect(fleet.device(0).received).toEqual([])
    fleet.world.isActive = true
    await endsWith(fleet, id, { accepted: 2 })
  })
})

/** A manager of the sites with a tag, which the site of the device has. */
async function addManagerByTag({ db }: Fleet): Promise<void> {
  await db.insertInto('user_account').values({ id: 'usr_1', email: PERSON.name }).execute()
  const role = { role: 'group', group_role: 'manager', site_tag: 'north' } as const
  await db
    .insertInto('membership')
    .values({ user_id: 'usr_1', organization_id: 'org', site_id: null, ...role })
    .execute()
  await db.insertInto('site_tag').values({ organization_id: 'org', site_id: 'site', tag: 'north' }).execute()
}

describe('a person', () => {
  test('who manages the site by tag places, and no longer when the site loses the tag', async () => {
    const fleet = await startFleet(1)
    await addManagerByTag(fleet)
    await isRefused(fleet, await placedBefore(fleet, PERSON, () => fleet.db.deleteFrom('site_tag').execute()))
    await fleet.db.insertInto('site_tag').values({ organization_id: 'org', site_id: 'site', tag: 'north' }).execute()
    await endsWith(fleet, await placedBefore(fleet, PERSON, async () => {}), { accepted: 1 })
  })

  test('who manages all sites places, and a viewer of all sites does not', async () => {
    const fleet = await startFleet(1)
    await addManagerByTag(fleet)
    await fleet.db.updateTable('membership').set({ site_tag: null, group_role: 'viewer' }).execute()
    await isRefused(fleet, await placedBefore(fleet, PERSON, async () => {}))
    await fleet.db.updateTable('membership').set({ group_role: 'manager' }).execute()
    await endsWith(fleet, await placedBefore(fleet, PERSON, async () => {}), { accepted: 1 })
  })

  test.each([
    [
      'was removed from the site and manages another one',
      ({ db }: Fleet) => db.deleteFrom('membership').where('site_id', '=', 'site').execute(),
    ],
    [
      'may only look at the site now',
      ({ db }: Fleet) => db.updateTable('membership').where('site_id', '=', 'site').set({ role: 'viewer' }).execute(),
    ],
  ])('who %s places nothing more', async (_what, change) => {
    const fleet = await startFleet(1)
    await addPerson(fleet, ['site', 'annex'])
    await isRefused(fleet, await placedBefore(fleet, PERSON, () => change(fleet)))
  })

  test('who manages only this site now still places', async () => {
    const fleet = await startFleet(1)
    await addPerson(fleet, ['site', 'annex'])
    const id = await placedBefore(fleet, PERSON, () =>
      fleet.db.deleteFrom('membership').where('site_id', '=', 'annex').execute(),
    )
    await endsWith(fleet, id, { accepted: 1 })
  })

  test('who is an administrator places everywhere', async () => {
    const fleet = await startFleet(1)
    await addPerson(fleet, [null], 'admin')
    const { engine } = fleet.startProcess()
    const id = await fleet.add({ placedBy: PERSON })
    engine.wake()
    await endsWith(fleet, id, { accepted: 1 })
  })
})
