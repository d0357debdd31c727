import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Known } from './plan.ts'

/** Returns which of these requests are on the site, with the job that created each. */
export async function findRequests(
  db: Db,
  siteId: string,
  externalIds: readonly string[],
): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ external_id: string; job_id: string | null }>`
    SELECT external_id, job_id FROM ticket WHERE site_id = ${siteId} AND external_id = ANY(${externalIds}::text[])`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.external_id, row.job_id]))
}

/**
 * Updates the statistics of the table. Without them the database believes that a growing site is still empty and scans all of
 * it for every batch.
 */
export async function analyzeRequests(db: Db): Promise<void> {
  await sql`ANALYZE ticket (site_id, external_id)`.execute(db)
}

/** Looks up people, units and tags of the site. */
export async function findNames(
  db: Db,
  siteId: string,
  { emails, units, tags }: { emails: readonly string[]; units: readonly string[]; tags: readonly string[] },
): Promise<Omit<Known, 'requests'>> {
  const people = new Map<string, { id: string | null; key: string }>()
  if (emails.length > 0) {
    // The database lowers the case, as its index does; JavaScript has other rules.
    const { rows } = await sql<{ email: string; key: string; id: string | null }>`
      SELECT asked.email, lower(asked.email) AS key, person.id
      FROM unnest(${emails}::text[]) AS asked (email)
      LEFT JOIN person ON person.site_id = ${siteId} AND lower(person.email) = lower(asked.email)`.execute(db)
    for (const { email, key, id } of rows) people.set(email, { id, key })
  }
  const idsOf = async (table: 'unit' | 'tag', names: readonly string[]) => {
    if (names.length === 0) return new Map<string, string>()
    const { rows } = await sql<{ name: string; id: string }>`
      SELECT name, id FROM ${sql.table(table)} WHERE site_id = ${siteId} AND name = ANY(${names}::text[])`.execute(db)
    return new Map(rows.map(({ name, id }) => [name, id]))
  }
  return { people, units: await idsOf('unit', units), tags: await idsOf('tag', tags) }
}

/** Whether Maintenance Requests are turned on for the site. */
export async function isTurnedOn(db: Db, siteId: string): Promise<boolean> {
  const site = await db.selectFrom('site').where('id', '=', siteId).select('maintenance_requests').executeTakeFirst()
  return site?.maintenance_requests ?? false
}
