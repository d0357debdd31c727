import type { DispatchCounts, DispatchState } from '@plantroom/contract/fleet'
import type { AveragingSeconds, Direction } from '@plantroom/contract/power-limit'
import { type RawBuilder, sql } from 'kysely'
import { siteRoles } from '../../organization/access/index.ts'
import type { Db } from '../../platform/db/database.ts'
import {
  createOverrideOwnerStore,
  type DeviceTask,
  settleTasks,
  type TaskKey,
  type TaskResult,
} from '../devices/index.ts'
import { PROGRAM } from './dispatch-add-store.ts'
import { countOutcomes, type DispatchKind } from './dispatch-store.ts'
import { splitAgain } from './limit-round-store.ts'
import { addReleases, endReleases, endTargets, isTaskOf, PLACEMENT, RELEASE } from './target-end-store.ts'

/** Targets that one transaction ends: the others wait for the next one, and so do requests. */
const AT_ONCE = 1_000

interface Target {
  dispatchId: string
  position: number
  datapointId: string
  round: number
  placedBy: string
  placedByName: string
  /** Set for a power limit, whose kW are the value, on a meter. */
  limit: { direction: Direction; averagingSeconds: AveragingSeconds } | null
}

/** What to place, for a task that says until when. */
export interface PlacementTarget extends Target {
  value: number
  from: Date
  to: Date
  reason: string | null
  /** The caller may still control the device. */
  isAllowed: boolean
}
export type Placement = PlacementTarget & DeviceTask

/** What the controller may hold and must release. */
export interface ReleaseTarget extends Target {
  overrideId: string | null
  /** Until when the command that placed it can still take effect. */
  placeableUntil: Date | null
  /** Who cancelled the dispatch; `null` when it was not cancelled. */
  cancelledBy: string | null
  cancelledByName: string | null
  /** Another share of a limit counts in its place. */
  isReplaced: boolean
}
export type ReleaseTask = ReleaseTarget & DeviceTask

export type PlacementResult = TaskResult & { task: Placement } & (
    | { kind: 'accepted'; overrideId: string }
    /** `mayHold`: an earlier attempt, or this one, may have been accepted all the same. */
    | { kind: 'refused'; reason: string; mayHold: boolean }
    | { kind: 'retry' }
  )

export type ReleaseResult = TaskResult & { task: ReleaseTask }

/** A dispatch that has just ended. */
export interface EndedDispatch {
  id: string
  kind: DispatchKind
  organizationId: string
  siteIds: readonly string[]
  state: DispatchState
  counts: DispatchCounts
}

/** Called in the transaction in which a dispatch ends. */
export type OnEnded = (tx: Db, ended: EndedDispatch) => Promise<void>

export type TargetStore = ReturnType<typeof createTargetStore>

