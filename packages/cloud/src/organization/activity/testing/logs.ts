import { type AuditKey, newAuditKey, openAuditKey } from '@plantroom/base/audit-key'
import { type Clock, systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { sha256 } from '@plantroom/base/sha256'
import type { ChainedActivity } from '@plantroom/contract/activity'
import { expect, onTestFinished } from 'vitest'
import { type Db, openDatabase } from '../../../platform/db/database.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { type ActivityLog, createActivityLog } from '../activity-log.ts'
import type { ActingParty } from '../happened.ts'

export const ANNA: ActingParty = { kind: 'person', id: 'usr_anna', name: 'anna@example.com', address: '192.0.2.1' }

export function openTestDatabase(connectionString: string): Db {
  const db = openDatabase({ connectionString }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  return db
}

/** An activity log on an empty database. */
export async function openLog({ clock = systemClock }: { clock?: Clock } = {}) {
  const db = openTestDatabase(await createTestDatabase())
  const key: AuditKey = openAuditKey(newAuditKey())
  return { db, key, activity: createActivityLog({ db, key, clock }) }
}

/** An activity log on this database, with a key of its own. */
export const activityOn = (db: Db): ActivityLog =>
  createActivityLog({ db, key: openAuditKey(newAuditKey()), clock: systemClock })

/** Reads a chain from its oldest entry, and checks every hash and number. */
export async function readChain(db: Db, chain: string): Promise<ChainedActivity[]> {
  const rows = await db.selectFrom('activity').where('chain', '=', chain).selectAll().orderBy('seq').execute()
  let previous: string | null = null
  for (const [index, { seq, entry }] of rows.entries()) {
    const parsed = JSON.parse(entry) as ChainedActivity
    expect([Number(seq), parsed.seq, parsed.previous]).toEqual([index + 1, index + 1, previous])
    previous = sha256(entry)
  }
  const head = await db.selectFrom('activity_head').where('chain', '=', chain).selectAll().executeTakeFirst()
  expect([Number(head?.seq ?? 0), head?.hash ?? null]).toEqual([rows.length, previous])
  return rows.map(({ entry }) => JSON.parse(entry) as ChainedActivity)
}
