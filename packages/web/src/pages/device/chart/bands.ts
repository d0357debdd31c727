import type { Hold, Writer } from '@plantroom/contract/control-state'
import type { ReportCode, ReportEntry, ReportedValue } from '@plantroom/contract/reports'
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
 * What was held when, from the reports of one datapoint in any order. One that was taken over before the first report began
 * at `since`; one that was not released goes on until `now`.
 */
export function bandsOf(entries: readonly ReportEntry[], { since, now }: { since: number; now: number }): Band[] {
  const bands: Band[] = []
  const open = new Map<string, Band>()
  const inOrder = entries
    .filter(({ phase }) => phase === 'applied' || phase === 'released')
    .toSorted((a, b) => a.seq - b.seq)

  for (const entry of inOrder) {
    const { code, overrideId, phase, value } = entry
    const at = Date.parse(entry.at)
    const key = `${code} ${overrideId}`
    const begun = open.get(key)
    if (begun) {
      bands.push({ ...begun, to: Math.max(begun.from, at) })
      open.delete(key)
    }
    const band = { by: WRITERS[code], overrideId, isPlanned: false }
    if (phase === 'applied') open.set(key, { ...band, from: at, to: now, value, isOpen: true })
    // A release says what came afterwards and what was before: what it was held at is not known then.
    else if (!begun && !wasCalledOff(entry)) {
      bands.push({ ...band, from: Math.min(since, at), to: at, value: null, isOpen: false })
    }
  }
  const ended = bands.map((band) => ({ ...band, isOpen: false }))
  const going = Array.from(open.values(), (band) => ({ ...band, to: Math.max(band.from, now) }))
  return [...ended, ...going].toSorted((a, b) => a.from - b.from)
}

/** A window that was cancelled before its time came: it is reported as released, and never held anything. */
const wasCalledOff = ({ reason, value, valueBefore }: ReportEntry) =>
  reason === 'cancelled' && value === null && valueBefore === null

/** What is to come if nobody places or cancels anything; `now` on for what rules already. */
export function plannedBands(windows: readonly LiveWindow[], hold: Hold | undefined, now: number): Band[] {
  const until = hold?.until === undefined || hold.until === null ? undefined : Date.parse(hold.until)
  return windows.flatMap(({ id, value, state, from, to }) => {
    const end = state === 'ruling' ? (until ?? Date.parse(to)) : Date.parse(to)
    const start = state === 'queued' ? Date.parse(from) : state === 'covered' ? (until ?? now) : now
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
