import { newId } from '@plantroom/base/ids'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { lockNumbers } from './import-store.ts'

/** What a request can name, of one site. What is found stays until the transaction ends, so that it can be pointed to. */

export interface PersonOfSite {
  id: string
  email: string
  name: string | null
  phone: string | null
}

export function findPerson(tx: Db, siteId: string, email: string): Promise<PersonOfSite | undefined> {
  return tx
    .selectFrom('person')
    .where('site_id', '=', siteId)
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .select(['id', 'email', 'name', 'phone'])
    .forKeyShare()
    .executeTakeFirst()
}

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

/** The ids of tags in the order of their names as given, each once. Those that the site lacks are created. */
export async function findOrAddTags(tx: Db, siteId: string, names: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(names.map((name) => name.trim()))]
  let known = await tagIds(tx, siteId, wanted)
  if (wanted.some((name) => !known.has(name))) {
    // Imports create tags under this lock. Without it, two who create the same ones could wait for each other for ever.
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

/** The next number of a site. Nobody else gets one of that site until the transaction ends. */
export async function takeNumber(tx: Db, siteId: string): Promise<number> {
  const number = (await lockNumbers(tx, siteId)) + 1
  await tx.updateTable('ticket_number').set({ last: number }).where('site_id', '=', siteId).execute()
  return number
}
