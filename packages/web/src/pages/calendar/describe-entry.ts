import type { ScheduleSlot } from '@plantroom/contract/datapoint'
import { fullTime, minuteTime } from '../../parts/time.ts'
import { shownValue } from '../../parts/value.ts'
import { commissioning } from '../../texts/commissioning.ts'
import { format } from '../../texts/format.ts'

/** Shows what a slot writes. An offset has its sign. */
export function slotValue({ mode, value }: ScheduleSlot, unit: string | undefined): string {
  const shown = shownValue(value, unit)
  return mode === 'offset' && value >= 0 ? format(commissioning.offsetUp, { value: shown }) : shown
}

/** Returns the times of an entry with their zone, and with their days where they are not on the day of `now`. */
export function timesOf({ start, end }: { start: number; end: number }, timeZone: string, now?: number) {
  const show = (at: number) => (now === undefined ? fullTime(at, timeZone) : minuteTime(at, timeZone, now))
  return { from: show(start), to: show(end) }
}

/** The narrowest that the drawing gets, and the room that a digit and the edges take, in pixels. */
const NARROWEST_PX = 640
const DIGIT_PX = 7.5
const EDGES_PX = 12

/** Returns the longest of the texts that fits into a share of the width; empty when none does. A cut number would lie. */
export function fitting(texts: readonly string[], percent: number): string {
  const room = (percent / 100) * NARROWEST_PX - EDGES_PX
  return texts.find((text) => text.length * DIGIT_PX <= room) ?? ''
}
