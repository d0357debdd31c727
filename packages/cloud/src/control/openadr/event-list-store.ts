import type { OpenadrEvent, OpenadrEventState, OpenadrPlacement, PlacementState } from '@plantroom/contract/openadr'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { END_OF_TIME } from '@plantroom/openadr/durations'
import type { KnownEvent } from '@plantroom/openadr/known-event'
import { NOTE_KINDS, type Note } from '@plantroom/openadr/placements'
import { timelineOf } from '@plantroom/openadr/timeline'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type Page, pageOf } from '../../platform/db/page.ts'
import { createOptOutStore } from './opt-out-store.ts'
import type { ProgramView } from './program-store.ts'
import { reachOf } from './reach.ts'

const MAX_SHOWN = 200

export interface EventQuery {
  programId?: string | undefined
  state?: OpenadrEventState | undefined
  from?: Date | undefined
  to?: Date | undefined
  limit: number
  cursor?: string | undefined
}

interface EventRow {
  id: string
  position: string
  programId: string
  programName: string
  known: KnownEvent
  startsAt: Date | null
  endsAt: Date | null
  firstSeenAt: Date
  changedAt: Date
  deletedAt: Date | null
  notes: Note[]
  resources: string[]
}

interface PlacementRow extends Omit<OpenadrPlacement, 'from' | 'to' | 'state'> {
  eventId: string
  from: Date
  to: Date
  endedAt: Date | null
  isRunning: boolean | null
}

/** Events as people see them: with what became of each at every controller. Newest first. */
export async function listEvents(db: Db, view: ProgramView, query: EventQuery, now: Date): Promise<Page<OpenadrEvent>> {
  const { programId, state, from, to, limit, cursor } = query
  const { isReached, resourcesOf } = await reachOf(db, view)
  const isOver = sql`coalesce(ends_at <= ${now}, false)`
  const isBegun = sql`coalesce(starts_at <= ${now}, true)`
  const inState = {
    deleted: sql`deleted_at IS NOT NULL`,
    ended: sql`deleted_at IS NULL AND ${isOver}`,
    active: sql`deleted_at IS NULL AND NOT ${isOver} AND ${isBegun}`,
    upcoming: sql`deleted_at IS NULL AND NOT ${isBegun}`,
  }
  const { rows } = await sql<EventRow>`
    SELECT event.id, position, program_id AS "programId", openadr_program.name AS "programName", known,
      starts_at AS "startsAt", ends_at AS "endsAt", first_seen_at AS "firstSeenAt", changed_at AS "changedAt",
      deleted_at AS "deletedAt", notes, resources
    FROM openadr_event AS event JOIN openadr_program ON openadr_program.id = event.program_id
    WHERE ${isReached}
      AND ${programId === undefined ? sql`true` : sql`program_id = ${programId}`}
      AND ${state === undefined ? sql`true` : inState[state]}
      AND ${from === undefined ? sql`true` : sql`(ends_at IS NULL OR ends_at > ${from})`}
      AND ${to === undefined ? sql`true` : sql`(starts_at IS NULL OR starts_at < ${to})`}
      AND ${cursor === undefined ? sql`true` : sql`position < ${cursor}::bigint`}
    ORDER BY position DESC LIMIT ${limit + 1}`.execute(db)
  const ids = rows.slice(0, limit).map(({ id }) => id)
  const placements = await placementsOf(db, ids)
  const optOuts = await createOptOutStore(db).ofEvents(ids)
  return pageOf(
    rows,
    limit,
    ({ position }) => position,
    (row) => {
      const reached = resourcesOf(row.programId)
      const isShown = ({ resourceName }: { resourceName: string | null }) =>
        resourceName === null || reached?.has(resourceName) !== false
      const own = {
        ...row,
        resources: row.resources.filter((resourceName) => isShown({ resourceName })),
        notes: row.notes.filter(isShown),
      }
      return {
        ...shownEvent(own, (placements.get(row.id) ?? []).filter(isShown), now.getTime()),
        optOuts: (optOuts.get(row.id) ?? []).filter(isShown),
      }
    },
  )
}

