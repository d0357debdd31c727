import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { DeviceBatch } from './measurement-store.ts'

/** How many datapoints of all devices are kept in memory. */
const MAX_CACHED = 500_000

export type CommissionedStore = ReturnType<typeof createCommissionedStore>

/** Which datapoints a device may send values of, and how long they are kept. */
export function createCommissionedStore(db: Db) {
  const cached = new Map<string, ReadonlySet<string>>()
  let size = 0

  const isKnown = ({ deviceId, items }: DeviceBatch) => {
    const datapoints = cached.get(deviceId)
    return items.measurements.every(({ datapointId }) => datapoints?.has(datapointId))
  }

  return {
    /**
     * Returns the datapoints of the devices of these batches: those that are commissioned, and those that were and have
     * values, of which a backlog may still arrive. Reads them when a batch has others, for all devices at once.
     */
    async known(batches: readonly DeviceBatch[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
      if (size > MAX_CACHED) {
        cached.clear()
        size = 0
      }
      const unread = batches.filter((batch) => !isKnown(batch)).map(({ deviceId }) => deviceId)
      if (unread.length === 0) return cached
      const { rows } = await sql<{ id: string; datapoints: string[] }>`
        SELECT id, ARRAY(
          SELECT jsonb_path_query(document::jsonb, '$.connections[*].datapoints[*].id') #>> '{}'
          FROM technical_system WHERE device_id = given.id
          UNION
          SELECT datapoint_id FROM measurement_series WHERE device_id = given.id
        ) AS datapoints
        FROM unnest(${unread}::text[]) AS given (id)`.execute(db)
      for (const { id, datapoints } of rows) {
        size += datapoints.length - (cached.get(id)?.size ?? 0)
        cached.set(id, new Set(datapoints))
      }
      return cached
    },

    /** The organizations that keep values for some days only. */
    async retentionDays(): Promise<Map<string, number>> {
      const rows = await db
        .selectFrom('organization')
        .where('measurement_days', 'is not', null)
        .select(['id', 'measurement_days as days'])
        .execute()
      return new Map(rows.map(({ id, days }) => [id, days ?? 0]))
    },
  }
}
