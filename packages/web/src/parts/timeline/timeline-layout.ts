import { toLocalInput } from '../time.ts'

const HOUR_MS = 3_600_000
const AHEAD_MS = 24 * HOUR_MS
/** Some of the past, so that the line of now is not at the edge. */
const BEHIND_MS = HOUR_MS
const TICK_HOURS = 3

/** What a bar stands for. */
export interface TimelineItem {
  key: string
  /** Items of one row are drawn in one line, stacked while they overlap. */
  row: string
  from: string
  to: string
  /** Written in the bar, or beside it. */
  label: string
  /** How it is drawn. */
  look: 'active' | 'queued' | 'superseded' | 'failed'
}

/** The time that a timeline shows. */
export interface TimelineWhen {
  now: number
  timeZone: string
  behindMs?: number
}

/** Positions are in percent of the width. */
interface TimelineBar {
  item: TimelineItem
  left: number
  width: number
  /** Overlapping bars of one datapoint are stacked. */
  lane: number
  /** Where the value is written: in the bar, or beside one that is too narrow for it. */
  label: 'inside' | 'after' | 'before'
  /** True when the item extends beyond the timeline. */
  isCutLeft: boolean
  isCutRight: boolean
}

interface TimelineRow {
  row: string
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

/** Lays out what happens from an hour ago (or `behindMs`) to 24 hours ahead, a row for each kind, earliest first. */
export function layoutTimeline(
  items: readonly TimelineItem[],
  { now, timeZone, behindMs = BEHIND_MS }: TimelineWhen,
): Timeline {
  const start = now - behindMs
  const end = now + AHEAD_MS
  const place = (at: number) => (100 * (at - start)) / (end - start)
  const timed = items
    .map((item) => ({ item, from: Date.parse(item.from), to: Date.parse(item.to) }))
    .filter(({ from, to }) => to > start && from < end)
    .toSorted((a, b) => a.from - b.from || a.to - b.to)

  const rows = Array.from(
    Map.groupBy(timed, ({ item }) => item.row),
    ([row, own]) => {
      const laneEnds: number[] = []
      const bars = own.map(({ item, from, to }) => {
        const left = place(Math.max(from, start))
        const width = place(Math.min(to, end)) - left
        const { label, span } = placeLabel(left, width, item.label.length)
        const free = laneEnds.findIndex((laneEnd) => laneEnd <= span[0])
        const lane = free === -1 ? laneEnds.length : free
        laneEnds[lane] = span[1]
        return { item, left, width, lane, label, isCutLeft: from < start, isCutRight: to > end }
      })
      return { row, lanes: laneEnds.length, bars }
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
