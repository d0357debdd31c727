import type { Hold } from '@plantroom/contract/control-state'
import type { ReportEntry, ReportedValue } from '@plantroom/contract/reports'
import { HOLDING_WRITERS, type HoldingWriter, WRITERS } from '@plantroom/contract/writers'
import type { NamedOverride } from '../describe-hold.ts'

/** A period in which a writer held a datapoint, in milliseconds. */
export interface Band {
  from: number
  to: number
  by: HoldingWriter
  value: ReportedValue
  overrideId: string | null
  /** True when no release was reported: it continues. */
  isOpen: boolean
  /** True for the future. */
  isPlanned: boolean
  /** The planned end of a hold that continues, if it is known. */
  until?: number
}

/** Returns the writer of an audit entry. */
function writerOf({ code }: ReportEntry): HoldingWriter {
  return HOLDING_WRITERS.find((writer) => WRITERS[writer].auditCode === code) ?? 'demand-response'
}

/**
 * Computes from audit entries, in any order, which writer held the datapoint when. A hold without an `applied` entry
 * starts at `since`; one without a release continues until `now`.
 *
 * A superseded override becomes active again when the later one ends: it has a band for each active period.
 */
export function bandsOf(entries: readonly ReportEntry[], { since, now }: { since: number; now: number }): Band[] {
  const bands: Band[] = []
  /** Applied and not released; the last one is active. */
  let open: Band[] = []
  const inOrder = entries
    .filter(({ phase }) => phase === 'applied' || phase === 'released' || phase === 'limited')
    .toSorted((a, b) => a.seq - b.seq)

  const isOf = (entry: ReportEntry) => {
    return (band: Band) => band.by === writerOf(entry) && band.overrideId === entry.overrideId
  }
  /** Without ids, which only people who manage the site see, a new hold is the latest, and ends before the others. */
  const openBand = (entry: ReportEntry): Band | undefined => {
    if (writerOf(entry) !== 'demand-response' || entry.overrideId !== null) return open.find(isOf(entry))
    // A new controller goes on with what the one before it held.
    if (entry.phase === 'applied') return entry.reason === 'replaced' ? open.findLast(isOf(entry)) : undefined
    return wasInactive(entry) ? open.slice(0, -1).find(isOf(entry)) : open.findLast(isOf(entry))
  }
  const end = (at: number) => {
    const held = open.at(-1)
    if (held) bands.push({ ...held, to: Math.max(held.from, at), isOpen: false })
  }

  for (const entry of inOrder) {
    const at = Date.parse(entry.at)
    const band = { by: writerOf(entry), overrideId: entry.overrideId, isPlanned: false }
    const known = openBand(entry)
    const holds = known !== undefined && known === open.at(-1)
    if (entry.phase === 'limited') {
      // The same hold goes on at another value.
      if (holds) end(at)
      open = open.map((one) => (one === known ? { ...one, from: at, value: entry.value } : one))
      continue
    }
    if (entry.phase === 'applied' || holds) end(at)
    open = open.filter((one) => one !== known)
    if (entry.phase === 'applied') {
      open.push({ ...band, from: at, to: now, value: entry.value, isOpen: true })
    } else if (holds) {
      const next = open.at(-1)
      if (next) open = [...open.slice(0, -1), { ...next, from: at }]
    } else if (!known && !wasInactive(entry)) {
      // A release reports the values before and after the hold, but not the held value.
      bands.push({ ...band, from: Math.min(since, at), to: at, value: null, isOpen: false })
    }
  }
  const held = open.at(-1)
  if (held) bands.push({ ...held, to: Math.max(held.from, now) })
  return bands.toSorted((a, b) => a.from - b.from)
}

/** Reports whether an override ended while it was not active: cancelled in the queue, or superseded. */
const wasInactive = ({ reason, value }: ReportEntry) =>
  value === null && (reason === 'cancelled' || reason === 'superseded' || reason === 'restart')

/** Computes the future holds, assuming no changes. The active override continues from `now`. */
export function plannedBands(overrides: readonly NamedOverride[], hold: Hold | undefined, now: number): Band[] {
  const until = hold?.until === undefined || hold.until === null ? undefined : Date.parse(hold.until)
  return overrides.flatMap(({ id, value, state, from, to }) => {
    const end = state === 'active' ? (until ?? Date.parse(to)) : Date.parse(to)
    const start = state === 'queued' ? Date.parse(from) : state === 'superseded' ? (until ?? now) : now
    const band = { by: 'demand-response' as const, value, overrideId: id, isOpen: false, isPlanned: true }
    return end > Math.max(start, now) ? [{ ...band, from: Math.max(start, now), to: end }] : []
  })
}

/** Returns the bands that overlap a period. */
export function bandsWithin(bands: readonly Band[], from: number, to: number): Band[] {
  return bands.filter((band) => band.to > from && band.from < to)
}

/** Joins the past and the planned part of an active override, for the list. */
export function joinRunning(bands: readonly Band[]): Band[] {
  const running = bands.filter(({ isOpen }) => isOpen)
  const isRestOf = (band: Band) => (each: Band) =>
    // Without ids, the planned part is the one that begins where the past ends.
    each.isPlanned &&
    each.by === band.by &&
    each.overrideId === band.overrideId &&
    (each.overrideId !== null || each.from <= band.to)
  return bands
    .filter((band) => !running.some((each) => isRestOf(each)(band)))
    .map((band) => {
      const rest = band.isOpen && bands.find(isRestOf(band))
      return rest ? { ...band, until: rest.to } : band
    })
}

/** Cuts bands to a period, for drawing. */
export function cutTo(bands: readonly Band[], from: number, to: number): Band[] {
  return bandsWithin(bands, from, to).map((band) => ({
    ...band,
    from: Math.max(band.from, from),
    to: Math.min(band.to, to),
  }))
}
