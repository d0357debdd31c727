import type { DispatchCounts, DispatchState } from '@plantroom/contract/fleet'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { createOverrideOwnerStore } from '../devices/index.ts'
import { countOutcomes } from './dispatch-store.ts'

/** Identifies a target, and the lease under which a process has it. */
export interface Leased {
  dispatchId: string
  position: number
  leasedUntil: Date
}

interface ClaimedTarget extends Leased {
  deviceId: string
  datapointId: string
  placedBy: string
  placedByName: string
  to: Date
  attempts: number
}

/** A target whose override is to be placed. */
export interface Placement extends ClaimedTarget {
  value: number
  from: Date
  reason: string | null
  /** The command must not take effect later. */
  sentUntil: Date
  /** The same of an earlier attempt that was not answered; `null` when there is none. */
  sentBefore: Date | null
  /** The caller may still control the device. */
  isAllowed: boolean
}

/** A target that the controller may hold and must release. */
export interface ReleaseTask extends ClaimedTarget {
  overrideId: string | null
  sentUntil: Date | null
  /** Who cancelled the dispatch; `null` when it was not cancelled. */
  cancelledBy: string | null
  cancelledByName: string | null
}

export type PlacementResult = Leased &
  (
    | { kind: 'accepted'; deviceId: string; overrideId: string; placedBy: string; to: Date }
    /** `mayHold`: an earlier attempt, or this one, may have been accepted all the same. */
    | { kind: 'refused'; reason: string; mayHold: boolean }
    | { kind: 'retry'; dueAt: Date; sentUntil: Date | null }
  )

export type ReleaseResult = Leased & ({ kind: 'released' } | { kind: 'again'; dueAt: Date })

/** A dispatch that has just ended. */
export interface EndedDispatch {
  id: string
  organizationId: string
  siteIds: readonly string[]
  state: DispatchState
  counts: DispatchCounts
}

/** Told in the transaction in which a dispatch ends. */
export type OnEnded = (tx: Db, ended: EndedDispatch) => Promise<void>

export interface ClaimOptions {
  deviceIds: readonly string[]
  now: Date
  until: Date
  limit: number
  /** Also what waits after a failed attempt. */
  evenIfNotDue?: boolean
}

export type TargetStore = ReturnType<typeof createTargetStore>

/** The work of fleet dispatches. Safe in several processes: a lease gives each target to one of them. */
export function createTargetStore(db: Db, onEnded: OnEnded) {
  return {
    /** The devices with work that is due and that no process has. */
    async dueDevices(now: Date): Promise<string[]> {
      const { rows } = await sql<{ deviceId: string }>`
        SELECT DISTINCT device_id AS "deviceId" FROM fleet_target
        WHERE task IS NOT NULL AND due_at <= ${now} AND ${isFree(now)}`.execute(db)
      return rows.map(({ deviceId }) => deviceId)
    },

    /** When something becomes due after `now`; `undefined` when nothing does. */
    async nextDue(now: Date): Promise<Date | undefined> {
      const { rows } = await sql<{ at: Date | null }>`
        SELECT LEAST(
          (SELECT min(due_at) FROM fleet_target WHERE task IS NOT NULL AND due_at > ${now}),
          (SELECT min(deadline) FROM fleet_dispatch WHERE state = 'running')
        ) AS at`.execute(db)
      return rows[0]?.at ?? undefined
    },

    claimPlacements: (options: ClaimOptions): Promise<Placement[]> => claimPlacements(db, options),
    claimReleases: (options: ClaimOptions): Promise<ReleaseTask[]> => claimReleases(db, options),

    /** Stores results of placements in one transaction, and ends dispatches that have no pending target left. */
    settle: (results: readonly PlacementResult[], now: Date): Promise<void> =>
      db.transaction().execute((tx) => settle(tx, results, now, onEnded)),

    async settleReleases(results: readonly ReleaseResult[]): Promise<void> {
      const [released, again] = [results.filter(isReleased), results.filter(isAgain)]
      await sql`
        UPDATE fleet_target AS target SET release = 'confirmed', task = NULL, leased_until = NULL
        FROM ${leases(released)} WHERE task = 'release' AND ${isLeased()}`.execute(db)
      await sql`
        UPDATE fleet_target AS target SET due_at = lease.due_at, leased_until = NULL
        FROM ${leases(
          again,
          again.map(({ dueAt }) => dueAt),
        )} WHERE task = 'release' AND ${isLeased()}`.execute(db)
    },

    /** Ends what was not accepted by its deadline: `expired` if it may have been sent, otherwise `offline`. */
    expire: (now: Date, deadlineBefore: Date): Promise<void> =>
      db.transaction().execute((tx) => expire(tx, now, deadlineBefore, onEnded)),

    /** Nothing is left to release when the window is over: controllers end an override themselves. */
    async endOverdueReleases(now: Date): Promise<void> {
      await sql`
        UPDATE fleet_target AS target SET release = 'unconfirmed', task = NULL, leased_until = NULL
        FROM (
          SELECT dispatch_id, position FROM fleet_target WHERE task = 'release' AND to_at <= ${now}
          FOR UPDATE SKIP LOCKED
        ) AS over
        WHERE target.dispatch_id = over.dispatch_id AND target.position = over.position`.execute(db)
    },

    /** Removes dispatches that ended before this time, and the oldest ones beyond so many targets of an organization. */
    async removeOld(now: Date, before: Date, mostTargets: number): Promise<void> {
      await sql`
        DELETE FROM fleet_dispatch USING (
          SELECT id, sum(targets) OVER (PARTITION BY organization_id ORDER BY seq DESC) AS total FROM fleet_dispatch
        ) AS counted
        WHERE fleet_dispatch.id = counted.id AND state <> 'running' AND to_at < ${now}
          AND (to_at < ${before} OR total > ${mostTargets})`.execute(db)
    },
  }
}

