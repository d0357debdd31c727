import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** The failure for a number that the site has not assigned. */
export function noRequest(number: number | string): Failure {
  return new Failure('notFound', `this site has no request ${shown(String(number))}`)
}

/** Locks the numbers of a site until the transaction ends and returns the last one assigned. */
export async function lockNumbers(trx: Db, siteId: string): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    INSERT INTO ticket_number AS numbers (site_id, last) VALUES (${siteId}, 0)
    ON CONFLICT (site_id) DO UPDATE SET last = numbers.last
    RETURNING last`.execute(trx)
  return rows[0]?.last ?? 0
}

/** Assigns the next number of a site. Other transactions wait for theirs until this one ends. */
export async function takeNumber(tx: Db, siteId: string): Promise<number> {
  const number = (await lockNumbers(tx, siteId)) + 1
  await tx.updateTable('ticket_number').set({ last: number }).where('site_id', '=', siteId).execute()
  return number
}
