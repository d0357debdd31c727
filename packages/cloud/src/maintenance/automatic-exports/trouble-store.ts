import type { ExportTroubleCause } from '@plantroom/contract/alerts'
import type { TargetPlace } from '@plantroom/contract/automatic-exports'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { givenRows } from '../../platform/db/given-rows.ts'
import { KEY_ENDED, keyIsValid } from './export-store.ts'
import { publicLabelOf } from './targets/target.ts'

const MINUTE_MS = 60_000
/** How late something may start before it has missed its time. Ten thousand sites with the same time take minutes. */
const MISSED_MS = 15 * MINUTE_MS
/** How long a run may wait for a worker that has much to do, or for its site to have fewer jobs. */
const LATE_MS = 360 * MINUTE_MS

const NO_WORKER = 'it is overdue, and no worker is running: ask the operator to start one; it then runs once'
const LONG_QUEUE = 'it has waited for a free worker for more than 6 hours: ask the operator to add workers'

/** Why a site's automatic export does not do what its schedule says. The reason is for people, without secrets. */
interface Explained {
  cause: ExportTroubleCause
  reason: string
  since: Date
}

interface Row {
  organizationId: string
  siteId: string
  isValid: boolean
  nextAt: Date
  /** The oldest thing that was due so long ago, while no worker looked. */
  missedAt: Date | null
  /** The newest run, if it has failed. */
  failed: { id: string; error: string } | null
  failedAt: Date | null
  lateAt: Date | null
  lateError: string | null
}

/** A delivery that failed, or a target of a site. */
interface Place {
  of: string
  place: TargetPlace
  error: string | null
}

/** Finds the automatic exports that are switched on and have missed their time or failed for good, with their targets. */
export async function findTroubles(db: Db, now: number) {
  const rows = await findRows(db, now)
  const failed = await failedDeliveries(
    db,
    rows.flatMap((row) => row.failed?.id ?? []),
  )
  const targets = await targetsOf(
    db,
    rows.map(({ siteId }) => siteId),
  )
  return rows.map((row) => {
    const { organizationId, siteId } = row
    const own = (row.failed && failed.get(row.failed.id)) ?? []
    const { cause, since, reason } = explain(row, own)
    const places = cause === 'failed' && own.length > 0 ? own : (targets.get(siteId) ?? [])
    return { organizationId, siteId, cause, since, reason, target: places.map(labelOf).join(', ') }
  })
}

/** What keeps it from running at all comes first. */
function explain(row: Row, deliveries: readonly Place[]): Explained {
  const { isValid, nextAt, missedAt, failed, failedAt, lateAt, lateError } = row
  if (!isValid) return { cause: 'stopped', since: nextAt, reason: KEY_ENDED }
  if (missedAt) return { cause: 'missed', since: missedAt, reason: NO_WORKER }
  if (failed && failedAt) return { cause: 'failed', since: failedAt, reason: reasonOf(failed.error, deliveries) }
  const since = lateAt ?? nextAt
  return lateError === null
    ? { cause: 'queued', since, reason: LONG_QUEUE }
    : { cause: 'late', since, reason: lateError }
}

function reasonOf(error: string, deliveries: readonly Place[]): string {
  const [first, ...more] = deliveries
  if (!first) return error
  if (more.length === 0) return first.error ?? error
  return deliveries.map((one) => `${labelOf(one)}: ${one.error}`).join('; ')
}

const labelOf = ({ place }: Place) => publicLabelOf(place)

/**
 * A delivery that a target did not take. One that a newer package overtook before its first attempt is no failure, and
 * neither is one to a target that was removed.
 */
const isFailure = sql`(delivery.state = 'failed' OR (delivery.state = 'superseded' AND delivery.error IS NOT NULL))`

