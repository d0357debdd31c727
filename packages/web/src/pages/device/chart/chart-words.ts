import { placedBySentence, type When, writerName } from '../../../parts/hold-words.ts'
import { exactTime, plannedTime } from '../../../parts/time.ts'
import { counted, shownValue } from '../../../parts/value.ts'
import { chart as texts } from '../../../texts/device.ts'
import type { LiveWindow } from '../rows.ts'
import type { Band } from './bands.ts'
import type { PointSummary } from './points.ts'

/** What the chart shows, for whoever does not see it. */
export function chartSummary(summary: PointSummary | undefined, bands: number, timeZone: string): string {
  const values = summary
    ? texts.summary(
        counted(summary.count, texts.value),
        shownValue(summary.min),
        shownValue(summary.max),
        shownValue(summary.last),
        exactTime(summary.lastAt, timeZone),
      )
    : texts.empty
  return `${values} ${bands === 0 ? texts.noWindows : texts.overrides(counted(bands, texts.windowOne))}`
}

/** Such as `Demand response at 20, 17:00 EET to 18:00 EET, placed by Grid partner`. */
export function bandWords(
  { by, value, from, to, until, isOpen, isPlanned, overrideId }: Band,
  overrides: readonly LiveWindow[],
  { timeZone, now }: When,
): string {
  const time = (at: number) => plannedTime(Math.round(at / 1000) * 1000, timeZone, now)
  const at = value === null ? writerName(by) : texts.bandAt(writerName(by), shownValue(value))
  const going = until === undefined ? texts.bandSince(time(from)) : texts.bandUntil(time(from), time(until))
  const times = isOpen ? going : texts.bandTimes(time(from), time(to))
  const placed = overrideId === null ? '' : placedBySentence(overrides.find(({ id }) => id === overrideId))
  return [at, times, placed, isPlanned ? texts.planned : ''].filter(Boolean).join(', ')
}
