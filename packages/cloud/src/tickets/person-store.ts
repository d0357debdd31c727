import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { PersonOfSite } from './named-store.ts'

export interface PersonChanges {
  email?: string
  name?: string | null
  phone?: string | null
}

export interface PersonPage {
  people: PersonOfSite[]
  /** The `after` of the next page; `null` when this is the last. */
  next: string | null
}

export type PersonStore = ReturnType<typeof createPersonStore>

const SHOWN = ['id', 'email', 'name', 'phone'] as const

/** The people of a site. No two have the same address, whatever its case: `person_email` is broken otherwise. */
export function createPersonStore(db: Db) {
  return {
    /** In the order of their addresses. */
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

    /** Changes what is said. `undefined` when the site has no such person. */
    change: (siteId: string, id: string, changes: PersonChanges): Promise<PersonOfSite | undefined> =>
      db
        .updateTable('person')
        .set(changes)
        .where('site_id', '=', siteId)
        .where('id', '=', id)
        .returning(SHOWN)
        .executeTakeFirst(),

    /** What they reported and wrote stays, as text. False when the site has no such person. */
    async remove(siteId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('person')
        .where('site_id', '=', siteId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
