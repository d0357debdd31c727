import {
  type AutomaticExport,
  type ExportRetention,
  type ExportSchedule,
  MAX_TARGET_TESTS_PER_HOUR,
  type TargetPlace,
} from '@plantroom/contract/automatic-exports'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

const HOUR_MS = 3_600_000

/** A target as it is stored. */
export interface StoredTarget {
  id: string
  label: string
  place: TargetPlace
  /** Sealed. */
  secret: Buffer | null
}

export interface StoredExport {
  organizationId: string
  enabled: boolean
  schedule: ExportSchedule
  retention: ExportRetention
  timeZone: string
  nextAt: Date
  keyId: string | null
  targets: readonly StoredTarget[]
}

/** True while the key that set an automatic export is valid. What a person set stays when they leave. */
export const keyIsValid = (now: Date | RawBuilder<Date>) => sql<SqlBool>`(automatic_export.key_id IS NULL OR EXISTS (
  SELECT FROM api_key WHERE api_key.id = automatic_export.key_id AND api_key.revoked_at IS NULL
    AND (api_key.expires_at IS NULL OR api_key.expires_at > ${now})
))`

export const KEY_ENDED =
  'the API key that set this automatic export has been revoked or has expired: check the targets, then save it again'

/** The automatic exports of sites, with their targets. */
export function createExportStore(db: Db) {
  return {
    /** Locks the site until the transaction ends, so that two people do not change its export at the same time. */
    async lockSite(siteId: string): Promise<{ name: string; timeZone: string }> {
      return db
        .selectFrom('site')
        .where('id', '=', siteId)
        .select(['name', 'time_zone as timeZone'])
        .forNoKeyUpdate()
        .executeTakeFirstOrThrow()
    },

    async find(siteId: string): Promise<StoredExport | undefined> {
      const row = await db.selectFrom('automatic_export').where('site_id', '=', siteId).selectAll().executeTakeFirst()
      if (!row) return undefined
      const targets = await targetsOf(db, siteId)
      return {
        organizationId: row.organization_id,
        enabled: row.enabled,
        schedule: row.schedule,
        retention: row.retention,
        timeZone: row.time_zone,
        nextAt: row.next_at,
        keyId: row.key_id,
        targets: targets.map(({ id, label, settings, secret }) => ({ id, label, place: settings, secret })),
      }
    },

    async save(siteId: string, { targets, ...set }: StoredExport, now: Date): Promise<void> {
      const row = {
        organization_id: set.organizationId,
        enabled: set.enabled,
        schedule: JSON.stringify(set.schedule),
        retention: JSON.stringify(set.retention),
        time_zone: set.timeZone,
        next_at: set.nextAt,
        key_id: set.keyId,
        changed_at: now,
      }
      await db
        .insertInto('automatic_export')
        .values({ site_id: siteId, ...row })
        .onConflict((conflict) => conflict.column('site_id').doUpdateSet(row))
        .execute()
      await db
        .deleteFrom('automatic_export_target')
        .where('site_id', '=', siteId)
        .where('id', 'not in', ['', ...targets.map(({ id }) => id)])
        .execute()
      for (const [place, target] of targets.entries()) {
        const values = { place, label: target.label, settings: JSON.stringify(target.place), secret: target.secret }
        await db
          .insertInto('automatic_export_target')
          .values({ id: target.id, site_id: siteId, ...values })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
          .execute()
      }
    },

    /** Returns false when the site has none. */
    async remove(siteId: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('automatic_export')
        .where('site_id', '=', siteId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    /** Returns the automatic export of a site as people see it. */
    async show(siteId: string, now: Date): Promise<AutomaticExport | null> {
      const row = await db
        .selectFrom('automatic_export')
        .where('site_id', '=', siteId)
        .select(['enabled', 'schedule', 'retention', 'next_at', keyIsValid(now).as('isValid')])
        .executeTakeFirst()
      if (!row) return null
      const [targets, health] = [await targetsOf(db, siteId), await healthOf(db, siteId)]
      const failing = [health.failingSince, ...targets.map(({ failing_since }) => failing_since)]
      const since = failing.filter((at) => at !== null).sort((a, b) => a.getTime() - b.getTime())[0] ?? null
      return {
        enabled: row.enabled,
        schedule: row.schedule,
        retention: row.retention,
        targets: targets.map((target) => ({
          id: target.id,
          label: target.label,
          ...target.settings,
          lastSuccessAt: time(target.last_success_at),
          failingSince: time(target.failing_since),
          lastError: target.last_error,
          nextAttemptAt: time(target.nextAttemptAt),
          cleanupError: target.cleanup_error,
        })),
        nextRunAt: row.enabled && row.isValid ? time(row.next_at) : null,
        stoppedReason: row.enabled && !row.isValid ? KEY_ENDED : null,
        lastSuccessAt: time(health.lastSuccessAt),
        failingSince: time(since),
        lastError: since && (health.error ?? targets.find(({ last_error }) => last_error)?.last_error ?? null),
      }
    },

    /** True unless the key that set the automatic export has ended. */
    async isValid(siteId: string, now: Date): Promise<boolean> {
      const row = await db
        .selectFrom('automatic_export')
        .where('site_id', '=', siteId)
        .select(keyIsValid(now).as('isValid'))
        .executeTakeFirst()
      return row?.isValid === true
    },

    /** Counts one test of a target. Returns how long to wait when the hour's share is used up; 0 when it is not. */
    async countTest(siteId: string, now: Date): Promise<number> {
      const hourLater = new Date(now.getTime() + HOUR_MS)
      const { rows } = await sql<{ asked: number; asked_until: Date }>`
        INSERT INTO automatic_export_test AS test (site_id, asked, asked_until) VALUES (${siteId}, 1, ${hourLater})
        ON CONFLICT (site_id) DO UPDATE SET
          asked = CASE WHEN test.asked_until > ${now}
            THEN LEAST(test.asked + 1, ${MAX_TARGET_TESTS_PER_HOUR + 1}::integer) ELSE 1 END,
          asked_until = CASE WHEN test.asked_until > ${now} THEN test.asked_until ELSE ${hourLater} END
        RETURNING asked, asked_until`.execute(db)
      const [row] = rows
      if (!row || row.asked <= MAX_TARGET_TESTS_PER_HOUR) return 0
      return Math.max(1000, row.asked_until.getTime() - now.getTime())
    },
  }
}

export const time = (date: Date | null) => date && formatTimestamp(date.getTime())

function targetsOf(db: Db, siteId: string) {
  return db
    .selectFrom('automatic_export_target as target')
    .where('site_id', '=', siteId)
    .select(['id', 'label', 'settings', 'secret', 'last_success_at', 'failing_since', 'last_error', 'cleanup_error'])
    .select(({ selectFrom }) =>
      selectFrom('automatic_export_delivery as delivery')
        .whereRef('delivery.target_id', '=', 'target.id')
        .where('delivery.state', '=', 'waiting')
        .where('delivery.attempts', '>', 0)
        .select(({ fn }) => fn.min<Date | null>('delivery.due_at').as('at'))
        .as('nextAttemptAt'),
    )
    .orderBy('place')
    .execute()
}

/** Since when no run reached every target. A run that waits for another attempt has failed so far. */
async function healthOf(db: Db, siteId: string) {
  const { rows } = await sql<{ lastSuccessAt: Date | null; failingSince: Date | null; error: string | null }>`
    WITH last AS (
      SELECT position, ended_at FROM automatic_export_run
      WHERE site_id = ${siteId} AND state = 'done' ORDER BY position DESC LIMIT 1
    ), failed AS (
      SELECT position, due_at, error FROM automatic_export_run
      WHERE site_id = ${siteId} AND position > coalesce((SELECT position FROM last), 0)
        AND (state = 'failed' OR (state = 'waiting' AND error IS NOT NULL))
    )
    SELECT (SELECT ended_at FROM last) AS "lastSuccessAt", (SELECT min(due_at) FROM failed) AS "failingSince",
      (SELECT error FROM failed ORDER BY position DESC LIMIT 1) AS error`.execute(db)
  return rows[0] ?? { lastSuccessAt: null, failingSince: null, error: null }
}
