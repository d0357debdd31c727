import type { RolledBack } from '@plantroom/contract/control-state'
import type { DeviceHealth } from '@plantroom/contract/health'
import type { LimitInterval } from '@plantroom/contract/power-limit'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { givenRows } from '../../platform/db/given-rows.ts'

export interface StoredHealth {
  deviceId: string
  receivedAt: Date
  document: DeviceHealth
}

/** A device that came back without what it had. */
export interface LostMemory {
  deviceId: string
  noticedAt: Date
  /** What the device says about it; `null` when it does not know. */
  reason: string | null
}

/** A device that went back to what it ran before a commissioning file, and nobody has loaded one since. */
export interface WentBack {
  deviceId: string
  system: string
  since: Date
  how: Omit<RolledBack, 'loadIds'>
}

/** An interval of a power limit that ended above it, and none after it that was kept. */
export interface MissedLimit {
  deviceId: string
  meterId: string
  /** `null` when it is no longer commissioned. */
  meterName: string | null
  interval: LimitInterval
}

/** A program of OpenADR that cannot be reached, or whose events could not be placed. */
export interface OpenadrTrouble {
  kind: 'openadr-unreachable' | 'openadr-refused'
  organizationId: string
  /** The first site of its mapping. */
  siteId: string
  programId: string
  programName: string
  reason: string
  /** What could not be placed. */
  count: number
  since: Date
}

/** When a device came or was last seen. */
export interface SeenDevice {
  online: boolean
  /** Since when it is online, or when it was last seen. */
  since: number
}

const anyOf = (ids: readonly string[] = []) => sql<string>`ANY (${ids}::text[])`

export type FactStore = ReturnType<typeof createFactStore>

