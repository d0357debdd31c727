import type { OpenadrOptOut } from '@plantroom/contract/openadr'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { insertGiven } from '../../platform/db/given-rows.ts'
import type { ProgramView } from './program-store.ts'
import { reachOf } from './reach.ts'

/** An event of which people may opt out, with its program. */
export interface OptableEvent {
  id: string
  programId: string
  programName: string
  /** Those that it asks something of, and that the person sees. */
  resources: readonly string[]
  endsAt: Date | null
  deletedAt: Date | null
}

/** One time during which a resource is not part of an event. */
export interface OptOutSpan {
  eventId: string
  resourceName: string
  from: Date
  /** `null`: nobody opted in again. */
  to: Date | null
}

interface Row extends Omit<OpenadrOptOut, 'at'> {
  eventId: string
  at: Date
}

/** What people opted out of. */
export function createOptOutStore(db: Db) {
  return {
    async event(view: ProgramView, id: string): Promise<OptableEvent | undefined> {
      const { isReached, resourcesOf } = await reachOf(db, view)
      const { rows } = await sql<OptableEvent>`
        SELECT event.id, program_id AS "programId", openadr_program.name AS "programName", resources, ends_at AS "endsAt",
          deleted_at AS "deletedAt"
        FROM openadr_event AS event JOIN openadr_program ON openadr_program.id = event.program_id
        WHERE ${isReached} AND event.id = ${id}`.execute(db)
      const [event] = rows
      const reached = event && resourcesOf(event.programId)
      return event && reached ? { ...event, resources: event.resources.filter((name) => reached.has(name)) } : event
    },

    /** Opts resources out. One that is out already stays so, with its first reason. */
    async add(
      { eventId, by, reason }: { eventId: string; by: string; reason: string },
      resources: readonly { id: string; resourceName: string }[],
      now: Date,
    ): Promise<void> {
      const shared = { event_id: eventId, opted_by: by, reason, from_at: now }
      await sql`
        ${insertGiven('openadr_opt_out', shared, resources, {
          id: 'text',
          resource_name: ['text', ({ resourceName }) => resourceName],
        })}
        ON CONFLICT (event_id, resource_name) WHERE ended_at IS NULL DO NOTHING`.execute(db)
    },

    /** Ends an opt-out that is in force. Returns what it was about. */
    async end(view: ProgramView, id: string, now: Date) {
      const { isReached, resourcesOf } = await reachOf(db, view)
      const { rows: found } = await sql<{ programId: string; resourceName: string }>`
        SELECT program_id AS "programId", resource_name AS "resourceName"
        FROM openadr_opt_out AS own JOIN openadr_event AS event ON event.id = own.event_id
        JOIN openadr_program ON openadr_program.id = event.program_id
        WHERE own.id = ${id} AND ${isReached}`.execute(db)
      if (!found.some(({ programId, resourceName }) => resourcesOf(programId)?.has(resourceName) !== false))
        return undefined
      const { rows } = await sql<{ programId: string; programName: string; eventId: string; resourceName: string }>`
        UPDATE openadr_opt_out AS own SET ended_at = ${now}
        FROM openadr_event AS event JOIN openadr_program ON openadr_program.id = event.program_id
        WHERE own.id = ${id} AND own.ended_at IS NULL AND event.id = own.event_id
        RETURNING program_id AS "programId", openadr_program.name AS "programName", event.id AS "eventId",
          resource_name AS "resourceName"`.execute(db)
      return rows[0]
    },

    /** Those in force of some events, by the event. */
    async ofEvents(eventIds: readonly string[]): Promise<Map<string, OpenadrOptOut[]>> {
      const { rows } = await sql<Row>`
        SELECT id, event_id AS "eventId", resource_name AS "resourceName", reason, opted_by AS by, from_at AS at
        FROM openadr_opt_out WHERE event_id = ANY(${[...eventIds]}::text[]) AND ended_at IS NULL
        ORDER BY event_id, resource_name`.execute(db)
      const shown = rows.map(({ eventId, at, ...row }) => ({ eventId, ...row, at: formatTimestamp(at.getTime()) }))
      return new Map(
        [...Map.groupBy(shown, ({ eventId }) => eventId)].map(([id, list]) => [
          id,
          list.map(({ eventId: _eventId, ...one }) => one),
        ]),
      )
    },

    /** The opt-outs of a program that were in force at some time after another, by the ids of events at the VTN. */
    async since(programId: string, after: Date): Promise<OptOutSpan[]> {
      const { rows } = await sql<OptOutSpan>`
        SELECT event.vtn_id AS "eventId", resource_name AS "resourceName", from_at AS "from", ended_at AS "to"
        FROM openadr_opt_out AS own JOIN openadr_event AS event ON event.id = own.event_id
        WHERE event.program_id = ${programId} AND (ended_at IS NULL OR ended_at > ${after})
        ORDER BY from_at`.execute(db)
      return rows
    },
  }
}

/** Returns a lookup of the resources that are out of an event, by its id at the VTN. */
export function optedOutOf(spans: readonly OptOutSpan[]) {
  const keyOf = (eventId: string, resourceName: string) => JSON.stringify([eventId, resourceName])
  const out = new Set(
    spans.filter(({ to }) => to === null).map(({ eventId, resourceName }) => keyOf(eventId, resourceName)),
  )
  return (eventId: string, resourceName: string) => out.has(keyOf(eventId, resourceName))
}
