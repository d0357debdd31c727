import type { Db } from '../db/database.ts'

/** A unit or a tag of a site. */
export interface Labelled {
  id: string
  name: string
}

export interface LabelPage {
  found: Labelled[]
  /** The `after` of the next page; `null` when this is the last. */
  next: string | null
}

export type LabelStore = ReturnType<typeof createLabelStore>

/** The units and the tags of a site: names, each once, for `unit_site_id_name_key` is broken otherwise. */
export function createLabelStore(db: Db) {
  /** In the order of their names. */
  async function list(
    table: 'unit' | 'tag',
    siteId: string,
    page: { limit: number; after?: string | undefined },
  ): Promise<LabelPage> {
    let rows = db.selectFrom(table).where('site_id', '=', siteId)
    if (page.after !== undefined) rows = rows.where('name', '>', page.after)
    const some = await rows
      .select(['id', 'name'])
      .orderBy('name')
      .limit(page.limit + 1)
      .execute()
    const found = some.slice(0, page.limit)
    return { found, next: some.length > page.limit ? (found.at(-1)?.name ?? null) : null }
  }

  return {
    list,

    async addUnit(siteId: string, unit: Labelled): Promise<void> {
      await db
        .insertInto('unit')
        .values({ ...unit, site_id: siteId })
        .execute()
    },

    /** The requests of that unit have none then. False when the site has no such unit. */
    async removeUnit(siteId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('unit')
        .where('site_id', '=', siteId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