const isReleased = (result: ReleaseResult) => result.kind === 'released'
const isAgain = (result: ReleaseResult) => result.kind === 'again'
const isFree = (now: Date) => sql`(leased_until IS NULL OR leased_until <= ${now})`

/** A table of leases, with one more column of times. */
function leases(items: readonly Leased[], times: readonly (Date | null)[] = items.map(() => null)) {
  return sql`unnest(
    ${items.map(({ dispatchId }) => dispatchId)}::text[],
    ${items.map(({ position }) => position)}::integer[],
    ${items.map(({ leasedUntil }) => leasedUntil)}::timestamptz[],
    ${times}::timestamptz[]
  ) AS lease (dispatch_id, position, until, due_at)`
}
/** The process still has the lease: nobody else has worked on the target since. */
const isLeased = () => sql`target.dispatch_id = lease.dispatch_id AND target.position = lease.position
  AND target.leased_until = lease.until`

/** The rights of the caller, as they are now: a revoked key or a removed member places nothing any more. */
const callerMayControl = (now: Date) => sql`CASE WHEN starts_with(dispatch.placed_by, 'user:') THEN EXISTS (
    SELECT FROM membership
    WHERE user_id = substr(dispatch.placed_by, 6) AND membership.organization_id = dispatch.organization_id
      AND ((membership.site_id IS NULL AND role = 'admin')
        OR (membership.site_id = target.site_id AND role IN ('manager', 'admin')))
  ) ELSE EXISTS (
    SELECT FROM api_key
    WHERE api_key.id = dispatch.placed_by AND api_key.organization_id = dispatch.organization_id
      AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})
      AND 'edge-device:read_write' = ANY(permissions)
      AND (all_sites OR EXISTS (
        SELECT FROM api_key_site WHERE api_key_id = api_key.id AND api_key_site.site_id = target.site_id
      ))
  ) END`

const CLAIMED = sql`target.dispatch_id AS "dispatchId", target.position, target.leased_until AS "leasedUntil",
  target.device_id AS "deviceId", target.datapoint_id AS "datapointId", dispatch.placed_by AS "placedBy",
  dispatch.placed_by_name AS "placedByName", target.to_at AS "to", target.attempts`

