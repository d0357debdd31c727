import { quotaReached } from '@plantroom/contract/failure'
import { sql } from 'kysely'
import type { Db } from './database.ts'

/** A place becomes free when an administrator removes something, at any time. */
const TRY_AGAIN_S = 60

interface Most {
  rows: number
  what: string
  remedy: string
  /** Which rows count; all by default. */
  counted?: ReturnType<typeof sql>
}

/** What every cloud process has in memory, of all organizations, so that one of them cannot fill it. */
const MOST = {
  api_key: {
    rows: 1_000,
    what: 'API keys that are not revoked',
    remedy: 'revoke one first',
    counted: sql`revoked_at IS NULL`,
  },
  site: { rows: 10_000, what: 'sites', remedy: 'remove one first' },
  device: { rows: 50_000, what: 'devices', remedy: 'remove one first' },
} satisfies Record<string, Most>

/** Throws when the organization has as many rows as it may have. Callers at the same moment may exceed that by a few. */
export async function requireRoom(db: Db, table: keyof typeof MOST, organizationId: string): Promise<void> {
  const { rows: most, what, remedy, counted = sql`true` }: Most = MOST[table]
  const { rows } = await sql<{ isFull: boolean }>`
    SELECT count(*) >= ${most} AS "isFull" FROM (
      SELECT FROM ${sql.table(table)} WHERE organization_id = ${organizationId} AND ${counted} LIMIT ${most}
    ) AS own`.execute(db)
  if (!rows[0]?.isFull) return
  throw quotaReached(`the organization has ${most} ${what}, the most it may have: ${remedy}`, TRY_AGAIN_S)
}
