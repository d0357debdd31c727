import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** A person of a site. */
interface PersonOfSite {
  id: string
  email: string
  name: string | null
  phone: string | null
}

interface PersonChanges {
  email?: string
  name?: string | null
  phone?: string | null
}

interface PersonPage {
  people: PersonOfSite[]
  /** The `after` of the next page; `null` on the last page. */
  next: string | null
}

export type PersonStore = ReturnType<typeof createPersonStore>

const SHOWN = ['id', 'email', 'name', 'phone'] as const

/** The people of a site. Adding an email that exists, in any case, violates `person_email`. */
export function createPersonStore(db: Db) {
  return {
    /** Returns one page in order of email. */
    async list(siteId: string, page: { limit: number; after?: string | undefined }): Promise<PersonPage> {
      let rows = db.selectFrom('person').where('site_id', '=', siteId)
      if (page.after !== undefined) rows = rows.where(sql`lower(email)`, '>', page.after)
      const found = await rows
        .select(SHOWN)
        .select(sql<string>`lower(email)`.as('place'))
        .orderBy(sql`lower(email)`)
        .limit(page.limit + 1)
        .execute()
      const shown = found.slice(0, page.limit)
      return {
        next: found.length > page.limit ? (shown.at(-1)?.place ?? null) : null,
        people: shown.map(({ id, email, name, phone }) => ({ id, email, name, phone })),
      }
    },

    async add(siteId: string, person: PersonOfSite): Promise<void> {
      await db
        .insertInto('person')
        .values({ ...person, site_id: siteId })
        .execute()
    },

    /** Changes the given fields. Returns undefined when the site has no such person. */
    change: (siteId: string, id: string, changes: PersonChanges): Promise<PersonOfSite | undefined> =>
      db
        .updateTable('person')
        .set(changes)
        .where('site_id', '=', siteId)
        .where('id', '=', id)
        .returning(SHOWN)
        .executeTakeFirst(),

    /** Removes a person; what they reported and wrote stays as text. Returns undefined when there is no such person. */
    remove: (siteId: string, id: string): Promise<PersonOfSite | undefined> =>
      db.deleteFrom('person').where('site_id', '=', siteId).where('id', '=', id).returning(SHOWN).executeTakeFirst(),
  }
}

/** Finds a person by email, in any case, and keeps them from being removed until the transaction ends. */
export function findPerson(tx: Db, siteId: string, email: string): Promise<PersonOfSite | undefined> {
  return tx
    .selectFrom('person')
    .where('site_id', '=', siteId)
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .select(SHOWN)
    .forKeyShare()
    .executeTakeFirst()
}
