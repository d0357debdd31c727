import { newId } from '@plantroom/base/ids'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type Page, type PageQuery, readPage } from '../../platform/db/page.ts'
import { lockNumbers } from './request-number-store.ts'

/** A unit or a tag of a site. */
interface Label {
  id: string
  name: string
}

export type LabelStore = ReturnType<typeof createLabelStore>

/** The units and tags of a site. Adding a unit whose name exists violates `unit_site_id_name_key`. */
export function createLabelStore(db: Db) {
  return {
    /** Returns one page in order of name. */
    list(table: 'unit' | 'tag', siteId: string, page: PageQuery): Promise<Page<Label>> {
      const labels = db.selectFrom(table).where('site_id', '=', siteId).select(['id', 'name'])
      return readPage(labels, page, { by: 'name', order: 'asc' }, (label) => label)
    },

    async addUnit(siteId: string, unit: Label): Promise<void> {
      await db
        .insertInto('unit')
        .values({ ...unit, site_id: siteId })
        .execute()
    },

    /** Removes a unit; its requests keep no unit. Returns undefined when the site has no such unit. */
    removeUnit: (siteId: string, id: string): Promise<Label | undefined> =>
      db
        .deleteFrom('unit')
        .where('site_id', '=', siteId)
        .where('id', '=', id)
        .returning(['id', 'name'])
        .executeTakeFirst(),
  }
}

/** Finds a unit by name and keeps it from being removed until the transaction ends. */
export async function findUnitId(tx: Db, siteId: string, name: string): Promise<string | undefined> {
  const unit = await tx
    .selectFrom('unit')
    .where('site_id', '=', siteId)
    .where('name', '=', name.trim())
    .select('id')
    .forKeyShare()
    .executeTakeFirst()
  return unit?.id
}

/** Returns the ids of tags in the given order without duplicates. Creates the tags that the site lacks. */
export async function findOrAddTags(tx: Db, siteId: string, names: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(names.map((name) => name.trim()))]
  let known = await tagIds(tx, siteId, wanted)
  if (wanted.some((name) => !known.has(name))) {
    // Imports create tags under this lock. Without it, two transactions creating the same tags could deadlock.
    await lockNumbers(tx, siteId)
    await tx
      .insertInto('tag')
      .values(wanted.map((name) => ({ id: newId('tag'), site_id: siteId, name })))
      .onConflict((conflict) => conflict.columns(['site_id', 'name']).doNothing())
      .execute()
    known = await tagIds(tx, siteId, wanted)
  }
  return wanted.flatMap((name) => known.get(name) ?? [])
}

async function tagIds(tx: Db, siteId: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx
    .selectFrom('tag')
    .where('site_id', '=', siteId)
    .where('name', '=', sql<string>`ANY(${names}::text[])`)
    .select(['id', 'name'])
    .execute()
  return new Map(rows.map(({ id, name }) => [name, id]))
}