/** Failures from before a change do not count: the person who made it knows them. */
async function findRows(db: Db, now: number): Promise<Row[]> {
  const [missed, late] = [new Date(now - MISSED_MS), new Date(now - LATE_MS)]
  const { rows } = await sql<Row>`
    WITH due AS (
      SELECT site_id, start_at AS at FROM automatic_export_run WHERE state IN ('waiting', 'exporting')
      UNION ALL
      SELECT run.site_id, greatest(delivery.due_at, delivery.leased_until)
      FROM automatic_export_delivery delivery JOIN automatic_export_run run ON run.id = delivery.run_id
      WHERE delivery.state = 'waiting'
    ), overdue AS (
      SELECT site_id, min(at) AS at FROM (SELECT site_id, next_at AS at FROM automatic_export UNION ALL TABLE due) AS one
      WHERE at <= ${missed} AND (SELECT looked_at FROM automatic_export_look) <= ${missed}
      GROUP BY site_id
    ), late AS (
      SELECT DISTINCT ON (site_id) site_id, due_at AS at, error FROM automatic_export_run
      WHERE (state = 'exporting' AND start_at <= ${late}) OR (state = 'waiting' AND error IS NOT NULL AND due_at <= ${late})
      ORDER BY site_id, due_at
    )
    SELECT automatic_export.organization_id AS "organizationId", automatic_export.site_id AS "siteId",
      ${keyIsValid(new Date(now))} AS "isValid", automatic_export.next_at AS "nextAt", overdue.at AS "missedAt",
      CASE WHEN last.id IS NOT NULL THEN jsonb_build_object('id', last.id, 'error', coalesce(last.error, '')) END AS failed,
      last.ended_at AS "failedAt", late.at AS "lateAt", late.error AS "lateError"
    FROM automatic_export
    JOIN site ON site.id = automatic_export.site_id
    LEFT JOIN overdue ON overdue.site_id = automatic_export.site_id
    LEFT JOIN late ON late.site_id = automatic_export.site_id
    LEFT JOIN LATERAL (
      SELECT run.id, run.state, run.ended_at, run.error FROM automatic_export_run run
      WHERE run.site_id = automatic_export.site_id AND run.state IN ('done', 'failed') AND (
        run.state = 'done'
        OR NOT EXISTS (SELECT FROM automatic_export_delivery delivery WHERE delivery.run_id = run.id)
        OR EXISTS (
          SELECT FROM automatic_export_delivery delivery
          JOIN automatic_export_target target ON target.id = delivery.target_id
          WHERE delivery.run_id = run.id AND ${isFailure}
        )
      )
      ORDER BY run.position DESC LIMIT 1
    ) AS last ON last.state = 'failed' AND last.ended_at > automatic_export.changed_at
    WHERE automatic_export.enabled AND site.maintenance_requests AND (
      overdue.at IS NOT NULL OR late.at IS NOT NULL OR last.id IS NOT NULL
      OR (automatic_export.next_at <= ${missed} AND NOT ${keyIsValid(new Date(now))})
    )`.execute(db)
  return rows
}

async function failedDeliveries(db: Db, runIds: readonly string[]): Promise<Map<string, Place[]>> {
  const { rows } = await sql<Place>`
    SELECT delivery.run_id AS of, target.settings AS place, delivery.error
    FROM automatic_export_delivery delivery JOIN automatic_export_target target ON target.id = delivery.target_id
    WHERE delivery.run_id = ANY (${runIds}::text[]) AND ${isFailure}
    ORDER BY target.place`.execute(db)
  return Map.groupBy(rows, ({ of }) => of)
}

async function targetsOf(db: Db, siteIds: readonly string[]): Promise<Map<string, Place[]>> {
  const { rows } = await sql<Place>`
    SELECT site_id AS of, settings AS place, NULL AS error FROM automatic_export_target
    WHERE site_id = ANY (${siteIds}::text[]) ORDER BY automatic_export_target.place`.execute(db)
  return Map.groupBy(rows, ({ of }) => of)
}

/** Returns the sites whose trouble is over: a run has succeeded since it began, or the automatic export is off or gone. */
export async function findRecovered(
  db: Db,
  troubles: readonly { siteId: string; since: number }[],
): Promise<Set<string>> {
  const { rows } = await sql<{ siteId: string }>`
    SELECT given.site_id AS "siteId"
    FROM ${givenRows(troubles, { site_id: 'text', since: ['timestamptz', ({ since }) => new Date(since)] })}
    LEFT JOIN automatic_export ON automatic_export.site_id = given.site_id AND automatic_export.enabled
    LEFT JOIN site ON site.id = automatic_export.site_id AND site.maintenance_requests
    WHERE site.id IS NULL OR given.since < (
      SELECT run.ended_at FROM automatic_export_run run
      WHERE run.site_id = given.site_id AND run.state = 'done' ORDER BY run.position DESC LIMIT 1
    )`.execute(db)
  return new Set(rows.map(({ siteId }) => siteId))
}
