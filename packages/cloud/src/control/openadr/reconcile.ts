import { newId } from '@plantroom/base/ids'
import type { Note, Placement } from '@plantroom/openadr/placements'
import { wanted } from '@plantroom/openadr/wanted'
import type { Db } from '../../platform/db/database.ts'
import { addDispatches, cancelDispatches } from '../fleet/index.ts'
import { differenceOf } from './difference.ts'
import { type CurrentEvent, createEventStore, type StoredEvent, stillCounts } from './event-store.ts'
import { findMapped, type Mapped, missingIn } from './mapped-store.ts'
import { createOptOutStore, optedOutOf } from './opt-out-store.ts'
import { dispatchOf } from './place.ts'
import { createPlacementStore, type NewPlacement } from './placement-store.ts'
import { ownerOf, type StoredProgram } from './program-store.ts'
import { eventMapping, profileOf } from './read-program.ts'

/** The most that one program has in force and queued. */
export const MAX_PLACEMENTS = 10_000
/** How soon to look again for what is released when its replacement is there. */
const REPLACED_MS = 5_000

export interface Reconciled {
  /** When to do it again, if nothing else changes. */
  nextAt: number
  missing: readonly string[]
  /** How many wanted placements exceed what a program may have. */
  omitted: number
}

/**
 * Makes what is placed what should be, in a transaction in which the program is locked: the difference exists completely or
 * not at all, and once.
 */
export async function reconcile(
  tx: Db,
  program: StoredProgram,
  all: readonly CurrentEvent[],
  now: number,
): Promise<Reconciled> {
  const at = new Date(now)
  const { settings, found } = program
  const placements = createPlacementStore(tx)
  const current = all.filter((event) => stillCounts(event, now))
  const mapped = await findMapped(tx, program.organizationId, settings.mapping)
  const answer = wanted(
    current.map(({ known }) => known),
    eventMapping(settings.mapping),
    profileOf(settings),
    now,
    {
      venName: settings.venName,
      venTargets: found.venTargets ?? [],
      resources: found.resources ?? [],
      programs: found.programs ?? [],
      envelopeOf: (id) => envelopeOf(mapped, id),
      isOptedOut: optedOutOf(await createOptOutStore(tx).since(program.id, at)),
      ...(program.failingSince && { silentSince: (program.polledAt ?? program.createdAt).getTime() }),
    },
  )
  const placed = answer.placements.slice(0, MAX_PLACEMENTS)
  const { add, keep, retry, end, retryAt } = differenceOf(await placements.open(program.id, at), placed, now)

  const byVtnId = new Map(current.map((event) => [event.known.event.id, event]))
  const make = (placement: Placement, attempt: number) => made(program, placement, { attempt, mapped, byVtnId, now })
  const added = add.map((placement) => make(placement, 1))
  const again = retry.map(({ placed, placement }) => ({ placed, ...make(placement, placed.attempt + 1) }))
  const dispatches = [...added, ...again].flatMap(({ dispatch }) => dispatch ?? [])
  const stored = await addDispatches(tx, dispatches, at)
  if (stored.size < dispatches.length) throw new Error('a placement has the key of another one')
  const dispatchOfPlacement = new Map(added.map(({ row }) => [row.placement, row.dispatchId]))
  const ended = [
    ...end.map(({ placed, replacedBy }) => ({
      placed,
      by: (replacedBy && dispatchOfPlacement.get(replacedBy)) ?? null,
    })),
    ...again.map(({ placed, row }) => ({ placed, by: row.dispatchId })),
  ]
  await placements.end(
    ended.map(({ placed, by }) => ({ id: placed.id, replacedBy: placed.dispatchId === null ? null : by })),
    at,
  )
  await placements.add(
    program.id,
    [...added, ...again].map(({ row }) => row),
    at,
  )
  await placements.rename(
    keep.flatMap(({ placed, placement }) =>
      placed.key === placement.key ? [] : [renamed(placed.id, placement, byVtnId)],
    ),
  )
  const unreplaced = ended.flatMap(({ placed, by }) => (by === null ? (placed.dispatchId ?? []) : []))
  const released = [...unreplaced, ...(await placements.takeReplaced(program.id))]
  await cancelDispatches(tx, released, ownerOf(program), at)
  await annotate(tx, current, answer.notes, placed)
  const waits = (await placements.hasReplaced(program.id)) ? now + REPLACED_MS : Number.POSITIVE_INFINITY
  return {
    nextAt: Math.min(answer.nextAt ?? Number.POSITIVE_INFINITY, retryAt, waits),
    missing: [...new Set(missingIn(settings.mapping, mapped).map(({ id }) => id))],
    omitted: answer.placements.length - placed.length,
  }
}

function envelopeOf({ writable }: Mapped, id: string) {
  const datapoint = writable.get(id)
  if (!datapoint) return undefined
  const { min, max } = datapoint
  return { ...(min !== null && { min }), ...(max !== null && { max }) }
}

type Events = ReadonlyMap<string, StoredEvent>

function made(
  program: StoredProgram,
  placement: Placement,
  { attempt, mapped, byVtnId, now }: { attempt: number; mapped: Mapped; byVtnId: Events; now: number },
) {
  const event = placement.origin.event && byVtnId.get(placement.origin.event.id)
  const eventName = event ? (event.known.event.name ?? event.known.event.id) : 'no answer from the VTN'
  const id = newId('plc')
  const carried = dispatchOf(program, placement, { id, eventName, mapped, now })
  const dispatch = 'dispatch' in carried ? carried.dispatch : undefined
  const { target } = placement
  const row: NewPlacement = {
    id,
    placement,
    eventId: event?.id ?? null,
    siteId: target.kind === 'limit' ? target.siteId : (mapped.writable.get(target.datapointId)?.siteId ?? null),
    attempt,
    dispatchId: dispatch?.id ?? null,
    reason: 'reason' in carried ? carried.reason : null,
  }
  return { row, dispatch }
}

const renamed = (id: string, { key, origin }: Placement, byVtnId: Events) => ({
  ...{ id, key },
  eventId: (origin.event && byVtnId.get(origin.event.id)?.id) ?? null,
  intervalId: origin.event?.intervalId ?? null,
})

async function annotate(
  tx: Db,
  current: readonly StoredEvent[],
  notes: readonly Note[],
  placements: readonly Placement[],
): Promise<void> {
  const notesOf = Map.groupBy(notes, ({ eventId }) => eventId)
  const placedOf = Map.groupBy(placements, ({ origin }) => origin.event?.id)
  const about = current.map(({ id, known }) => {
    const own = notesOf.get(known.event.id) ?? []
    const names = [
      ...(placedOf.get(known.event.id) ?? []).map(({ origin }) => origin.resourceName),
      ...own.flatMap(({ resourceName }) => resourceName ?? []),
    ]
    return { id, notes: own, resources: [...new Set(names)].sort() }
  })
  await createEventStore(tx).annotate(about)
}
