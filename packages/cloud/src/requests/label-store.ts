import type { Db } from '../db/database.ts'

/** A unit or a tag of a site. */
export interface Label {
  id: string
  name: string
}

export interface LabelPage {
  found: Label[]
  /** The `after` of the next page; `null` on the last page. */
  next: string | null
}

export type LabelStore = ReturnType<typeof createLabelStore>

/** The units and tags of a site. Adding a unit whose name exists violates `unit_site_id_name_key`. */
export function createLabelStore(db: Db) {
  /** Returns one page in order of name. */
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

    async addUnit(siteId: string, unit: Label): Promise<void> {
      await db
        .insertInto('unit')
        .values({ ...unit, site_id: siteId })
        .execute()
    },

    /** Removes a unit; its requests keep no unit. Returns false when the site has no such unit. */
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
