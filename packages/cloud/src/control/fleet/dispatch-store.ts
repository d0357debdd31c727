import type { DispatchCounts, DispatchOutcome, FleetDispatch, Outcome } from '@plantroom/contract/fleet'
import type { AveragingSeconds, Direction } from '@plantroom/contract/power-limit'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'
import { addDispatches, type DispatchToAdd, type NamedCaller } from './dispatch-add-store.ts'
import { targetReqId } from './plan.ts'
import { endTargets } from './target-end-store.ts'

/** What a dispatch sends to its targets. */
export type DispatchKind = 'setpoint' | 'limit'

/** Which dispatches of an organization a caller sees: a key its own; people those whose sites they all manage. */
export interface DispatchView {
  organizationId: string
  kind: DispatchKind
  placedBy?: string | undefined
  siteIds?: ReadonlySet<string> | undefined
}

interface DispatchList {
  limit: number
  before: string | undefined
  siteId?: string | undefined
  /** Only those that are queued or in force at a time, or only the others. */
  active?: { is: boolean; at: Date } | undefined
}

/** A dispatch of either kind. */
export interface StoredDispatch extends FleetDispatch {
  limit: { direction: Direction; averagingSeconds: AveragingSeconds } | null
}

/** An outcome of either kind. */
export interface StoredOutcome extends DispatchOutcome {
  isReplaced: boolean
  isLost: boolean
}

/** What a cancelled dispatch was, and what has become of its targets. */
interface Cancelled {
  wasRunning: boolean
  siteIds: readonly string[]
  counts: DispatchCounts
}

export type DispatchStore = ReturnType<typeof createDispatchStore>

export function createDispatchStore(db: Db) {
  const seen = (view: DispatchView) => {
    const { organizationId, kind, placedBy, siteIds } = view
    return db
      .selectFrom('fleet_dispatch')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('kind', '=', kind)
      .$if(placedBy !== undefined, (query) => query.where('placed_by', '=', placedBy ?? ''))
      .$if(siteIds !== undefined, (query) => query.where(sql<boolean>`site_ids <@ ${[...(siteIds ?? [])]}::text[]`))
  }

  return {
    /** Stores a dispatch with its targets, in a transaction. False when the caller has used the key before. */
    add: async (dispatch: DispatchToAdd, now: Date): Promise<boolean> =>
      (await addDispatches(db, [dispatch], now)).size > 0,

    /** The dispatch of a caller with this key, and what was asked then. */
    async findByKey(
      organizationId: string,
      placedBy: string,
      idempotencyKey: string,
    ): Promise<{ id: string; requestHash: string } | undefined> {
      return db
        .selectFrom('fleet_dispatch')
        .where('organization_id', '=', organizationId)
        .where('placed_by', '=', placedBy)
        .where('idempotency_key', '=', idempotencyKey)
        .select(['id', 'request_hash as requestHash'])
        .executeTakeFirst()
    },

    async find(view: DispatchView, id: string): Promise<StoredDispatch | undefined> {
      const row = await seen(view).where('id', '=', id).executeTakeFirst()
      return row && (await withCounts(db, [row]))[0]
    },

    async list(
      view: DispatchView,
      { limit, before, siteId, active }: DispatchList,
    ): Promise<{ dispatches: StoredDispatch[]; next: string | null }> {
      const isActive = active && sql<boolean>`(to_at > ${active.at} AND state <> 'cancelled') = ${active.is}`
      const rows = await seen(view)
        .$if(siteId !== undefined, (query) => query.where(sql<boolean>`${siteId} = ANY(site_ids)`))
        .$if(isActive !== undefined, (query) => query.where(isActive ?? sql<boolean>`true`))
        .$if(before !== undefined, (query) => query.where('seq', '<', before ?? ''))
        .orderBy('seq', 'desc')
        .limit(limit + 1)
        .execute()
      const page = rows.slice(0, limit)
      return {
        dispatches: await withCounts(db, page),
        next: rows.length > limit ? String(page.at(-1)?.seq) : null,
      }
    },

    /** One page of the outcomes of a dispatch, in the order of its targets. */
    outcomes: (
      dispatchId: string,
      page: { outcome: Outcome | undefined; limit: number; after: string | undefined },
    ): Promise<{ outcomes: StoredOutcome[]; next: string | null }> => listOutcomes(db, dispatchId, page),

    /**
     * Cancels a dispatch, in a transaction: what was never sent is not sent any more, and controllers must release what
     * they may hold. Returns `undefined` when nothing changed, because it is cancelled or over.
     */
    cancel: async (id: string, by: NamedCaller, now: Date): Promise<Cancelled | undefined> =>
      (await cancelDispatches(db, [id], by, now)).get(id),

    /** How many targets of an organization have a window that is not over, and when the next of these ends. */
    async load(organizationId: string, now: Date): Promise<{ targets: number; nextEnd: Date | null }> {
      const { rows } = await sql<{ targets: number; nextEnd: Date | null }>`
        SELECT coalesce(sum(targets), 0)::integer AS targets, min(to_at) AS "nextEnd" FROM fleet_dispatch
        WHERE organization_id = ${organizationId} AND to_at > ${now}`.execute(db)
      return rows[0] ?? { targets: 0, nextEnd: null }
    },
  }
}

