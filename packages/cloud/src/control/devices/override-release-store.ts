import type { PendingRelease } from '@plantroom/contract/control-state'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { addTasks, type DeviceTask, settleTasks, type TaskKey, type TaskResult } from './task-store.ts'

export const OVERRIDE_RELEASE = 'override-release'

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

export type ReleaseTask = OverrideRelease & TaskKey & Pick<DeviceTask, 'claim' | 'attempts'>

export interface ReleaseResult extends TaskResult {
  /** The device has cancelled everything that it had, and is asked once more. */
  isConfirmed?: boolean
}

const COLUMNS = sql`release.device_id AS "deviceId", placed_by AS "placedBy", override_id AS "overrideId",
  requested_at AS "requestedAt", requested_by AS "requestedBy", requested_by_name AS "requestedByName", reason`
/** The subject of its task. */
const SUBJECT = sql`placed_by || '/' || override_id`

const given = (tasks: readonly TaskKey[]) => sql`unnest(
    ${tasks.map(({ deviceId }) => deviceId)}::text[], ${tasks.map(({ subject }) => subject)}::text[]
  ) AS given (device_id, subject)`
const isGiven = sql`release.device_id = given.device_id AND ${SUBJECT} = given.subject`

const addTasksOf = (added: string, dueAt: Date | null) =>
  addTasks(
    OVERRIDE_RELEASE,
    sql`SELECT device_id, ${SUBJECT} AS subject, ${dueAt}::timestamptz AS due_at, NULL::timestamptz AS ends_at
      FROM ${sql.table(added)}`,
  )

export type OverrideReleaseStore = ReturnType<typeof createOverrideReleaseStore>

export function createOverrideReleaseStore(db: Db) {
  return {
    /** Keeps the release of one override. Who asked first stays. */
    async add(release: Omit<OverrideRelease, 'placedBy'>): Promise<void> {
      const { deviceId, overrideId, requestedAt, requestedBy, requestedByName, reason } = release
      await sql`
        WITH added AS (
          INSERT INTO override_release
            (device_id, placed_by, override_id, requested_at, requested_by, requested_by_name, reason)
          VALUES (${deviceId}, '', ${overrideId}, ${requestedAt}, ${requestedBy}, ${requestedByName}, ${reason})
          ON CONFLICT DO NOTHING RETURNING *
        ) ${addTasksOf('added', null)}`.execute(db)
    },

    /** Keeps the release of everything that a key placed, for each device that it could control. */
    async addOfKey(
      keyId: string,
      { at, dueAt, by }: { at: Date; dueAt: Date; by: { id: string; name: string } },
    ): Promise<void> {
      await sql`
        WITH added AS (
          INSERT INTO override_release (device_id, placed_by, requested_at, requested_by, requested_by_name)
          SELECT device.id, api_key.id, ${at}, ${by.id}, ${by.name}
          FROM api_key
          JOIN device ON device.organization_id = api_key.organization_id
          WHERE api_key.id = ${keyId} AND 'edge-device:read_write' = ANY(api_key.permissions)
            AND (api_key.all_sites OR EXISTS (
              SELECT FROM api_key_site WHERE api_key_id = api_key.id AND api_key_site.site_id = device.site_id
            ))
          ORDER BY device.id
          ON CONFLICT (device_id, placed_by, override_id) DO UPDATE
            SET requested_at = EXCLUDED.requested_at, confirmed = false,
              requested_by = EXCLUDED.requested_by, requested_by_name = EXCLUDED.requested_by_name
          RETURNING *
        ) ${addTasksOf('added', dueAt)}`.execute(db)
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
    async ofCaller(placedBy: string): Promise<(ReleaseTask & { name: string })[]> {
      const { rows } = await sql<ReleaseTask & { name: string }>`
        SELECT ${COLUMNS}, device.name, task.subject, task.claim, task.attempts
        FROM override_release AS release
        JOIN device ON device.id = release.device_id
        JOIN device_task AS task
          ON task.device_id = release.device_id AND task.kind = ${OVERRIDE_RELEASE} AND task.subject = ${SUBJECT}
        WHERE placed_by = ${placedBy} ORDER BY device.name, device.id`.execute(db)
      return rows
    },

    async load(tx: Db, tasks: readonly TaskKey[]): Promise<(OverrideRelease & TaskKey)[]> {
      const { rows } = await sql<OverrideRelease & TaskKey>`
        SELECT ${COLUMNS}, given.subject FROM ${given(tasks)} JOIN override_release AS release ON ${isGiven}`.execute(
        tx,
      )
      return rows
    },

    /** Stores results, and removes what is done. Those of a release that was requested again in the meantime do not count. */
    settle: (results: readonly ReleaseResult[], now: RawBuilder<Date>): Promise<void> =>
      db.transaction().execute(async (tx) => {
        // First the releases, then their tasks, as those who add them do: two transactions never wait for each other.
        await sql`
          SELECT FROM override_release AS release JOIN ${given(results.map(({ task }) => task))} ON ${isGiven}
          ORDER BY release.device_id, ${SUBJECT} FOR UPDATE OF release`.execute(tx)
        const settled = await settleTasks(tx, { kind: OVERRIDE_RELEASE, results, now })
        const confirmed = settled.filter(({ isConfirmed }) => isConfirmed).map(({ task }) => task)
        await sql`
          UPDATE override_release AS release SET confirmed = true FROM ${given(confirmed)} WHERE ${isGiven}`.execute(tx)
        const over = settled.filter(({ again }) => !again).map(({ task }) => task)
        await sql`DELETE FROM override_release AS release USING ${given(over)} WHERE ${isGiven}`.execute(tx)
      }),

    /**
     * Reports whether an override that a device refuses to cancel is over: a later state of it does not list it. Not
     * while the device waits for what it had.
     */
    async isOver({ deviceId, overrideId, requestedAt }: OverrideRelease): Promise<boolean> {
      const { rows } = await sql<{ over: boolean }>`
        SELECT EXISTS (
          SELECT FROM device_state
          WHERE device_id = ${deviceId} AND received_at > ${requestedAt}
            AND NOT document ? 'overridesLeftOut' AND NOT ${lists(sql`${overrideId}::text`)}
        ) AND NOT EXISTS (
          SELECT FROM device_replacement WHERE device_id = ${deviceId} AND finished_at IS NULL
        ) AS over`.execute(db)
      return rows[0]?.over === true
    },
  }
}

/** Whether a state lists an override. */
const lists = (overrideId: ReturnType<typeof sql>) =>
  sql`(document -> 'overrides') @> jsonb_build_array(jsonb_build_object('id', ${overrideId}))`