/** Claiming counts as sending: a process that dies afterwards may have sent it. */
async function claimPlacements(db: Db, options: ClaimOptions): Promise<Placement[]> {
  const { deviceIds, now, until, limit, evenIfNotDue = false } = options
  const { rows } = await sql<Placement>`
    WITH due AS (
      SELECT dispatch_id, position, sent_until FROM fleet_target
      WHERE task = 'place' AND device_id = ANY(${[...deviceIds]}::text[])
        AND (due_at <= ${now} OR ${evenIfNotDue}) AND ${isFree(now)}
        AND EXISTS (SELECT FROM fleet_dispatch WHERE id = dispatch_id AND deadline > ${now})
      ORDER BY due_at, position LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE fleet_target AS target
    SET leased_until = ${until}, sent_until = LEAST(${until}, dispatch.deadline), attempts = attempts + 1
    FROM due, fleet_dispatch AS dispatch
    WHERE target.dispatch_id = due.dispatch_id AND target.position = due.position AND dispatch.id = target.dispatch_id
    RETURNING ${CLAIMED}, target.value, target.from_at AS "from", dispatch.reason,
      target.sent_until AS "sentUntil", due.sent_until AS "sentBefore",
      ${callerMayControl(now)} AS "isAllowed"`.execute(db)
  return rows
}

async function claimReleases(db: Db, options: ClaimOptions): Promise<ReleaseTask[]> {
  const { deviceIds, now, until, limit, evenIfNotDue = false } = options
  const { rows } = await sql<ReleaseTask>`
    WITH due AS (
      SELECT dispatch_id, position FROM fleet_target
      WHERE task = 'release' AND device_id = ANY(${[...deviceIds]}::text[])
        AND (due_at <= ${now} OR ${evenIfNotDue}) AND ${isFree(now)}
      ORDER BY due_at, position LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE fleet_target AS target SET leased_until = ${until}, attempts = attempts + 1
    FROM due, fleet_dispatch AS dispatch
    WHERE target.dispatch_id = due.dispatch_id AND target.position = due.position AND dispatch.id = target.dispatch_id
    RETURNING ${CLAIMED}, target.override_id AS "overrideId", target.sent_until AS "sentUntil",
      dispatch.cancelled_by AS "cancelledBy", dispatch.cancelled_by_name AS "cancelledByName"`.execute(db)
  return rows
}

