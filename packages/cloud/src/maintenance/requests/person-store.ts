import { newId } from '@plantroom/base/ids'
import { foldEmail } from '@plantroom/contract/fold-email'
import { sql } from 'kysely'
import { membersOf, type SiteMember } from '../../organization/access/index.ts'
import { inBatches } from '../../platform/db/batches.ts'
import type { Db } from '../../platform/db/database.ts'
import { givenRows, insertGiven } from '../../platform/db/given-rows.ts'
import { findByKeys } from '../../platform/db/lookup.ts'
import { type Page, type PageQuery, pageOf } from '../../platform/db/page.ts'
import { lockNumbers } from './request-number-store.ts'

/** A person of a site. */
interface PersonOfSite {
  id: string
  email: string
  name: string | null
  phone: string | null
}

/** A person as lists show them. `member` is present for those who have a role on the site. */
interface ListedPerson extends PersonOfSite {
  member?: boolean
}

interface PersonChanges {
  email?: string
  name?: string | null
  phone?: string | null
}

export type PersonStore = ReturnType<typeof createPersonStore>

const SHOWN = ['id', 'email', 'name', 'phone'] as const

/**
 * The people of a site: those that were added, and the members who have a role on it. A member gets a row of their own when
 * something first refers to them; until then lists show them with the id of their account. Adding an email that another
 * row has, in any case, violates `person_email`.
 */
export function createPersonStore(db: Db) {
  return {
    /** Returns one page in order of email. */
    async list(siteId: string, { limit, cursor }: PageQuery): Promise<Page<ListedPerson>> {
      const { rows: found } = await sql<Required<ListedPerson> & { place: string }>`
        WITH member AS (${membersOf(siteId)}), everyone AS (
          SELECT id, email, name, phone, email_key AS place,
            EXISTS (SELECT FROM member WHERE member.email = email_key) AS member
          FROM person WHERE site_id = ${siteId}
          UNION ALL
          SELECT "userId", email, NULL, NULL, email, true FROM member
          WHERE NOT EXISTS (SELECT FROM person WHERE site_id = ${siteId} AND email_key = member.email)
        )
        SELECT * FROM everyone WHERE ${cursor ?? null}::text IS NULL OR place > ${cursor ?? null}
        ORDER BY place LIMIT ${limit + 1}`.execute(db)
      return pageOf(
        found,
        limit,
        ({ place }) => place,
        ({ place: _, member, ...person }) => ({ ...person, ...(member && { member }) }),
      )
    },

    async add(siteId: string, person: PersonOfSite): Promise<void> {
      await db
        .insertInto('person')
        .values({ ...person, site_id: siteId, email_key: foldEmail(person.email) })
        .execute()
    },

    /** Changes the given fields. Returns undefined when the site has no such person. */
    async change(siteId: string, id: string, changes: PersonChanges): Promise<PersonOfSite | undefined> {
      const email_key = changes.email === undefined ? undefined : foldEmail(changes.email)
      const change = (own: string) =>
        db
          .updateTable('person')
          .set({ ...changes, ...(email_key !== undefined && { email_key }) })
          .where('site_id', '=', siteId)
          .where('id', '=', own)
          .returning(SHOWN)
          .executeTakeFirst()
      const changed = await change(id)
      if (changed) return changed
      const [member] = await findMembers(db, siteId, { userIds: [id] })
      if (!member) return undefined
      const row = await findPerson(db, siteId, member.email)
      return row && change(row.id)
    },

    /** Removes a person; what they reported and wrote stays as text. Returns undefined when there is no such person. */
    remove: (siteId: string, id: string): Promise<PersonOfSite | undefined> =>
      db.deleteFrom('person').where('site_id', '=', siteId).where('id', '=', id).returning(SHOWN).executeTakeFirst(),

    async isMember(siteId: string, userId: string): Promise<boolean> {
      return (await findMembers(db, siteId, { userIds: [userId] })).length > 0
    },
  }
}

/**
 * Finds a person by email, in any case, and keeps them from being removed until the transaction ends. Gives a member a row.
 * Call it before locking requests: that may take the lock on numbers, and removing a person locks that person first.
 */
export async function findPerson(tx: Db, siteId: string, email: string): Promise<PersonOfSite | undefined> {
  const key = foldEmail(email)
  const find = () =>
    tx
      .selectFrom('person')
      .where('site_id', '=', siteId)
      .where('email_key', '=', key)
      .select(SHOWN)
      .forKeyShare()
      .executeTakeFirst()
  const found = await find()
  if (found) return found
  const [member] = await findMembers(tx, siteId, { keys: [key] })
  if (!member) return undefined
  // Imports add people under this lock. Without it, two transactions that add the same people could deadlock.
  await lockNumbers(tx, siteId)
  await insertPeople(tx, siteId, [{ email: member.email, name: null }])
  return find()
}

/** Finds members who have a role on the site, by the keys of their emails or by the ids of their accounts. */
export async function findMembers(
  db: Db,
  siteId: string,
  { keys = [], userIds = [] }: { keys?: readonly string[]; userIds?: readonly string[] },
): Promise<SiteMember[]> {
  if (keys.length === 0 && userIds.length === 0) return []
  const { rows } = await sql<SiteMember>`
    SELECT * FROM (${membersOf(siteId)}) AS member
    WHERE email = ANY(${keys}::text[]) OR "userId" = ANY(${userIds}::text[])`.execute(db)
  return rows
}

/**
 * Adds the people whom the site lacks. Returns the ids of all of them by the keys of their emails, and the keys of the added
 * ones. The caller holds the lock on numbers.
 */
export async function insertPeople(
  trx: Db,
  siteId: string,
  people: readonly { email: string; name: string | null }[],
): Promise<{ ids: ReadonlyMap<string, string>; created: ReadonlySet<string> }> {
  const ids = new Map<string, string>()
  for (const some of inBatches(people)) {
    const { rows } = await sql<{ id: string; key: string }>`
      ${insertGiven('person', { site_id: siteId }, some, {
        id: ['text', () => newId('person')],
        email: 'text',
        email_key: ['text', ({ email }) => foldEmail(email)],
        name: 'text',
      })}
      ORDER BY email_key
      ON CONFLICT (site_id, email_key) DO NOTHING
      RETURNING id, email_key AS key`.execute(trx)
    for (const { id, key } of rows) ids.set(key, id)
  }
  const created = new Set(ids.keys())
  // Someone else may have added some of them at the same moment.
  const keys = people.map(({ email }) => foldEmail(email)).filter((key) => !created.has(key))
  const columns = ['id', 'email_key'] as const
  const others = await findByKeys<{ id: string; email_key: string }>(trx, 'person', { siteId, keys, columns })
  for (const { id, email_key } of others) ids.set(email_key, id)
  return { ids, created }
}

/** Names people whom an import created, where a later part of its package knows the name. Names by the keys of emails. */
export async function nameCreatedPeople(
  trx: Db,
  { siteId, jobId }: { siteId: string; jobId: string },
  names: ReadonlyMap<string, string>,
): Promise<void> {
  if (names.size === 0) return
  await sql`
    UPDATE person SET name = given.name
    FROM ${givenRows([...names], { key: ['text', ([key]) => key], name: ['text', ([, name]) => name] })}
    WHERE person.site_id = ${siteId} AND person.email_key = given.key AND person.name IS NULL AND EXISTS (
      SELECT FROM job_finding
      WHERE job_id = ${jobId} AND kind = 'email' AND job_finding.key = given.key AND outcome = 'created'
    )`.execute(trx)
}
