import { toLocalInput } from '../../../parts/time.ts'
import type { LiveOverride } from '../rows.ts'

const HOUR_MS = 3_600_000
const AHEAD_MS = 24 * HOUR_MS
/** Some of the past, so that the line of now is not at the edge. */
const BEHIND_MS = HOUR_MS
const TICK_HOURS = 3

/** Positions are in percent of the width. */
interface TimelineBar {
  override: LiveOverride
  left: number
  width: number
  /** Overlapping bars of one datapoint are stacked. */
  lane: number
  /** Where the value is written: in the bar, or beside one that is too narrow for it. */
  label: 'inside' | 'after' | 'before'
  /** True when the override extends beyond the timeline. */
  isCutLeft: boolean
  isCutRight: boolean
}

interface TimelineRow {
  datapointId: string
  lanes: number
  bars: readonly TimelineBar[]
}

interface Timeline {
  nowAt: number
  ticks: readonly { at: number; label: string }[]
  rows: readonly TimelineRow[]
}

/** The narrowest track is about 480 px wide: what a character and the padding of a bar take of it, in percent. */
const CHARACTER = 1.6
const PADDING = 4

/** Returns where a label of this length fits, and the part of the track that bar and label take, both in percent. */
function placeLabel(
  left: number,
  width: number,
  length: number,
): Pick<TimelineBar, 'label'> & { span: [number, number] } {
  const needed = length * CHARACTER + PADDING
  const right = left + width
  if (width >= needed) return { label: 'inside', span: [left, right] }
  return right + needed <= 100
    ? { label: 'after', span: [left, right + needed] }
    : { label: 'before', span: [left - needed, right] }
}

/**
 * Lays out the overrides of the next 24 hours, a row per datapoint, earliest first. `labelOf` returns the text of a bar,
 * which has room beside it when the bar is too short.
 */
export function layoutTimeline(
  overrides: readonly LiveOverride[],
  { now, timeZone }: { now: number; timeZone: string },
  labelOf: (override: LiveOverride) => string,
): Timeline {
  const start = now - BEHIND_MS
  const end = now + AHEAD_MS
  const place = (at: number) => (100 * (at - start)) / (end - start)
  const timed = overrides
    .map((override) => ({ override, from: Date.parse(override.from), to: Date.parse(override.to) }))
    .filter(({ from, to }) => to > start && from < end)
    .toSorted((a, b) => a.from - b.from || a.to - b.to)

  const rows = Array.from(
    Map.groupBy(timed, ({ override }) => override.datapointId),
    ([datapointId, own]) => {
      const laneEnds: number[] = []
      const bars = own.map(({ override, from, to }) => {
        const left = place(Math.max(from, start))
        const width = place(Math.min(to, end)) - left
        const { label, span } = placeLabel(left, width, labelOf(override).length)
        const free = laneEnds.findIndex((laneEnd) => laneEnd <= span[0])
        const lane = free === -1 ? laneEnds.length : free
        laneEnds[lane] = span[1]
        return { override, left, width, lane, label, isCutLeft: from < start, isCutRight: to > end }
      })
      return { datapointId, lanes: laneEnds.length, bars }
    },
  )
  return {
    nowAt: place(now),
    ticks: ticksOf(start, end, timeZone).map(({ at, label }) => ({ at: place(at), label })),
    rows,
  }
}

/** Returns every third full hour in the site's time zone, across clock changes. */
function ticksOf(start: number, end: number, timeZone: string): { at: number; label: string }[] {
  const minutes = Number(toLocalInput(start, timeZone).slice(14, 16))
  const intoHour = minutes * 60_000 + (start % 60_000)
  const ticks = []
  for (let at = start - intoHour + HOUR_MS; at < end; at += HOUR_MS) {
    const label = toLocalInput(at, timeZone).slice(11, 16)
    if (Number(label.slice(0, 2)) % TICK_HOURS === 0) ticks.push({ at, label })
  }
  return ticks
}

const STATE_ORDER: Record<LiveOverride['state'], number> = { active: 0, superseded: 1, queued: 2 }

/** Sorts overrides for reading: active, superseded, queued, each by start. */
export function inReadingOrder(overrides: readonly LiveOverride[]): LiveOverride[] {
  return overrides.toSorted(
    (a, b) => STATE_ORDER[a.state] - STATE_ORDER[b.state] || Date.parse(a.from) - Date.parse(b.from),
  )
}
