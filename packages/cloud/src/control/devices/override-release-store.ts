import type { PendingRelease } from '@plantroom/contract/control-state'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** A device that must cancel one override, or everything a caller placed. */
export interface OverrideRelease {
  deviceId: string
  /** Empty for one override. */
  placedBy: string
  /** Empty for everything that the caller placed. */
  overrideId: string
  requestedAt: Date
  /** Who asked for it, with the name at that time, and why. */
  requestedBy: string
  requestedByName: string
  reason: string
}

const COLUMNS = [
  'device_id as deviceId',
  'placed_by as placedBy',
  'override_id as overrideId',
  'requested_at as requestedAt',
  'requested_by as requestedBy',
  'requested_by_name as requestedByName',
  'reason',
] as const

type Key = Pick<OverrideRelease, 'deviceId' | 'placedBy' | 'overrideId'>

export type OverrideReleaseStore = ReturnType<typeof createOverrideReleaseStore>

/** Releases of whole callers are recorded by the transaction that revokes a key. */
export function createOverrideReleaseStore(db: Db) {
  const releases = db.selectFrom('override_release').select(COLUMNS)
  const one = ({ deviceId, placedBy, overrideId }: Key) =>
    sql<boolean>`(device_id, placed_by, override_id) = (${deviceId}, ${placedBy}, ${overrideId})`

  return {
    /** Keeps the release of one override. Who asked first stays. */
    async add(release: Omit<OverrideRelease, 'placedBy'>): Promise<void> {
      const { deviceId, overrideId, requestedAt, requestedBy, requestedByName, reason } = release
      const about = { requested_at: requestedAt, requested_by: requestedBy, requested_by_name: requestedByName, reason }
      await db
        .insertInto('override_release')
        .values({ device_id: deviceId, placed_by: '', override_id: overrideId, due_at: requestedAt, ...about })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    /** Reports whether the cloud has heard of an override of this device. */
    async knows(deviceId: string, overrideId: string): Promise<boolean> {
      const { rows } = await sql<{ known: boolean }>`
        SELECT EXISTS (SELECT FROM override_owner WHERE device_id = ${deviceId} AND override_id = ${overrideId})
          OR EXISTS (SELECT FROM device_state WHERE device_id = ${deviceId} AND ${lists(sql`${overrideId}::text`)}) AS known`.execute(
        db,
      )
      return rows[0]?.known === true
    },

    /** The releases that a device has not confirmed, of the overrides in its last state. */
    async pending(deviceId: string): Promise<PendingRelease[]> {
      const { rows } = await sql<Omit<PendingRelease, 'at'> & { at: Date }>`
        SELECT DISTINCT ON (placed ->> 'id') placed ->> 'id' AS "overrideId", placed ->> 'datapointId' AS "datapointId",
          requested_by_name AS by, requested_at AS at
        FROM override_release AS release
        JOIN device_state AS state USING (device_id)
        CROSS JOIN LATERAL jsonb_array_elements(state.document -> 'overrides') AS placed
        WHERE device_id = ${deviceId} AND NOT confirmed
          AND (placed ->> 'id' = override_id OR (override_id = '' AND placed ->> 'placedBy' = placed_by))
        ORDER BY placed ->> 'id', requested_at`.execute(db)
      return rows.map(({ at, ...rest }) => ({ ...rest, at: at.toISOString() }))
    },

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
    async postpone(given: readonly Key[], dueAt: Date): Promise<void> {
      for (const key of given) await db.updateTable('override_release').set({ due_at: dueAt }).where(one(key)).execute()
    },

    /** The device has cancelled everything, and is asked once more at `again`. */
    async confirm(release: OverrideRelease, again: Date): Promise<void> {
      const set = { confirmed: true, due_at: again }
      await db.updateTable('override_release').set(set).where(one(release)).execute()
    },

    /** Removes a release, unless it was requested again in the meantime. */
    async finish(release: OverrideRelease): Promise<void> {
      await db
        .deleteFrom('override_release')
        .where(one(release))
        .where('requested_at', '=', release.requestedAt)
        .execute()
    },

    /**
     * Removes the release of an override that a device refuses to cancel, if a later state of it does not list it: then it
     * is over. Not while the device waits for what it had. Returns whether it was removed.
     */
    async finishIfOver(release: OverrideRelease): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('override_release')
        .where(one(release))
        .where(
          sql<boolean>`EXISTS (
            SELECT FROM device_state AS state
            WHERE state.device_id = override_release.device_id AND state.received_at > override_release.requested_at
              AND NOT state.document ? 'overridesLeftOut' AND NOT ${lists(sql`override_release.override_id`)}
          ) AND NOT EXISTS (
            SELECT FROM device_replacement AS open
            WHERE open.device_id = override_release.device_id AND open.finished_at IS NULL
          )`,
        )
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },
  }
}

/** Whether a state lists an override. */
const lists = (overrideId: ReturnType<typeof sql>) =>
  sql`(document -> 'overrides') @> jsonb_build_array(jsonb_build_object('id', ${overrideId}))`
