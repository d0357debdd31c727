import type { IntervalValues, Measurement } from '@plantroom/contract/telemetry'
import type { Span } from './frame-spans.ts'
import type { Place } from './series-store.ts'

/** The values of a group at one time. */
export interface Frame {
  groupId: number
  /** Milliseconds since 1970. */
  at: number
  /** The value of slot 1 comes first. */
  vals: (number | null)[]
  /** What was seen of the interval before each value. */
  spans: Span[]
}

/** Sorts measurements into frames. The first value of a datapoint for a time counts. */
export function createFrames() {
  const groups = new Map<number, Map<number, Frame>>()

  function frameOf(groupId: number, at: number): Frame {
    const group = groups.get(groupId) ?? new Map<number, Frame>()
    const frame = group.get(at) ?? { groupId, at, vals: [], spans: [] }
    if (group.size === 0) groups.set(groupId, group)
    if (frame.vals.length === 0) group.set(at, frame)
    return frame
  }

  return {
    /** A measurement without a place is left out. */
    add(measurements: readonly Measurement[], places: ReadonlyMap<string, Place>): void {
      for (const { datapointId, at, value, ...interval } of measurements) {
        const place = places.get(datapointId)
        if (place) fill(frameOf(place.groupId, at), place.slot - 1, value, spanOf(interval))
      }
    },
    /** In the order of their keys, which keeps two writers from waiting for each other. */
    sorted: (): Frame[] =>
      [...groups.values()].flatMap((group) => [...group.values()]).sort((a, b) => a.groupId - b.groupId || a.at - b.at),
  }
}

/** Adds to `known` the values that it does not have yet. Returns how many. */
export function fillFrame(known: Frame, more: Frame): number {
  let added = 0
  for (const [index, value] of more.vals.entries()) {
    if (value !== null && fill(known, index, value, more.spans[index] ?? null)) added += 1
  }
  return added
}

function fill({ vals, spans }: Frame, index: number, value: number, span: Span): boolean {
  while (vals.length <= index) vals.push(null)
  while (spans.length < vals.length) spans.push(null)
  if (vals[index] !== null) return false
  vals[index] = value
  spans[index] = span
  return true
}

/** Returns the interval of a measurement. Older controllers send none. */
function spanOf({ seconds, mean, min, max, coverage, energyKwh }: Partial<IntervalValues>): Span {
  const isInterval =
    seconds !== undefined && mean !== undefined && min !== undefined && max !== undefined && coverage !== undefined
  if (!isInterval) return null
  return { seconds, mean, min, max, coverage, ...(energyKwh !== undefined && { energyKwh }) }
}

export const countValues = ({ vals }: Frame): number =>
  vals.reduce<number>((count, value) => (value === null ? count : count + 1), 0)