/** What alerts are decided from. */
export function createFactStore(db: Db) {
  return {
    /** Several processes store the same message: only the first one writes it. */
    async saveHealth(
      all: readonly { deviceId: string; at: number; document: DeviceHealth; hasTrouble: boolean }[],
    ): Promise<void> {
      await sql`
        INSERT INTO device_health AS kept (device_id, received_at, document, has_trouble)
        SELECT device.id, given.at, given.document, given.has_trouble
        FROM ${givenRows(all, {
          device_id: 'text',
          at: ['timestamptz', ({ at }) => new Date(at)],
          document: 'jsonb',
          has_trouble: 'boolean',
        })}
        JOIN device ON device.id = given.device_id
        ORDER BY device.id
        ON CONFLICT (device_id) DO UPDATE SET
          received_at = excluded.received_at, document = excluded.document, has_trouble = excluded.has_trouble
        WHERE excluded.received_at >= kept.received_at
          AND (kept.document <> excluded.document OR kept.received_at < excluded.received_at - interval '30 seconds')`.execute(
        db,
      )
    },

    async saveMeasured(all: ReadonlyMap<string, number>): Promise<void> {
      await sql`
        INSERT INTO device_measured AS kept (device_id, at)
        SELECT device.id, given.at
        FROM ${givenRows([...all], { device_id: ['text', ([id]) => id], at: ['timestamptz', ([, at]) => new Date(at)] })}
        JOIN device ON device.id = given.device_id
        ORDER BY device.id
        ON CONFLICT (device_id) DO UPDATE SET at = excluded.at WHERE kept.at < excluded.at`.execute(db)
    },

    /** The health of devices that report trouble, of all devices or of these. */
    async troubled(deviceIds?: readonly string[]): Promise<StoredHealth[]> {
      return db
        .selectFrom('device_health')
        .where('has_trouble', '=', true)
        .$if(deviceIds !== undefined, (rows) => rows.where('device_id', '=', anyOf(deviceIds)))
        .select(['device_id as deviceId', 'received_at as receivedAt', 'document'])
        .execute()
    },

    /** Devices that came back without what they had, and have not got it back or only since `since`. */
    async lostMemory(since: Date): Promise<LostMemory[]> {
      return db
        .selectFrom('device_replacement')
        .where('cause', '=', 'memory-lost')
        .where(({ or, eb }) => or([eb('finished_at', 'is', null), eb('finished_at', '>', since)]))
        .select(['device_id as deviceId', 'requested_at as noticedAt'])
        .select(sql<string | null>`memory ->> 'lost'`.as('reason'))
        .execute()
    },

    /** Devices that went back after `since` to what they ran before a file, unless somebody has loaded one since. */
    async wentBack(since: Date): Promise<WentBack[]> {
      const { rows } = await sql<WentBack>`
        SELECT own.device_id AS "deviceId", own.document ->> 'name' AS system, own.changed_at AS since,
          undone.rolled_back AS how
        FROM commissioning_version AS own
        JOIN LATERAL (
          SELECT rolled_back FROM commissioning_version AS other
          WHERE other.device_id = own.device_id AND other.technical_system_id = own.technical_system_id
            AND other.version < own.version AND other.rolled_back IS NOT NULL
          ORDER BY other.version DESC LIMIT 1
        ) AS undone ON true
        WHERE own.changed_by ->> 'kind' = 'device' AND own.changed_at > ${since} AND NOT EXISTS (
          SELECT FROM commissioning_version AS later
          WHERE later.device_id = own.device_id AND later.technical_system_id = own.technical_system_id
            AND later.version > own.version
        )`.execute(db)
      return rows
    },

    /** Limits that were not kept in the newest interval that says so, of intervals that began after `since`. */
    async missedLimits(since: Date): Promise<MissedLimit[]> {
      const { rows } = await sql<MissedLimit>`
        SELECT DISTINCT ON (missed.device_id, missed.datapoint_id) missed.device_id AS "deviceId",
          missed.datapoint_id AS "meterId", point.name AS "meterName", missed.interval
        FROM report AS missed
        LEFT JOIN listed_datapoint AS point ON point.device_id = missed.device_id AND point.id = missed.datapoint_id
        WHERE NOT missed.interval_kept AND missed.interval_from > ${since} AND NOT EXISTS (
          SELECT FROM report AS later
          WHERE later.site_id = missed.site_id AND later.interval_from > missed.interval_from
            AND later.device_id = missed.device_id AND later.interval_kept
            AND later.interval ->> 'direction' = missed.interval ->> 'direction'
            -- That a more generous limit was kept says nothing.
            AND (later.interval ->> 'limitKw')::double precision <= (missed.interval ->> 'limitKw')::double precision
        )
        ORDER BY missed.device_id, missed.datapoint_id, missed.interval_from DESC,
          (missed.interval ->> 'limitKw')::double precision`.execute(db)
      return rows
    },

    /** The programs of OpenADR that have sites, and cannot do what they should. */
    async openadrTroubles(now: Date): Promise<OpenadrTrouble[]> {
      const { rows } = await sql<OpenadrTrouble>`
        SELECT 'openadr-unreachable' AS kind, organization_id AS "organizationId", site_ids[1] AS "siteId",
          id AS "programId", name AS "programName", coalesce(problem, '') AS reason, 0 AS count, failing_since AS since
        FROM openadr_program WHERE active AND failing_since IS NOT NULL AND site_ids[1] IS NOT NULL
        UNION ALL
        SELECT 'openadr-refused', organization_id, site_ids[1], program.id, program.name,
          coalesce(min(refused.reason), ''), count(*)::integer, min(refused.created_at)
        FROM openadr_program AS program
        JOIN LATERAL (
          SELECT placement.created_at, coalesce(placement.reason, target.reason) AS reason
          FROM openadr_placement AS placement
          LEFT JOIN fleet_target AS target ON target.dispatch_id = placement.dispatch_id
            AND target.outcome IN ('refused', 'offline', 'expired') AND NOT target.is_replaced
          WHERE placement.program_id = program.id AND placement.ended_at IS NULL AND placement.to_at > ${now}
            AND (placement.dispatch_id IS NULL OR target.dispatch_id IS NOT NULL)
        ) AS refused ON true
        WHERE active AND site_ids[1] IS NOT NULL GROUP BY program.id`.execute(db)
      return rows
    },

    /** When each device last sent measurements. */
    async measured(): Promise<Map<string, number>> {
      const rows = await db.selectFrom('device_measured').selectAll().execute()
      return new Map(rows.map(({ device_id, at }) => [device_id, at.getTime()]))
    },

    /** The devices that have a datapoint whose values are archived. Searches the text: parsing all documents costs more. */
    async archiving(): Promise<Set<string>> {
      const { rows } = await sql<{ id: string }>`
        SELECT DISTINCT device_id AS id FROM technical_system
        WHERE document::text ~ '"analyticsInterval": *[1-9]'`.execute(db)
      return new Set(rows.map(({ id }) => id))
    },

    /** When devices came or were last seen, of all devices or of these. */
    async seen(deviceIds?: readonly string[]): Promise<Map<string, SeenDevice>> {
      const rows = await db
        .selectFrom('device_presence')
        .$if(deviceIds !== undefined, (rows) => rows.where('device_id', '=', anyOf(deviceIds)))
        .selectAll()
        .execute()
      return new Map(rows.map(({ device_id, online, since }) => [device_id, { online, since: since.getTime() }]))
    },

    async saveSeen(changes: ReadonlyMap<string, SeenDevice>): Promise<void> {
      if (changes.size === 0) return
      await sql`
        INSERT INTO device_presence (device_id, online, since)
        SELECT device.id, given.online, given.since
        FROM ${givenRows([...changes], {
          device_id: ['text', ([id]) => id],
          online: ['boolean', ([, { online }]) => online],
          since: ['timestamptz', ([, { since }]) => new Date(since)],
        })}
        JOIN device ON device.id = given.device_id
        ON CONFLICT (device_id) DO UPDATE SET online = excluded.online, since = excluded.since`.execute(db)
    },

    /**
     * Takes or renews the right to decide, until a time. Holds the row until the end of the transaction, so that two
     * processes never decide at the same time. Returns `undefined` while another process has it.
     */
    async lead(
      holder: string,
      { now, until }: { now: Date; until: Date },
    ): Promise<{ isNew: boolean; checkedAt: number | undefined } | undefined> {
      const row = await db
        .selectFrom('alert_evaluator')
        .select(['holder', 'until', 'checked_at'])
        .forUpdate()
        .skipLocked()
        .executeTakeFirst()
      if (!row || (row.holder !== holder && row.until > now)) return undefined
      await db.updateTable('alert_evaluator').set({ holder, until, checked_at: now }).execute()
      return { isNew: row.holder !== holder, checkedAt: row.checked_at?.getTime() }
    },
  }
}
