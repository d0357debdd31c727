import { describePlacedBy, type When, writerName } from '../../../parts/describe-hold.ts'
import { exactTime, plannedTime } from '../../../parts/time.ts'
import { joinFacts, shownValue } from '../../../parts/value.ts'
import { chart as texts } from '../../../texts/device.ts'
import { format } from '../../../texts/format.ts'
import type { LiveOverride } from '../rows.ts'
import type { Band } from './bands.ts'
import type { PointSummary } from './points.ts'

/** Describes the values and the number of holds of a chart, for people who do not see it. */
export function describeChart(summary: PointSummary | undefined, holds: number, timeZone: string): string {
  const values = summary
    ? format(texts.summary, {
        count: summary.count,
        min: shownValue(summary.min),
        max: shownValue(summary.max),
        last: shownValue(summary.last),
        at: exactTime(summary.lastAt, timeZone),
      })
    : texts.empty
  return `${values} ${holds === 0 ? texts.noHolds : format(texts.holds, { count: holds })}`
}

/** Describes a hold, like `Demand response at 20 · 17:00 EET to 18:00 EET · Placed by Grid partner`. */
export function describeBand(band: Band, overrides: readonly LiveOverride[], { timeZone, now }: When): string {
  const { by, value, overrideId, isPlanned } = band
  const writer = writerName(by)
  return joinFacts([
    value === null ? writer : format(texts.bandAt, { writer, value: shownValue(value) }),
    describeTimes(band, (at) => plannedTime(Math.round(at / 1000) * 1000, timeZone, now)),
    overrideId !== null && describePlacedBy(overrides.find(({ id }) => id === overrideId)),
    isPlanned && texts.planned,
  ])
}

function describeTimes({ from, to, until, isOpen }: Band, time: (at: number) => string): string {
  if (!isOpen) return format(texts.bandTimes, { from: time(from), to: time(to) })
  if (until === undefined) return format(texts.bandSince, { from: time(from) })
  return format(texts.bandSinceUntil, { from: time(from), until: time(until) })
}

const DAY_S = 86_400

/** Returns the labels of the time axis in the site's time zone: the time, and the day where a new one starts. */
export function axisLabels(seconds: readonly number[], step: number, timeZone: string): string[] {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
    ...(step < 60 && { second: '2-digit' }),
  })
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short' })
  if (step >= DAY_S) return seconds.map((each) => day.format(each * 1000))
  let before = ''
  return seconds.map((each) => {
    const on = day.format(each * 1000)
    const label = on === before ? clock.format(each * 1000) : `${clock.format(each * 1000)}\n${on}`
    before = on
    return label
  })
}
