import { newId } from '@plantroom/base/ids'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { lockNumbers } from './import-store.ts'

/** A person of a site. */
export interface PersonOfSite {
  id: string
  email: string
  name: string | null
  phone: string | null
}

/** Finds a person by email, in any case, and keeps them from being removed until the transaction ends. */
export function findPerson(tx: Db, siteId: string, email: string): Promise<PersonOfSite | undefined> {
  return tx
    .selectFrom('person')
    .where('site_id', '=', siteId)
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .select(['id', 'email', 'name', 'phone'])
    .forKeyShare()
    .executeTakeFirst()
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

/** Assigns the next number of a site. Other transactions wait for theirs until this one ends. */
export async function takeNumber(tx: Db, siteId: string): Promise<number> {
  const number = (await lockNumbers(tx, siteId)) + 1
  await tx.updateTable('ticket_number').set({ last: number }).where('site_id', '=', siteId).execute()
  return number
}
