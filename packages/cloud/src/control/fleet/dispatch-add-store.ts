import type { AveragingSeconds, Direction } from '@plantroom/contract/power-limit'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { givenRows, insertGiven } from '../../platform/db/given-rows.ts'
import { addTasks } from '../devices/index.ts'
import type { PlannedTarget, Window } from './plan.ts'
import { PLACEMENT, SUBJECT } from './target-end-store.ts'

/** Before the id of an OpenADR program, where it is the caller. */
export const PROGRAM = 'program:'

/** A caller, with the name at that time. */
export interface NamedCaller {
  id: string
  name: string
}

export interface DispatchToAdd {
  id: string
  /** Set for a power limit, whose kW are `totalKw`. */
  limit?: { direction: Direction; averagingSeconds: AveragingSeconds }
  organizationId: string
  placedBy: NamedCaller
  idempotencyKey: string
  requestHash: string
  value: number | undefined
  totalKw: number | undefined
  staggerSeconds: number
  reason: string | undefined
  window: Window
  targets: readonly PlannedTarget[]
}

/** Targets of one dispatch. `first` is the position of the first one. */
interface TargetsToAdd {
  id: string
  to: Date
  deadline: Date
  first: number
  round: number
  targets: readonly PlannedTarget[]
}

/**
 * Stores dispatches with their targets, in a transaction. Returns the ids of those that were stored: the caller has used the
 * keys of the others before.
 */
export async function addDispatches(db: Db, dispatches: readonly DispatchToAdd[], now: Date): Promise<Set<string>> {
  if (dispatches.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    ${insertGiven('fleet_dispatch', { created_at: now }, dispatches, {
      id: 'text',
      organization_id: 'text',
      site_ids: ['text[]', ({ targets }) => [...new Set(targets.map(({ siteId }) => siteId))]],
      targets: ['integer', ({ targets }) => targets.length],
      placed_by: ['text', ({ placedBy }) => placedBy.id],
      placed_by_name: ['text', ({ placedBy }) => placedBy.name],
      idempotency_key: 'text',
      request_hash: 'text',
      value: ['double precision', ({ value }) => value],
      total_kw: ['double precision', ({ totalKw }) => totalKw],
      stagger_seconds: 'integer',
      reason: ['text', ({ reason }) => reason],
      from_at: ['timestamptz', ({ window }) => new Date(window.from)],
      to_at: ['timestamptz', ({ window }) => new Date(window.to)],
      deadline: ['timestamptz', ({ window }) => new Date(window.deadline)],
      kind: ['text', ({ limit }) => (limit ? 'limit' : 'setpoint')],
      direction: ['text', ({ limit }) => limit?.direction],
      averaging_seconds: ['integer', ({ limit }) => limit?.averagingSeconds],
    })}
    ON CONFLICT (organization_id, placed_by, idempotency_key) DO NOTHING RETURNING id`.execute(db)
  const added = new Set(rows.map(({ id }) => id))
  await addTargets(
    db,
    dispatches.flatMap(({ id, window, targets }) =>
      added.has(id)
        ? [{ id, to: new Date(window.to), deadline: new Date(window.deadline), first: 0, round: 0, targets }]
        : [],
    ),
  )
  return added
}

/** Adds targets to dispatches, with their tasks. */
export async function addTargets(db: Db, dispatches: readonly TargetsToAdd[]): Promise<void> {
  const all = dispatches.flatMap(({ targets, ...dispatch }) =>
    targets.map((target, index) => ({ ...target, dispatch, position: dispatch.first + index })),
  )
  if (all.length === 0) return
  await sql`
    WITH given AS MATERIALIZED (
      SELECT * FROM ${givenRows(all, {
        dispatch_id: ['text', ({ dispatch }) => dispatch.id],
        position: 'integer',
        device_id: 'text',
        site_id: 'text',
        datapoint_id: 'text',
        value: 'double precision',
        from_at: ['timestamptz', ({ from }) => new Date(from)],
        to_at: ['timestamptz', ({ dispatch }) => dispatch.to],
        round: ['integer', ({ dispatch }) => dispatch.round],
        deadline: ['timestamptz', ({ dispatch }) => dispatch.deadline],
      })}
    ), target AS (
      INSERT INTO fleet_target (dispatch_id, position, device_id, site_id, datapoint_id, value, from_at, to_at, round)
      SELECT dispatch_id, position, device_id, site_id, datapoint_id, value, from_at, to_at, round FROM given
      RETURNING device_id, dispatch_id, position
    ) ${addTasks(
      PLACEMENT,
      sql`SELECT target.device_id, ${SUBJECT} AS subject, NULL::timestamptz AS due_at, given.deadline AS ends_at
        FROM target JOIN given USING (dispatch_id, position)`,
    )}`.execute(db)
}
