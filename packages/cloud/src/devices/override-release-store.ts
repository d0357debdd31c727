import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** A device that must cancel everything a caller placed. */
export interface OverrideRelease {
  deviceId: string
  placedBy: string
  requestedAt: Date
  /** Who asked for it, with the name at that time. */
  requestedBy: string
  requestedByName: string
}

const COLUMNS = [
  'device_id as deviceId',
  'placed_by as placedBy',
  'requested_at as requestedAt',
  'requested_by as requestedBy',
  'requested_by_name as requestedByName',
] as const

export type OverrideReleaseStore = ReturnType<typeof createOverrideReleaseStore>

/** Releases are recorded by the transaction that revokes a key. */
export function createOverrideReleaseStore(db: Db) {
  const releases = db.selectFrom('override_release').select(COLUMNS)

  return {
    /** The releases of a caller, with the names of the devices. */
    ofCaller: (placedBy: string): Promise<(OverrideRelease & { name: string })[]> =>
      releases
        .innerJoin('device', 'device.id', 'override_release.device_id')
        .select('device.name')
        .where('placed_by', '=', placedBy)
        .orderBy('device.name')
        .orderBy('device.id')
        .execute(),

    /** The devices with a release that is due. */
    async dueDevices(now: Date): Promise<string[]> {
      const due = releases.where('due_at', '<=', now).distinctOn('device_id')
      return (await due.execute()).map(({ deviceId }) => deviceId)
    },

    /** Claims what is due for these devices until `until`: no other process gets it before. */
    async claim(deviceIds: readonly string[], now: Date, until: Date): Promise<OverrideRelease[]> {
      return db
        .updateTable('override_release')
        .set({ due_at: until })
        .where('device_id', '=', sql<string>`ANY(${[...deviceIds]}::text[])`)
        .where('due_at', '<=', now)
        .returning(COLUMNS)
        .execute()
    },

    /** Makes releases due at a later time, for whichever process comes first. */
    async postpone(placedBy: string, deviceIds: readonly string[], dueAt: Date): Promise<void> {
      await db
        .updateTable('override_release')
        .set({ due_at: dueAt })
        .where('placed_by', '=', placedBy)
        .where('device_id', '=', sql<string>`ANY(${[...deviceIds]}::text[])`)
        .execute()
    },

    /** The device has cancelled everything, and is asked once more at `again`. */
    async confirm({ deviceId, placedBy }: OverrideRelease, again: Date): Promise<void> {
      await db
        .updateTable('override_release')
        .set({ confirmed: true, due_at: again })
        .where('device_id', '=', deviceId)
        .where('placed_by', '=', placedBy)
        .execute()
    },

    /** Removes a release, unless it was requested again in the meantime. */
    async finish({ deviceId, placedBy, requestedAt }: OverrideRelease): Promise<void> {
      await db
        .deleteFrom('override_release')
        .where('device_id', '=', deviceId)
        .where('placed_by', '=', placedBy)
        .where('requested_at', '=', requestedAt)
        .execute()
    },
  }
}
