import { sha256 } from '@plantroom/base/sha256'
import { DEFAULT_SILENCE_SECONDS, type Mapping } from '@plantroom/contract/openadr-mapping'
import type { Profile } from '@plantroom/contract/openadr-profile'
import { targetKey } from '../mapping/target.ts'
import { END_OF_TIME } from '../normal/durations.ts'
import { type Candidate, candidatesOf, rulesOf, type Surroundings } from './candidates.ts'
import type { KnownEvent } from './known-event.ts'
import { createNoteTaker, type NoteTaker } from './notes.ts'
import type { Note, Placement } from './placements.ts'
import { compareRanks } from './rank.ts'
import { type Segment, sweep } from './sweep.ts'
import { spanOf } from './timeline.ts'

/** The longest override or power limit that a controller takes. */
export const MAX_PIECE_MS = 24 * 3_600_000
/** How far ahead placements begin. With the cloud gone, everything ends within this and one piece. */
const DEFAULT_HORIZON_MS = 24 * 3_600_000

export interface WantedOptions extends Surroundings {
  readonly horizonMs?: number
  /** The last answer of the VTN, while it does not answer. */
  readonly silentSince?: number
}

export interface Wanted {
  /** In the order of time. Those for one target never overlap. */
  readonly placements: readonly Placement[]
  readonly notes: readonly Note[]
  /** When to ask again at the latest, if nothing else changes; `null`: the answer stays as it is. */
  readonly nextAt: number | null
}

/**
 * Returns the overrides and power limits that should exist now: those that are running, and those that begin within the
 * horizon. Pure. As time passes and nothing else changes, a placement keeps its key until it ends.
 */
export function wanted(
  events: readonly KnownEvent[],
  mapping: Mapping,
  profile: Profile,
  now: number,
  options: WantedOptions = {},
): Wanted {
  const { horizonMs = DEFAULT_HORIZON_MS } = options
  const horizon = now + horizonMs
  // What ended within the longest piece decides where a running one was cut.
  const window = { from: now - MAX_PIECE_MS, to: horizon + MAX_PIECE_MS }
  const notes = createNoteTaker()
  const silence = silenceOf(mapping, profile, options.silentSince)
  const isSilent = silence !== undefined && now >= silence.from
  const ofEvents =
    isSilent && silence.action === 'release'
      ? []
      : candidatesOf(events, { mapping, profile, surroundings: options, window, notes })
  const fallbacks = isSilent && silence.action === 'fallback' ? fallbacksFrom(silence.from, mapping) : []

  const segments = [...Map.groupBy([...fallbacks, ...ofEvents], ({ target }) => targetKey(target)).values()].flatMap(
    (candidates) => resolved(candidates, window, notes),
  )
  const future = segments.filter(({ to, claim }) => to > now && claim.value !== null).sort(inOrder)
  const placements = future.filter(({ from }) => from < horizon).map(placementOf)
  const times = [
    ...placements.map(({ to }) => to),
    ...future.filter(({ from }) => from >= horizon).map(({ from }) => from - horizonMs + 1),
    ...(events.some((known) => (spanOf(known)?.to ?? now) > window.to) ? [now + MAX_PIECE_MS] : []),
    ...(silence && !isSilent && silence.action !== 'keep' ? [silence.from] : []),
  ]
  const nextAt = times.reduce((earliest, time) => Math.min(earliest, time), Number.POSITIVE_INFINITY)
  return { placements, notes: notes.notes(), nextAt: Number.isFinite(nextAt) ? nextAt : null }
}

/** By time, then by target: the same in every process. */
const inOrder = (a: Segment<Candidate>, b: Segment<Candidate>) =>
  a.from - b.from || (targetKey(a.claim.target) < targetKey(b.claim.target) ? -1 : 1)

function silenceOf({ onSilence, silenceSeconds }: Mapping, profile: Profile, since: number | undefined) {
  if (since === undefined) return undefined
  return { action: onSilence ?? profile.onSilence, from: since + (silenceSeconds ?? DEFAULT_SILENCE_SECONDS) * 1000 }
}

/** What the rules of a mapping say for a silence. */
function fallbacksFrom(from: number, mapping: Mapping): Candidate[] {
  return rulesOf(mapping).flatMap(({ rule, target, resourceName, order }) =>
    rule.fallback === undefined
      ? []
      : [
          {
            from,
            to: END_OF_TIME,
            target,
            value: rule.fallback,
            origin: { event: null, payload: rule.payload, resourceName },
            rank: { layer: 0 as const, priority: 0, createdAt: 0, eventId: '', order },
          },
        ],
  )
}

/** Lets the candidates of one target compete. */
function resolved(
  candidates: readonly Candidate[],
  window: { readonly from: number; readonly to: number },
  notes: NoteTaker,
): readonly Segment<Candidate>[] {
  const ranked = candidates.toSorted((a, b) => compareRanks(a.rank, b.rank))
  const { segments, outranked } = sweep(ranked.flatMap((candidate) => piecesOf(candidate, window)))
  for (const [{ origin, rank }, by] of outranked) {
    const winner = by.origin.event
    // A fallback is expected to give way, and within one event the first rule is what its author wants.
    if (!origin.event || !winner || origin.event.id === winner.id || rank.layer !== by.rank.layer) continue
    const { id, intervalId } = origin.event
    const { payload, resourceName } = origin
    notes.add({ kind: 'outranked', eventId: id, intervalId, payload, resourceName, detail: winner.id })
  }
  return segments
}

/** Cuts a candidate into pieces that a controller takes. The cuts depend only on its beginning, so that they stay. */
function piecesOf(candidate: Candidate, window: { readonly from: number; readonly to: number }): Candidate[] {
  const { from, to } = candidate
  if (to - from <= MAX_PIECE_MS) return [candidate]
  const first = Math.max(0, Math.floor((window.from - from) / MAX_PIECE_MS))
  const end = Math.ceil((Math.min(to, window.to) - from) / MAX_PIECE_MS)
  return Array.from({ length: Math.max(end - first, 0) }, (_, index) => {
    const start = from + (first + index) * MAX_PIECE_MS
    return { ...candidate, from: start, to: Math.min(start + MAX_PIECE_MS, to) }
  })
}

function placementOf({ from, to, claim }: Segment<Candidate>): Placement {
  const { target, origin } = claim
  const value = claim.value ?? 0
  const identity = [
    origin.event?.id,
    origin.event?.version,
    claim.rank.order,
    origin,
    targetKey(target),
    value,
    from,
    to,
  ]
  return { key: sha256(JSON.stringify(identity)).slice(0, 32), target, value, from, to, origin }
}
