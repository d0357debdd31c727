import type { ActivityAction } from '@plantroom/contract/activity'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type Page, type PageQuery, readPage } from '../../platform/db/page.ts'

/** The chain of what belongs to no organization. */
export const SERVICE_CHAIN = 'service'

interface NewEntry {
  chain: string
  seq: number
  at: Date
  entry: string
  hash: string
  key: string
  signature: string
}

/** What to list, of one chain. */
export interface ActivityQuery extends PageQuery {
  chain: string
  actor?: string | undefined
  action?: ActivityAction | undefined
  subject?: string | undefined
  siteId?: string | undefined
  /** Inclusive. */
  from?: Date | undefined
  /** Exclusive. */
  to?: Date | undefined
}

/** Takes the next number of a chain and locks the chain until the transaction ends. */
export async function lockHead(tx: Db, chain: string): Promise<{ seq: number; previous: string | null }> {
  const { rows } = await sql<{ seq: string; hash: string | null }>`
    INSERT INTO activity_head AS head (chain, seq) VALUES (${chain}, 1)
    ON CONFLICT (chain) DO UPDATE SET seq = head.seq + 1
    RETURNING seq, hash`.execute(tx)
  const [head] = rows
  if (!head) throw new Error('the database did not number an entry')
  return { seq: Number(head.seq), previous: head.hash }
}

/** Stores an entry under the number that `lockHead` took. */
export async function addEntry(tx: Db, { chain, seq, at, entry, hash, key, signature }: NewEntry): Promise<void> {
  await sql`
    WITH head AS (UPDATE activity_head SET hash = ${hash} WHERE chain = ${chain})
    INSERT INTO activity (chain, seq, at, entry, key, signature)
    VALUES (${chain}, ${seq}, ${at}, ${entry}, ${key}, ${signature})`.execute(tx)
}

/** True when the log already says that this caller did this to this subject. */
export async function isRecorded(
  db: Db,
  { chain, action, subject, actor }: { chain: string; action: ActivityAction; subject: string; actor: string | null },
): Promise<boolean> {
  const found = await db
    .selectFrom('activity')
    .where('chain', '=', chain)
    .where('subject_id', '=', subject)
    .where('action', '=', action)
    .where('actor_id', 'is not distinct from', actor)
    .select('seq')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** The organizations that a person belongs to. */
export async function organizationsOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('membership')
    .where('user_id', '=', userId)
    .select('organization_id')
    .distinct()
    .execute()
  return rows.map((row) => row.organization_id)
}

export type ActivityStore = ReturnType<typeof createActivityStore>

/** Reads the activity log. Nothing here is ever changed or deleted. */
export function createActivityStore(db: Db) {
  return {
    /** Lists the texts of entries, the newest first. */
    list(query: ActivityQuery): Promise<Page<string>> {
      const { actor, action, subject, siteId, from, to } = query
      let rows = db.selectFrom('activity').where('chain', '=', query.chain)
      if (actor !== undefined) rows = rows.where('actor_id', '=', actor)
      if (action !== undefined) rows = rows.where('action', '=', action)
      if (subject !== undefined) rows = rows.where('subject_id', '=', subject)
      if (siteId !== undefined) rows = rows.where('site_id', '=', siteId)
      if (from) rows = rows.where('at', '>=', from)
      if (to) rows = rows.where('at', '<', to)
      return readPage(rows.select(['seq', 'entry']), query, { by: 'seq', order: 'desc' }, ({ entry }) => entry)
    },

    /** Lists the links of a chain from the oldest, after a number. */
    links: (chain: string, after: string | undefined, limit: number) =>
      db
        .selectFrom('activity')
        .where('chain', '=', chain)
        .where('seq', '>', after ?? '0')
        .select(['seq as position', 'entry', 'key', 'signature'])
        .orderBy('seq')
        .limit(limit)
        .execute(),

    /** The public key of one of the newest entries. */
    async lastKey(): Promise<string | undefined> {
      const newest = db.selectFrom('activity').select('key').orderBy('chain', 'desc').orderBy('seq', 'desc').limit(1)
      return (await newest.executeTakeFirst())?.key
    },

    organizationsOf: (userId: string) => organizationsOf(db, userId),

    /** Finds a key in any state, for the record of its refusal. */
    findKey: (id: string) =>
      db
        .selectFrom('api_key')
        .where('id', '=', id)
        .select(['organization_id as organizationId', 'name', 'revoked_at as revokedAt', 'expires_at as expiresAt'])
        .executeTakeFirst(),
  }
}