/** Cancels those of the dispatches that are not cancelled or over, in a transaction, and returns them by id. */
export async function cancelDispatches(
  db: Db,
  ids: readonly string[],
  by: NamedCaller,
  now: Date,
): Promise<Map<string, Cancelled>> {
  const { rows: found } = await sql<{ id: string; state: string; siteIds: string[] }>`
    SELECT id, state, site_ids AS "siteIds" FROM fleet_dispatch
    WHERE id = ANY(${[...ids]}::text[]) AND state <> 'cancelled' AND to_at > ${now}
    ORDER BY id FOR UPDATE`.execute(db)
  const open = found.map(({ id }) => id)
  if (open.length === 0) return new Map()
  await sql`
    UPDATE fleet_dispatch SET state = 'cancelled', ended_at = coalesce(ended_at, ${now}),
      cancelled_by = ${by.id}, cancelled_by_name = ${by.name}
    WHERE id = ANY(${open}::text[])`.execute(db)
  const [outcome, reason] = [sql`'cancelled'`, sql`'the dispatch was cancelled'`]
  await endTargets(db, open, { now: sql`${now}::timestamptz`, outcome, reason, evenAccepted: true })
  const counted = await countOutcomes(db, open)
  return new Map(
    found.map(({ id, state, siteIds }) => {
      const counts = counted.get(id)?.counts ?? NO_COUNTS
      return [id, { wasRunning: state === 'running', siteIds, counts }]
    }),
  )
}

const NO_COUNTS: DispatchCounts = { accepted: 0, refused: 0, offline: 0, expired: 0, pending: 0, cancelled: 0 }

/** The counts of dispatches, by their ids. */
export async function countOutcomes(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { counts: DispatchCounts; releasing: number }>> {
  const { rows } = await sql<{ id: string; outcome: Outcome; count: number; releasing: number }>`
    SELECT dispatch_id AS id, outcome, (count(*) FILTER (WHERE NOT is_replaced))::integer AS count,
      count(*) FILTER (WHERE release = 'pending')::integer AS releasing
    FROM fleet_target WHERE dispatch_id = ANY(${[...ids]}::text[])
    GROUP BY dispatch_id, outcome`.execute(db)
  const found = new Map(ids.map((id) => [id, { counts: { ...NO_COUNTS }, releasing: 0 }]))
  for (const { id, outcome, count, releasing } of rows) {
    const of = found.get(id)
    if (!of) continue
    of.counts[outcome] = count
    of.releasing += releasing
  }
  return found
}

type DispatchRow = Selectable<Schema['fleet_dispatch']>

async function withCounts(db: Db, rows: readonly DispatchRow[]): Promise<StoredDispatch[]> {
  const counted = await countOutcomes(
    db,
    rows.map(({ id }) => id),
  )
  const time = (date: Date) => formatTimestamp(date.getTime())
  return rows.map((row) => ({
    id: row.id,
    state: row.state,
    ...(counted.get(row.id) ?? { counts: NO_COUNTS, releasing: 0 }),
    placedBy: { id: row.placed_by, name: row.placed_by_name },
    value: row.value,
    totalKw: row.total_kw,
    from: time(row.from_at),
    to: time(row.to_at),
    deadline: time(row.deadline),
    staggerSeconds: row.stagger_seconds,
    reason: row.reason,
    createdAt: time(row.created_at),
    endedAt: row.ended_at && time(row.ended_at),
    limit: limitOf(row),
  }))
}

const limitOf = ({ direction, averaging_seconds: averagingSeconds }: DispatchRow) =>
  direction === null || averagingSeconds === null ? null : { direction, averagingSeconds }

async function listOutcomes(
  db: Db,
  dispatchId: string,
  { outcome, limit, after }: { outcome: Outcome | undefined; limit: number; after: string | undefined },
): Promise<{ outcomes: StoredOutcome[]; next: string | null }> {
  const rows = await db
    .selectFrom('fleet_target as target')
    .leftJoin('device', 'device.id', 'target.device_id')
    .leftJoin('listed_datapoint as point', (join) =>
      join.onRef('point.device_id', '=', 'target.device_id').onRef('point.id', '=', 'target.datapoint_id'),
    )
    .where('dispatch_id', '=', dispatchId)
    .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome ?? 'pending'))
    .$if(after !== undefined, (query) => query.where(sql<boolean>`position > ${after}::bigint`))
    .selectAll('target')
    .select(['device.name as device_name', 'point.name as datapoint_name', 'point.unit'])
    .orderBy('position')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  return {
    outcomes: page.map((row) => ({
      deviceId: row.device_id,
      siteId: row.site_id,
      datapointId: row.datapoint_id,
      deviceName: row.device_name,
      datapointName: row.datapoint_name,
      unit: row.unit,
      value: row.value,
      from: formatTimestamp(row.from_at.getTime()),
      to: formatTimestamp(row.to_at.getTime()),
      outcome: row.outcome,
      overrideId: row.override_id,
      isReplaced: row.is_replaced,
      isLost: row.is_lost,
      reqId: targetReqId(dispatchId, row.datapoint_id, row.round),
      reason: row.reason,
      release: row.release,
      settledAt: row.settled_at && formatTimestamp(row.settled_at.getTime()),
    })),
    next: rows.length > limit ? String(page.at(-1)?.position) : null,
  }
}
