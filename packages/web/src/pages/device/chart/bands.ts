import type { Hold } from '@plantroom/contract/control-state'
import type { ReportCode, ReportEntry, ReportedValue } from '@plantroom/contract/reports'
import type { Writer } from '@plantroom/contract/writers'
import type { LiveWindow } from '../rows.ts'

/** A stretch of time in which someone held a datapoint, in milliseconds. */
export interface Band {
  from: number
  to: number
  by: Exclude<Writer, 'plain'>
  value: ReportedValue
  overrideId: string | null
  /** It has not been released, as far as was reported: it goes on. */
  isOpen: boolean
  /** It is to come. */
  isPlanned: boolean
  /** When one that goes on is to end, where that is known. */
  until?: number
}

const WRITERS: Record<ReportCode, Band['by']> = {
  4000: 'peak-shaving',
  4001: 'deviation',
  4005: 'demand-response',
}

/**
 * Which writer held the datapoint when, from its reports in any order. A hold whose `applied` is older than the reports
 * begins at `since`; one that was not released goes on until `now`.
 *
 * An override stays open while a later one outranks it, and holds again when that one is over: it has a band for each time.
 */
export function bandsOf(entries: readonly ReportEntry[], { since, now }: { since: number; now: number }): Band[] {
  const bands: Band[] = []
  /** Applied and not released; the last one holds the datapoint. */
  let open: Band[] = []
  const inOrder = entries
    .filter(({ phase }) => phase === 'applied' || phase === 'released')
    .toSorted((a, b) => a.seq - b.seq)

  const isOf = ({ code, overrideId }: ReportEntry) => {
    return (band: Band) => band.by === WRITERS[code] && band.overrideId === overrideId
  }
  const end = (at: number) => {
    const held = open.at(-1)
    if (held) bands.push({ ...held, to: Math.max(held.from, at), isOpen: false })
  }

  for (const entry of inOrder) {
    const at = Date.parse(entry.at)
    const band = { by: WRITERS[entry.code], overrideId: entry.overrideId, isPlanned: false }
    const known = open.find(isOf(entry))
    const holds = known !== undefined && known === open.at(-1)
    if (entry.phase === 'applied' || holds) end(at)
    open = open.filter((one) => one !== known)
    if (entry.phase === 'applied') {
      open.push({ ...band, from: at, to: now, value: entry.value, isOpen: true })
    } else if (holds) {
      const next = open.at(-1)
      if (next) open = [...open.slice(0, -1), { ...next, from: at }]
    } else if (!known && !wasOutranked(entry)) {
      // A release says what came afterwards and what was before: the value that was held is not known then.
      bands.push({ ...band, from: Math.min(since, at), to: at, value: null, isOpen: false })
    }
  }
  const held = open.at(-1)
  if (held) bands.push({ ...held, to: Math.max(held.from, now) })
  return bands.toSorted((a, b) => a.from - b.from)
}

/** It did not hold the datapoint when it was over: it was cancelled in the queue, or a later override held it. */
const wasOutranked = ({ reason, value }: ReportEntry) =>
  value === null && (reason === 'cancelled' || reason === 'superseded' || reason === 'restart')

/** What is to come if nobody places or cancels anything; `now` on for what rules already. */
export function plannedBands(overrides: readonly LiveWindow[], hold: Hold | undefined, now: number): Band[] {
  const until = hold?.until === undefined || hold.until === null ? undefined : Date.parse(hold.until)
  return overrides.flatMap(({ id, value, state, from, to }) => {
    const end = state === 'active' ? (until ?? Date.parse(to)) : Date.parse(to)
    const start = state === 'queued' ? Date.parse(from) : state === 'superseded' ? (until ?? now) : now
    const band = { by: 'demand-response' as const, value, overrideId: id, isOpen: false, isPlanned: true }
    return end > Math.max(start, now) ? [{ ...band, from: Math.max(start, now), to: end }] : []
  })
}

/** Those that are seen between two times. */
export function seenWithin(bands: readonly Band[], from: number, to: number): Band[] {
  return bands.filter((band) => band.to > from && band.from < to)
}

/** For words: what goes on and what is still planned of it are one. */
export function joinRunning(bands: readonly Band[]): Band[] {
  const running = new Set(bands.filter(({ isOpen }) => isOpen).map(({ overrideId }) => overrideId))
  const isRest = ({ isPlanned, overrideId }: Band) => isPlanned && overrideId !== null && running.has(overrideId)
  return bands
    .filter((band) => !isRest(band))
    .map((band) => {
      const rest = band.isOpen && bands.find((each) => isRest(each) && each.overrideId === band.overrideId)
      return rest ? { ...band, until: rest.to } : band
    })
}

/** For drawing: those that are seen, cut to what is. */
export function cutTo(bands: readonly Band[], from: number, to: number): Band[] {
  return seenWithin(bands, from, to).map((band) => ({
    ...band,
    from: Math.max(band.from, from),
    to: Math.min(band.to, to),
  }))
}