/** The targets of fleet dispatches, and what has become of them. Their tasks say when to send what. */
export function createTargetStore(db: Db, onEnded: OnEnded) {
  return {
    loadPlacements,
    loadReleases,

    /** Stores results of placements in one transaction, and ends dispatches that have no pending target left. */
    settle: (results: readonly PlacementResult[], now: RawBuilder<Date>): Promise<void> =>
      db.transaction().execute((tx) => settle(tx, results, now, onEnded)),

    settleReleases: (results: readonly ReleaseResult[], now: RawBuilder<Date>): Promise<void> =>
      db.transaction().execute(async (tx) => {
        // First the targets, then their tasks, as the end of a window does: two transactions never wait for each other.
        await sql`
          SELECT FROM fleet_target AS target JOIN ${given(results)} USING (dispatch_id, position)
          ORDER BY dispatch_id, position FOR UPDATE OF target`.execute(tx)
        const settled = await settleTasks(tx, { kind: RELEASE, results, now })
        await sql`
          UPDATE fleet_target AS target SET release = 'confirmed' FROM ${given(settled.filter(({ again }) => !again))}
          WHERE ${isGiven} AND release = 'pending'`.execute(tx)
      }),

    /**
     * Ends what was not accepted by its deadline: `expired` if it may have been sent, otherwise `offline`. Organizations take
     * turns. What is too much for one transaction is left to the next call.
     */
    expire: (now: Date, deadlineBefore: Date): Promise<void> =>
      db.transaction().execute((tx) => expire(tx, now, deadlineBefore, onEnded)),

    /** The deadline of the dispatch that ends next; `undefined` when none is running. */
    async nextDeadline(): Promise<Date | undefined> {
      const running = db.selectFrom('fleet_dispatch').where('state', '=', 'running')
      return (await running.select('deadline').orderBy('deadline').limit(1).executeTakeFirst())?.deadline
    },

    /** Ends releases that are of no use any more. Reports whether some are left to the next call. */
    endOverdueReleases: async (now: Date): Promise<boolean> => (await endReleases(db, now, AT_ONCE)) === AT_ONCE,

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

/** The rights of the caller, as they are now: a revoked key or a removed member places nothing any more. */
const callerMayControl = (now: RawBuilder<Date>) => sql`CASE WHEN starts_with(dispatch.placed_by, 'user:') THEN EXISTS (
    SELECT FROM ${siteRoles(
      sql`membership.user_id = substr(dispatch.placed_by, 6) AND membership.organization_id = dispatch.organization_id`,
    )} AS granted
    WHERE (granted.site_id IS NULL OR granted.site_id = target.site_id) AND granted.role IN ('manager', 'admin')
  ) WHEN starts_with(dispatch.placed_by, ${PROGRAM}) THEN EXISTS (
    SELECT FROM openadr_program
    WHERE openadr_program.id = substr(dispatch.placed_by, length(${PROGRAM}) + 1) AND active
      AND openadr_program.organization_id = dispatch.organization_id AND target.site_id = ANY(site_ids)
  ) ELSE EXISTS (
    SELECT FROM api_key
    WHERE api_key.id = dispatch.placed_by AND api_key.organization_id = dispatch.organization_id
      AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})
      AND 'edge-device:read_write' = ANY(permissions)
      AND (all_sites OR EXISTS (
        SELECT FROM api_key_site WHERE api_key_id = api_key.id AND api_key_site.site_id = target.site_id
      ))
  ) END`

const COLUMNS = sql`target.device_id AS "deviceId", task.subject, target.dispatch_id AS "dispatchId", target.position,
  target.datapoint_id AS "datapointId", target.round, CASE dispatch.kind WHEN 'limit' THEN
    json_build_object('direction', dispatch.direction, 'averagingSeconds', dispatch.averaging_seconds) END AS "limit",
  dispatch.placed_by AS "placedBy", dispatch.placed_by_name AS "placedByName"`

/** The targets of tasks, with their dispatches. */
const targetsOf = (tasks: readonly TaskKey[]) => sql`
  unnest(${tasks.map(({ subject }) => subject)}::text[]) AS task (subject)
  JOIN fleet_target AS target ON target.dispatch_id = split_part(task.subject, '/', 1)
    AND target.position = split_part(task.subject, '/', 2)::integer
  JOIN fleet_dispatch AS dispatch ON dispatch.id = target.dispatch_id`

async function loadPlacements(
  tx: Db,
  tasks: readonly TaskKey[],
  now: RawBuilder<Date>,
): Promise<(PlacementTarget & TaskKey)[]> {
  const { rows } = await sql<PlacementTarget & TaskKey>`
    SELECT ${COLUMNS}, target.value, target.from_at AS "from", target.to_at AS "to", dispatch.reason,
      ${callerMayControl(now)} AS "isAllowed"
    FROM ${targetsOf(tasks)} WHERE target.outcome = 'pending'`.execute(tx)
  return rows
}

async function loadReleases(tx: Db, tasks: readonly TaskKey[]): Promise<(ReleaseTarget & TaskKey)[]> {
  const { rows } = await sql<ReleaseTarget & TaskKey>`
    SELECT ${COLUMNS}, target.override_id AS "overrideId", target.sent_until AS "placeableUntil",
      target.is_replaced AS "isReplaced", dispatch.cancelled_by AS "cancelledBy", dispatch.cancelled_by_name AS "cancelledByName"
    FROM ${targetsOf(tasks)} WHERE target.release = 'pending'`.execute(tx)
  return rows
}

/** A table of the targets of results, with one more column of texts and one of times. */
function given<Result extends { task: { dispatchId: string; position: number } }>(
  results: readonly Result[],
  more: { text?: (result: Result) => string; time?: (result: Result) => Date | null } = {},
) {
  const column = <Value>(of: (result: Result) => Value) => results.map(of)
  return sql`unnest(
    ${column(({ task }) => task.dispatchId)}::text[],
    ${column(({ task }) => task.position)}::integer[],
    ${column((result) => more.text?.(result))}::text[],
    ${column((result) => more.time?.(result))}::timestamptz[]
  ) AS given (dispatch_id, position, text, time)`
}
const isGiven = sql`target.dispatch_id = given.dispatch_id AND target.position = given.position`

async function settle(
  tx: Db,
  results: readonly PlacementResult[],
  now: RawBuilder<Date>,
  onEnded: OnEnded,
): Promise<void> {
  const dispatchIds = [...new Set(results.map(({ task }) => task.dispatchId))]
  // One transaction at a time for each dispatch: of two that settle the last targets, the second sees what the first did.
  await tx.selectFrom('fleet_dispatch').where('id', 'in', dispatchIds).select('id').orderBy('id').forUpdate().execute()
  const rest = results.filter((result) => result.kind !== 'accepted')
  const settled = await settleTasks(tx, { kind: PLACEMENT, results: rest, now })
  const [accepted, refused] = [results.filter(isAccepted), settled.filter(isRefused)]
  if (accepted.length > 0) await settleAccepted(tx, accepted, now)
  if (refused.length > 0) await settleRefused(tx, refused, now)
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM fleet_dispatch
    WHERE id = ANY(${dispatchIds}::text[]) AND state = 'running' AND NOT EXISTS (
      SELECT FROM fleet_target WHERE dispatch_id = fleet_dispatch.id AND outcome = 'pending'
    )`.execute(tx)
  const over = rows.map(({ id }) => id)
  if (over.length > 0) await complete(tx, over, now, onEnded)
}

type Accepted = Extract<PlacementResult, { kind: 'accepted' }>
type Refused = Extract<PlacementResult, { kind: 'refused' }>
const isAccepted = (result: PlacementResult) => result.kind === 'accepted'
const isRefused = (result: PlacementResult) => result.kind === 'refused'

/** Whoever has the lease: an override has one id. What has another outcome by now is released by that id. */
async function settleAccepted(tx: Db, results: readonly Accepted[], now: RawBuilder<Date>): Promise<void> {
  await sql`
    WITH changed AS (
      UPDATE fleet_target AS target SET
        override_id = given.text,
        outcome = CASE WHEN outcome = 'pending' THEN 'accepted' ELSE outcome END,
        settled_at = coalesce(settled_at, ${now})
      FROM ${given(results, { text: ({ overrideId }) => overrideId })} WHERE ${isGiven}
      RETURNING target.device_id, target.dispatch_id, target.position
    )
    DELETE FROM device_task AS task USING changed AS target WHERE ${isTaskOf(PLACEMENT)}`.execute(tx)
  await createOverrideOwnerStore(tx).add(
    results.map(({ task: { deviceId, placedBy, to }, overrideId }) => ({ deviceId, overrideId, placedBy, endsAt: to })),
  )
}

async function settleRefused(tx: Db, results: readonly Refused[], now: RawBuilder<Date>): Promise<void> {
  const columns = {
    text: ({ reason }: Refused) => reason,
    time: ({ task, mayHold }: Refused) => (mayHold ? task.sentUntil : null),
  }
  await sql`
    WITH changed AS (
      UPDATE fleet_target AS target SET
        outcome = 'refused', settled_at = ${now}, reason = given.text, sent_until = given.time,
        release = CASE WHEN given.time IS NOT NULL THEN 'pending' END
      FROM ${given(results, columns)} WHERE ${isGiven} AND outcome = 'pending'
      RETURNING target.*
    ) ${addReleases('changed')}`.execute(tx)
}

async function expire(tx: Db, at: Date, deadlineBefore: Date, onEnded: OnEnded): Promise<void> {
  const { rows: due } = await sql<{ id: string }>`
    WITH due AS (
      SELECT id, targets, deadline, row_number() OVER (PARTITION BY organization_id ORDER BY deadline, id) AS turn
      FROM fleet_dispatch WHERE state = 'running' AND deadline <= ${deadlineBefore}
    ), placed AS (
      SELECT id, sum(targets) OVER (ORDER BY turn, deadline, id) - targets AS before FROM due
    )
    SELECT id FROM fleet_dispatch
    WHERE state = 'running' AND id IN (SELECT id FROM placed WHERE before < ${AT_ONCE})
    ORDER BY id FOR UPDATE SKIP LOCKED`.execute(tx)
  if (due.length === 0) return
  const ids = due.map(({ id }) => id)
  const now = sql<Date>`${at}::timestamptz`
  await endTargets(tx, ids, {
    now,
    outcome: sql`CASE WHEN given.may_hold THEN 'expired' ELSE 'offline' END`,
    reason: sql`CASE WHEN given.may_hold THEN 'the controller did not answer by the deadline'
      ELSE 'the controller was not reached by the deadline' END`,
    evenAccepted: false,
  })
  await complete(tx, ids, now, onEnded)
}

/** Ends dispatches that are locked and have no pending target, unless a limit is split again. */
export async function complete(
  tx: Db,
  over: readonly string[],
  now: RawBuilder<Date>,
  onEnded: OnEnded,
): Promise<void> {
  const continued = await splitAgain(tx, over, now)
  const ids = over.filter((id) => !continued.has(id))
  if (ids.length === 0) return
  const ended = await tx
    .updateTable('fleet_dispatch')
    .set({ state: 'completed', ended_at: now })
    .where('id', 'in', ids)
    .where('state', '=', 'running')
    .returning(['id', 'kind', 'organization_id as organizationId', 'site_ids as siteIds', 'state'])
    .execute()
  const counted = await countOutcomes(tx, ids)
  for (const one of ended) {
    const counts = counted.get(one.id)?.counts
    if (counts) await onEnded(tx, { ...one, counts })
  }
}
