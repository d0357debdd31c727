import { toLocalInput } from '../../../parts/time.ts'
import type { LiveWindow } from '../rows.ts'

const HOUR_MS = 3_600_000
const AHEAD_MS = 24 * HOUR_MS
/** A little of what was, so that the line of now does not stand at the edge. */
const BEHIND_MS = HOUR_MS
const TICK_HOURS = 3

/** Places are in percent of the width. */
export interface TimelineBar {
  window: LiveWindow
  left: number
  width: number
  /** Bars of one datapoint that run at the same time stand below each other. */
  lane: number
  /** It goes on before, or after, what is shown. */
  isCutLeft: boolean
  isCutRight: boolean
}

export interface TimelineRow {
  datapointId: string
  lanes: number
  bars: readonly TimelineBar[]
}

export interface Timeline {
  nowAt: number
  ticks: readonly { at: number; label: string }[]
  rows: readonly TimelineRow[]
}

/** The overrides of the next 24 hours, a row for each datapoint, those that begin first on top. Pure. */
export function layoutTimeline(
  overrides: readonly LiveWindow[],
  { now, timeZone }: { now: number; timeZone: string },
): Timeline {
  const start = now - BEHIND_MS
  const end = now + AHEAD_MS
  const place = (at: number) => (100 * (at - start)) / (end - start)
  const timed = overrides
    .map((window) => ({ window, from: Date.parse(window.from), to: Date.parse(window.to) }))
    .filter(({ from, to }) => to > start && from < end)
    .toSorted((a, b) => a.from - b.from || a.to - b.to)

  const rows = Array.from(
    Map.groupBy(timed, ({ window }) => window.datapointId),
    ([datapointId, own]) => {
      const laneEnds: number[] = []
      const bars = own.map(({ window, from, to }) => {
        const free = laneEnds.findIndex((laneEnd) => laneEnd <= from)
        const lane = free === -1 ? laneEnds.length : free
        laneEnds[lane] = to
        const left = place(Math.max(from, start))
        const width = place(Math.min(to, end)) - left
        return { window, left, width, lane, isCutLeft: from < start, isCutRight: to > end }
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

/** Every third full hour by the clocks of the site, also where those are changed in between. */
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

const STATE_ORDER: Record<LiveWindow['state'], number> = { active: 0, superseded: 1, queued: 2 }

/** As they are read: what rules, then what is covered, then what is to come, each by its start. */
export function inReadingOrder(overrides: readonly LiveWindow[]): LiveWindow[] {
  return overrides.toSorted(
    (a, b) => STATE_ORDER[a.state] - STATE_ORDER[b.state] || Date.parse(a.from) - Date.parse(b.from),
  )
}
