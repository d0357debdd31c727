import type { KnownEvent } from '@plantroom/openadr/known-event'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { givenRows, insertGiven } from '../../platform/db/given-rows.ts'

/** What ended within this time decides how the rest of an event is cut. */
const STILL_COUNTS_MS = 24 * 3_600_000

/** An event of a program as it is stored. */
export interface StoredEvent {
  id: string
  known: KnownEvent
}

export interface ChangedEvent {
  id: string
  known: KnownEvent
  /** When it begins and ends; `null` without a time or an end. */
  startsAt: Date | null
  endsAt: Date | null
}

export type CurrentEvent = Pick<ChangedEvent, 'id' | 'known' | 'endsAt'>

/** Holds for an event that still has a say in what is placed at a time. */
export const stillCounts = ({ endsAt }: CurrentEvent, at: number): boolean =>
  endsAt === null || endsAt.getTime() > at - STILL_COUNTS_MS

/** The events of programs. */
export function createEventStore(db: Db) {
  return {
    /** The versions of the events that the VTN has, as far as we know. */
    async versions(programId: string): Promise<Map<string, string>> {
      const { rows } = await sql<{ vtnId: string; version: string }>`
        SELECT vtn_id AS "vtnId", version FROM openadr_event
        WHERE program_id = ${programId} AND deleted_at IS NULL`.execute(db)
      return new Map(rows.map(({ vtnId, version }) => [vtnId, version]))
    },

    /** The ids at the VTN of the events that we know of some of its programs. */
    async ofPrograms(programId: string, vtnProgramIds: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ vtnId: string }>`
        SELECT vtn_id AS "vtnId" FROM openadr_event
        WHERE program_id = ${programId} AND deleted_at IS NULL
          AND known->'event'->>'programId' = ANY(${[...vtnProgramIds]}::text[])`.execute(db)
      return rows.map(({ vtnId }) => vtnId)
    },

    /** Events by their ids at the VTN, also deleted ones. */
    async known(programId: string, vtnIds: readonly string[]): Promise<Map<string, StoredEvent>> {
      const { rows } = await sql<StoredEvent>`
        SELECT id, known FROM openadr_event
        WHERE program_id = ${programId} AND vtn_id = ANY(${[...vtnIds]}::text[])`.execute(db)
      return new Map(rows.map((row) => [row.known.event.id, row]))
    },

    /** The events that the VTN has, and that counted at a time or later. Those that were just saved are not read again. */
    async current(programId: string, since: number, saved: readonly CurrentEvent[]): Promise<CurrentEvent[]> {
      const { rows } = await sql<CurrentEvent>`
        SELECT id, known, ends_at AS "endsAt" FROM openadr_event
        WHERE program_id = ${programId} AND deleted_at IS NULL
          AND (ends_at IS NULL OR ends_at > ${new Date(since - STILL_COUNTS_MS)})
          AND id <> ALL(${saved.map(({ id }) => id)}::text[])`.execute(db)
      return [...rows, ...saved.filter((event) => stillCounts(event, since))]
    },

    /** The events that the VTN still had when a time ended, and that were not over when it began. */
    async knownAt(programId: string, from: Date, to: Date): Promise<StoredEvent[]> {
      const { rows } = await sql<StoredEvent>`
        SELECT id, known FROM openadr_event
        WHERE program_id = ${programId} AND (deleted_at IS NULL OR deleted_at >= ${to})
          AND (ends_at IS NULL OR ends_at > ${from})`.execute(db)
      return rows
    },

    async save(programId: string, changed: readonly ChangedEvent[], now: Date): Promise<void> {
      if (changed.length === 0) return
      const shared = { program_id: programId, first_seen_at: now, changed_at: now }
      await sql`
        ${insertGiven('openadr_event', shared, changed, {
          id: 'text',
          vtn_id: ['text', ({ known }) => known.event.id],
          version: ['text', ({ known }) => known.event.version],
          known: 'jsonb',
          starts_at: ['timestamptz', ({ startsAt }) => startsAt],
          ends_at: ['timestamptz', ({ endsAt }) => endsAt],
        })}
        ON CONFLICT (program_id, vtn_id) DO UPDATE SET version = excluded.version, known = excluded.known,
          starts_at = excluded.starts_at, ends_at = excluded.ends_at, changed_at = excluded.changed_at, deleted_at = NULL`.execute(
        db,
      )
    },

    async markDeleted(programId: string, vtnIds: readonly string[], now: Date): Promise<void> {
      if (vtnIds.length === 0) return
      await sql`
        UPDATE openadr_event SET deleted_at = ${now}, changed_at = ${now}
        WHERE program_id = ${programId} AND vtn_id = ANY(${[...vtnIds]}::text[]) AND deleted_at IS NULL`.execute(db)
    },

    /** Marks all events of a program as deleted: it has another VTN. */
    async forgetAll(programId: string, now: Date): Promise<void> {
      await sql`
        UPDATE openadr_event SET deleted_at = ${now}
        WHERE program_id = ${programId} AND deleted_at IS NULL`.execute(db)
    },

    /** Keeps what is not acted on, and which resources events are for, where that has changed. */
    async annotate(about: readonly { id: string; notes: unknown; resources: readonly string[] }[]): Promise<void> {
      if (about.length === 0) return
      await sql`
        UPDATE openadr_event AS event SET notes = given.notes, resources = given.resources
        FROM ${givenRows(about, {
          id: 'text',
          notes: 'jsonb',
          resources: ['text[]', ({ resources }) => resources],
        })}
        WHERE event.id = given.id AND (event.notes <> given.notes OR event.resources <> given.resources)`.execute(db)
    },

    /** Removes events that ended or were deleted before a time, with what they placed and reported. Returns how many. */
    async removeBefore(before: Date, most: number): Promise<number> {
      const { rows } = await sql`
        DELETE FROM openadr_event WHERE id IN (
          SELECT id FROM openadr_event WHERE coalesce(deleted_at, ends_at) < ${before} LIMIT ${most}
        ) RETURNING 1`.execute(db)
      return rows.length
    },
  }
}
