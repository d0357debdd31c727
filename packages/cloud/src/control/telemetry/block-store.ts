import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { givenRows, insertGiven } from '../../platform/db/given-rows.ts'
import type { Place } from './series-store.ts'

export const DAY_MS = 86_400_000

/** A block without its values. */
export interface BlockInfo {
  day: number
  part: number
  count: number
  hours: Buffer | null
}

/** Lists the blocks of the days of a period, oldest first, with their hours or without. */
export function listBlocks(
  db: Db,
  { groupId, slot }: Place,
  { from, to }: { from: number; to: number },
  { hours }: { hours: boolean },
): Promise<BlockInfo[]> {
  return db
    .selectFrom('measurement_block')
    .where('group_id', '=', groupId)
    .where('slot', '=', slot)
    .where('day', '>=', Math.floor(from / DAY_MS))
    .where('day', '<', Math.ceil(to / DAY_MS))
    .select(['day', 'part', 'count'])
    .select(hours ? 'hours' : sql<null>`NULL`.as('hours'))
    .orderBy('day')
    .orderBy('part')
    .execute()
}

/** Reads the values of blocks, oldest first. */
export async function readBlocks(
  db: Db,
  { groupId, slot }: Place,
  blocks: readonly Pick<BlockInfo, 'day' | 'part'>[],
): Promise<{ day: number; part: number; data: Buffer }[]> {
  const { rows } = await sql<{ day: number; part: number; data: Buffer }>`
    SELECT day, part, data FROM measurement_block
    WHERE group_id = ${groupId} AND slot = ${slot} AND (day, part) IN (
      SELECT * FROM ${givenRows(blocks, { day: 'integer', part: 'smallint' })}
    )
    ORDER BY day, part`.execute(db)
  return rows
}

/** A block to be written. */
export interface Block extends BlockInfo {
  slot: number
  data: Buffer
}

/** Adds blocks, or replaces them. */
export async function writeBlocks(db: Db, groupId: number, blocks: readonly Block[]): Promise<void> {
  await sql`
    ${insertGiven('measurement_block', { group_id: groupId }, blocks, {
      slot: 'smallint',
      day: 'integer',
      part: 'smallint',
      count: 'integer',
      hours: 'bytea',
      data: 'bytea',
    })}
    ON CONFLICT (group_id, slot, day, part) DO UPDATE SET
      count = excluded.count, hours = excluded.hours, data = excluded.data`.execute(db)
}
