import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Who placed an override on a device. */
export interface OverrideOwner {
  deviceId: string
  overrideId: string
  placedBy: string
  endsAt: Date
}

export type OverrideOwnerStore = ReturnType<typeof createOverrideOwnerStore>

export function createOverrideOwnerStore(db: Db) {
  return {
    /** Stores owners. The first owner of an override stays its owner. */
    async add(owners: readonly OverrideOwner[]): Promise<void> {
      const column = <Value>(of: (owner: OverrideOwner) => Value) => owners.map(of)
      await sql`
        INSERT INTO override_owner (device_id, override_id, placed_by, ends_at)
        SELECT * FROM unnest(
          ${column(({ deviceId }) => deviceId)}::text[],
          ${column(({ overrideId }) => overrideId)}::text[],
          ${column(({ placedBy }) => placedBy)}::text[],
          ${column(({ endsAt }) => endsAt)}::timestamptz[]
        )
        ON CONFLICT (device_id, override_id) DO NOTHING`.execute(db)
    },
  }
}