async function placementsOf(db: Db, eventIds: readonly string[]): Promise<Map<string, PlacementRow[]>> {
  const { rows } = await sql<PlacementRow>`
    SELECT placement.id, placement.event_id AS "eventId", resource_name AS "resourceName", payload, placement.kind,
      site_id AS "siteId", datapoint_id AS "datapointId", placement.direction, placement.value, placement.from_at AS "from",
      placement.to_at AS "to", placement.ended_at AS "endedAt", placement.reason, dispatch_id AS "dispatchId",
      dispatch.state = 'running' AS "isRunning", coalesce(found.outcomes, '[]') AS outcomes
    FROM unnest(${[...eventIds]}::text[]) AS event (id)
    CROSS JOIN LATERAL (
      SELECT * FROM openadr_placement WHERE event_id = event.id ORDER BY from_at, created_at LIMIT ${MAX_SHOWN}
    ) AS placement
    LEFT JOIN fleet_dispatch AS dispatch ON dispatch.id = dispatch_id
    LEFT JOIN LATERAL (
      SELECT json_agg(json_build_object('deviceId', target.device_id, 'deviceName', device.name,
        'datapointId', target.datapoint_id, 'datapointName', point.name, 'unit', point.unit, 'value', target.value,
        'outcome', target.outcome, 'overrideId', target.override_id, 'reason', target.reason,
        'release', target.release) ORDER BY target.position) AS outcomes
      FROM fleet_target AS target
      LEFT JOIN device ON device.id = target.device_id
      LEFT JOIN listed_datapoint AS point ON point.device_id = target.device_id AND point.id = target.datapoint_id
      WHERE target.dispatch_id = dispatch.id AND NOT target.is_replaced
    ) AS found ON true
    ORDER BY placement.from_at, placement.created_at, placement.id`.execute(db)
  return Map.groupBy(rows, ({ eventId }) => eventId)
}

function shownEvent(row: EventRow, placements: readonly PlacementRow[], now: number) {
  const { known, startsAt, endsAt, deletedAt, notes } = row
  const { event } = known
  return {
    id: row.id,
    programId: row.programId,
    programName: row.programName,
    eventId: event.id,
    eventName: event.name,
    priority: event.priority,
    state: stateOf(row, now),
    from: textOf(startsAt),
    to: textOf(endsAt),
    firstSeenAt: formatTimestamp(row.firstSeenAt.getTime()),
    changedAt: formatTimestamp(row.changedAt.getTime()),
    deletedAt: textOf(deletedAt),
    resources: row.resources,
    intervals: timelineOf(known)
      .slice(0, MAX_SHOWN)
      .map(({ from, to, payloads }) => ({
        from: formatTimestamp(from),
        to: to >= END_OF_TIME ? null : formatTimestamp(to),
        payloads: payloads.map(({ type, values }) => ({
          type,
          unit: shownUnit(event, type),
          values: values
            .slice(0, MAX_SHOWN)
            .map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value))),
        })),
      })),
    // What is for information only is no problem: its meaning in the profile says so. Opt-outs are listed with their reasons.
    problems: notes.filter(({ kind }) => kind !== 'shown' && kind !== 'opted-out').map(describeNote),
    placements: placements.map((placement) => shownPlacement(placement, now)),
  }
}

/** `EUR/kWh` for a price in EUR for each KWH, otherwise as the VTN writes it. */
function shownUnit({ payloadDescriptors }: KnownEvent['event'], type: string): string | null {
  const { units = null, currency = null } = payloadDescriptors.find(({ payloadType }) => payloadType === type) ?? {}
  if (currency === null) return units
  return units === null ? currency : `${currency}/${ENERGY[units.toUpperCase()] ?? units}`
}

/** Units that VTNs write in capitals. */
const ENERGY: Readonly<Record<string, string>> = { WH: 'Wh', KWH: 'kWh', MWH: 'MWh' }

const textOf = (time: Date | null) => time && formatTimestamp(time.getTime())

function stateOf({ startsAt, endsAt, deletedAt }: EventRow, now: number): OpenadrEventState {
  if (deletedAt) return 'deleted'
  if (endsAt && endsAt.getTime() <= now) return 'ended'
  return startsAt && startsAt.getTime() > now ? 'upcoming' : 'active'
}

/** One line for people, for example: "DISPATCH_SETPOINT for battery (120): The datapoint does not take the value, …" */
function describeNote({ kind, payload, resourceName, detail }: Note): string {
  const about = [payload, resourceName && `for ${resourceName}`, detail && `(${detail})`].filter(Boolean).join(' ')
  return about === '' ? NOTE_KINDS[kind] : `${about}: ${NOTE_KINDS[kind]}`
}

function shownPlacement(row: PlacementRow, now: number): OpenadrPlacement {
  const { eventId: _eventId, from, to, endedAt: _endedAt, isRunning: _isRunning, ...rest } = row
  const failed = row.outcomes.find(({ outcome }) => ['refused', 'offline', 'expired'].includes(outcome))
  return {
    ...rest,
    from: formatTimestamp(from.getTime()),
    to: formatTimestamp(to.getTime()),
    state: placementState(row, now),
    reason: row.reason ?? failed?.reason ?? null,
  }
}

function placementState(
  { dispatchId, endedAt, isRunning, outcomes, from, to }: PlacementRow,
  now: number,
): PlacementState {
  const has = (...any: string[]) => outcomes.some(({ outcome }) => any.includes(outcome))
  if (dispatchId === null || has('refused')) return 'refused'
  if (has('offline', 'expired')) return 'offline'
  if (endedAt) return 'released'
  if (to.getTime() <= now) return 'ended'
  if (isRunning) return 'placing'
  return from.getTime() > now ? 'queued' : 'active'
}
