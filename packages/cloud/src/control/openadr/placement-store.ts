import type { Placement } from '@plantroom/openadr/placements'
import type { PlacementTarget } from '@plantroom/openadr/target'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { givenRows, insertGiven } from '../../platform/db/given-rows.ts'
import type { Placed } from './difference.ts'

/** A placement with the dispatch that carries it out, or why there is none. */
export interface NewPlacement {
  id: string
  placement: Placement
  eventId: string | null
  siteId: string | null
  attempt: number
  dispatchId: string | null
  reason: string | null
}

interface Row extends Omit<Placed, 'target' | 'from' | 'to' | 'triedAt'> {
  kind: 'setpoint' | 'limit'
  siteId: string
  datapointId: string
  direction: 'import' | 'export'
  averagingSeconds: 0 | 900
  from: Date
  to: Date
  triedAt: Date
}

const LARGEST_ID = 2 ** 31 - 1
/** The id of an interval, for people. The standard has no longer ones: a VTN that uses times as ids gets none here. */
const shortId = (id: number | null | undefined) => (Math.abs(id ?? 0) <= LARGEST_ID ? id : null)

/** What events placed. Each row is one fleet dispatch, or says why there is none. */
export function createPlacementStore(db: Db) {
  return {
    /** What a program has placed, is wanted as far as it knows, and is not over. */
    async open(programId: string, now: Date): Promise<Placed[]> {
      const { rows } = await sql<Row>`
        SELECT placement.id, key, placement.kind, site_id AS "siteId", datapoint_id AS "datapointId", placement.direction,
          placement.averaging_seconds AS "averagingSeconds", placement.value, placement.from_at AS "from",
          placement.to_at AS "to", attempt, dispatch_id AS "dispatchId",
          greatest(placement.created_at, dispatch.ended_at) AS "triedAt",
          CASE WHEN dispatch.id IS NULL THEN 'unplanned'
            WHEN dispatch.state = 'running' THEN 'pending'
            WHEN found.refused THEN 'refused' WHEN found.unreached THEN 'unreached' ELSE 'accepted' END AS outcome
        FROM openadr_placement AS placement
        LEFT JOIN fleet_dispatch AS dispatch ON dispatch.id = dispatch_id
        LEFT JOIN LATERAL (
          SELECT bool_or(outcome = 'refused') AS refused, bool_or(outcome <> 'accepted') AS unreached
          FROM fleet_target AS target WHERE target.dispatch_id = dispatch.id AND NOT is_replaced
        ) AS found ON dispatch.state <> 'running'
        WHERE placement.program_id = ${programId} AND placement.ended_at IS NULL AND placement.to_at > ${now}`.execute(
        db,
      )
      return rows.map(({ kind, siteId, datapointId, direction, averagingSeconds, from, to, triedAt, ...row }) => {
        const target: PlacementTarget =
          kind === 'setpoint' ? { kind, datapointId } : { kind, siteId, direction, averagingSeconds }
        return { ...row, target, from: from.getTime(), to: to.getTime(), triedAt: triedAt.getTime() }
      })
    },

    async add(programId: string, placements: readonly NewPlacement[], now: Date): Promise<void> {
      if (placements.length === 0) return
      await insertGiven('openadr_placement', { program_id: programId, created_at: now }, placements, {
        id: 'text',
        event_id: 'text',
        key: ['text', ({ placement }) => placement.key],
        interval_id: ['integer', ({ placement }) => shortId(placement.origin.event?.intervalId)],
        resource_name: ['text', ({ placement }) => placement.origin.resourceName],
        payload: ['text', ({ placement }) => placement.origin.payload],
        kind: ['text', ({ placement }) => placement.target.kind],
        site_id: 'text',
        datapoint_id: ['text', ({ placement: { target } }) => (target.kind === 'setpoint' ? target.datapointId : null)],
        direction: ['text', ({ placement: { target } }) => (target.kind === 'limit' ? target.direction : null)],
        averaging_seconds: [
          'integer',
          ({ placement: { target } }) => (target.kind === 'limit' ? target.averagingSeconds : null),
        ],
        value: ['double precision', ({ placement }) => placement.value],
        from_at: ['timestamptz', ({ placement }) => new Date(placement.from)],
        to_at: ['timestamptz', ({ placement }) => new Date(placement.to)],
        dispatch_id: 'text',
        attempt: 'integer',
        reason: 'text',
      }).execute(db)
    },

    /** Gives placements the keys and events that they have by now. */
    async rename(renamed: readonly { id: string; key: string; eventId: string | null; intervalId: number | null }[]) {
      if (renamed.length === 0) return
      await sql`
        UPDATE openadr_placement AS placement SET key = given.key, event_id = given.event_id, interval_id = given.interval_id
        FROM ${givenRows(renamed, {
          ...{ id: 'text', key: 'text', event_id: 'text' },
          interval_id: ['integer', ({ intervalId }) => shortId(intervalId)],
        } as const)}
        WHERE placement.id = given.id`.execute(db)
    },

    /** Ends placements. With `replacedBy`, their dispatches stay until that one is there. */
    async end(ended: readonly { id: string; replacedBy: string | null }[], now: Date): Promise<void> {
      if (ended.length === 0) return
      await sql`
        UPDATE openadr_placement AS placement SET ended_at = ${now}, replaced_by = given.replaced_by
        FROM ${givenRows(ended, { id: 'text', replaced_by: 'text' })} WHERE placement.id = given.id`.execute(db)
    },

    /** Returns the dispatches whose replacements are there or have failed, and forgets that they wait. */
    async takeReplaced(programId: string): Promise<string[]> {
      const { rows } = await sql<{ id: string | null }>`
        UPDATE openadr_placement AS placement SET replaced_by = NULL
        WHERE program_id = ${programId} AND replaced_by IS NOT NULL AND NOT EXISTS (
          SELECT FROM fleet_dispatch WHERE fleet_dispatch.id = replaced_by AND state = 'running'
        )
        RETURNING dispatch_id AS id`.execute(db)
      return rows.flatMap(({ id }) => id ?? [])
    },

    /** Reports whether some dispatch waits for its replacement. */
    async hasReplaced(programId: string): Promise<boolean> {
      const { rows } = await sql`
        SELECT FROM openadr_placement WHERE program_id = ${programId} AND replaced_by IS NOT NULL LIMIT 1`.execute(db)
      return rows.length > 0
    },
  }
}