async function settle(tx: Db, results: readonly PlacementResult[], now: Date, onEnded: OnEnded): Promise<void> {
  const dispatchIds = [...new Set(results.map(({ dispatchId }) => dispatchId))]
  // One transaction at a time for each dispatch: of two that settle the last targets, the second sees what the first did.
  await tx.selectFrom('fleet_dispatch').where('id', 'in', dispatchIds).select('id').orderBy('id').forUpdate().execute()
  await settleAccepted(
    tx,
    results.filter((result) => result.kind === 'accepted'),
    now,
  )
  await settleRefused(
    tx,
    results.filter((result) => result.kind === 'refused'),
    now,
  )
  const retries = results.filter((result) => result.kind === 'retry')
  if (retries.length > 0) {
    await sql`
      UPDATE fleet_target AS target SET due_at = lease.due_at, leased_until = NULL, sent_until = sent.until
      FROM ${leases(
        retries,
        retries.map(({ dueAt }) => dueAt),
      )}
      JOIN unnest(
        ${retries.map(({ dispatchId }) => dispatchId)}::text[],
        ${retries.map(({ position }) => position)}::integer[],
        ${retries.map(({ sentUntil }) => sentUntil)}::timestamptz[]
      ) AS sent (dispatch_id, position, until) USING (dispatch_id, position)
      WHERE task = 'place' AND ${isLeased()}`.execute(tx)
  }
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM fleet_dispatch
    WHERE id = ANY(${dispatchIds}::text[]) AND state = 'running' AND NOT EXISTS (
      SELECT FROM fleet_target WHERE dispatch_id = fleet_dispatch.id AND outcome = 'pending'
    )`.execute(tx)
  await complete(
    tx,
    rows.map(({ id }) => id),
    now,
    onEnded,
  )
}

type Accepted = Extract<PlacementResult, { kind: 'accepted' }>
type Refused = Extract<PlacementResult, { kind: 'refused' }>

/** Whoever has the lease: an override has one id. What has another outcome by now is released by that id. */
async function settleAccepted(tx: Db, results: readonly Accepted[], now: Date): Promise<void> {
  if (results.length === 0) return
  await sql`
    UPDATE fleet_target AS target SET
      override_id = accepted.override_id,
      outcome = CASE WHEN task = 'place' THEN 'accepted' ELSE outcome END,
      settled_at = CASE WHEN task = 'place' THEN ${now} ELSE settled_at END,
      leased_until = CASE WHEN task = 'place' THEN NULL ELSE leased_until END,
      sent_until = CASE WHEN task = 'place' THEN NULL ELSE sent_until END,
      task = CASE WHEN task = 'place' THEN NULL ELSE task END
    FROM unnest(
      ${results.map(({ dispatchId }) => dispatchId)}::text[],
      ${results.map(({ position }) => position)}::integer[],
      ${results.map(({ overrideId }) => overrideId)}::text[]
    ) AS accepted (dispatch_id, position, override_id)
    WHERE target.dispatch_id = accepted.dispatch_id AND target.position = accepted.position`.execute(tx)
  await createOverrideOwnerStore(tx).add(
    results.map(({ deviceId, overrideId, placedBy, to }) => ({ deviceId, overrideId, placedBy, endsAt: to })),
  )
}

async function settleRefused(tx: Db, results: readonly Refused[], now: Date): Promise<void> {
  if (results.length === 0) return
  await sql`
    UPDATE fleet_target AS target SET
      outcome = 'refused', settled_at = ${now}, reason = refused.reason, leased_until = NULL, due_at = ${now},
      task = CASE WHEN refused.may_hold THEN 'release' END,
      release = CASE WHEN refused.may_hold THEN 'pending' END
    FROM ${leases(results)}
    JOIN unnest(
      ${results.map(({ dispatchId }) => dispatchId)}::text[],
      ${results.map(({ position }) => position)}::integer[],
      ${results.map(({ reason }) => reason)}::text[],
      ${results.map(({ mayHold }) => mayHold)}::boolean[]
    ) AS refused (dispatch_id, position, reason, may_hold) USING (dispatch_id, position)
    WHERE task = 'place' AND ${isLeased()}`.execute(tx)
}

async function expire(tx: Db, now: Date, deadlineBefore: Date, onEnded: OnEnded): Promise<void> {
  const due = await tx
    .selectFrom('fleet_dispatch')
    .where('state', '=', 'running')
    .where('deadline', '<=', deadlineBefore)
    .select('id')
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute()
  if (due.length === 0) return
  const ids = due.map(({ id }) => id)
  await sql`
    UPDATE fleet_target SET
      outcome = CASE WHEN sent_until IS NULL THEN 'offline' ELSE 'expired' END,
      reason = CASE WHEN sent_until IS NULL THEN 'the controller was not reached by the deadline'
        ELSE 'the controller did not answer by the deadline' END,
      task = CASE WHEN sent_until IS NULL THEN NULL ELSE 'release' END,
      release = CASE WHEN sent_until IS NULL THEN NULL ELSE 'pending' END,
      settled_at = ${now}, due_at = ${now}, leased_until = NULL, attempts = 0
    WHERE dispatch_id = ANY(${ids}::text[]) AND task = 'place'`.execute(tx)
  await complete(tx, ids, now, onEnded)
}

async function complete(tx: Db, ids: readonly string[], now: Date, onEnded: OnEnded): Promise<void> {
  if (ids.length === 0) return
  const ended = await tx
    .updateTable('fleet_dispatch')
    .set({ state: 'completed', ended_at: now })
    .where('id', 'in', ids)
    .where('state', '=', 'running')
    .returning(['id', 'organization_id as organizationId', 'site_ids as siteIds', 'state'])
    .execute()
  const counted = await countOutcomes(
    tx,
    ended.map(({ id }) => id),
  )
  for (const one of ended) {
    const counts = counted.get(one.id)?.counts
    if (counts) await onEnded(tx, { ...one, counts })
  }
}
