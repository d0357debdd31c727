import { limits as limitTexts, chart as texts } from '../../texts/charts.ts'
import { format } from '../../texts/format.ts'
import { LOCALE } from '../../texts/language.ts'
import { describePlacedBy, type NamedOverride, type When, writerName } from '../describe-hold.ts'
import { exactTime, plannedTime } from '../time.ts'
import { joinFacts, shownValue } from '../value.ts'
import type { Band } from './bands.ts'
import type { LimitLine } from './limit-lines.ts'
import { lastAtOrBefore, type PointSummary, type Points } from './points.ts'
import { rounded } from './rounded.ts'
import type { ChartSource } from './sources.ts'

/** Returns the name of a datapoint, or what is known of it. */
export const sourceName = ({ name, datapointId }: Pick<ChartSource, 'name' | 'datapointId'>) =>
  name ?? format(texts.unknownName, { id: datapointId })

/** Describes the values of a line, for people who do not see it. */
export function describeValues(summary: PointSummary | undefined, unit: string | undefined, timeZone: string): string {
  if (!summary) return texts.empty
  return format(texts.summary, {
    count: summary.count,
    min: shownValue(summary.min, unit),
    max: shownValue(summary.max, unit),
    last: shownValue(summary.last, unit),
    at: exactTime(summary.lastAt, timeZone),
  })
}

/** Describes the number of holds. */
export const describeHolds = (count: number) => (count === 0 ? texts.noHolds : format(texts.holds, { count }))

/** Returns who held a datapoint and at what, like `Demand response at 20 kW`. */
export function describeHolding({ by, value }: Pick<Band, 'by' | 'value'>, unit: string | undefined): string {
  const writer = writerName(by)
  return value === null ? writer : format(texts.bandAt, { writer, value: shownValue(value, unit) })
}

/** Describes a hold, like `Demand response at 20 kW · 17:00 EET to 18:00 EET · Placed by Grid partner`. */
export function describeBand(
  band: Band,
  unit: string | undefined,
  overrides: readonly NamedOverride[],
  { timeZone, now }: When,
): string {
  const { overrideId, isPlanned } = band
  return joinFacts([
    describeHolding(band, unit),
    describeTimes(band, (at) => plannedTime(Math.round(at / 1000) * 1000, timeZone, now)),
    overrideId !== null && describePlacedBy(overrides.find(({ id }) => id === overrideId)),
    isPlanned && texts.planned,
  ])
}

/** Describes when a hold was, like `17:00 EET to 18:00 EET`. */
export function describeTimes({ from, to, until, isOpen }: Band, time: (at: number) => string): string {
  if (!isOpen) return format(texts.bandTimes, { from: time(from), to: time(to) })
  if (until === undefined) return format(texts.bandSince, { from: time(from) })
  return format(texts.bandSinceUntil, { from: time(from), until: time(until) })
}

/** Names a limit with its value, like `Peak limit 90 kW`; with the datapoint where a chart has several. */
export function describeLimit({ kind, steps }: LimitLine, given: string | undefined, name?: string): string {
  // The commissioning file has peak limits in kW.
  const unit = kind === 'peak' ? 'kW' : given
  const values = steps.map(({ value }) => value)
  const [min, max] = [Math.min(...values), Math.max(...values)].map((value) => shownValue(value, unit)) as [
    string,
    string,
  ]
  const limit = limitTexts[kind]
  if (min === max) {
    return name === undefined
      ? format(limitTexts.at, { limit, value: min })
      : format(limitTexts.atOf, { name, limit, value: min })
  }
  const [alone, of] =
    kind === 'peak' ? [limitTexts.hourly, limitTexts.hourlyOf] : [limitTexts.varying, limitTexts.varyingOf]
  return name === undefined ? format(alone, { limit, min, max }) : format(of, { name, limit, min, max })
}

/** Describes the value of a line at a moment, where the line has no gap. */
export function describeAt(
  points: Points,
  at: number,
  { unit, timeZone, breakMs }: { unit: string | undefined; timeZone: string; breakMs: number },
): string {
  const index = lastAtOrBefore(points.at, at)
  const time = points.at[index]
  if (time === undefined || at - time > breakMs) return format(texts.cursorNothing, { time: exactTime(at, timeZone) })
  const value = shownValue(rounded(points.value[index]), unit)
  const shown = { time: exactTime(time, timeZone), value }
  const [low, high] = [points.low[index], points.high[index]]
  return low === high
    ? format(texts.cursor, shown)
    : format(texts.cursorRange, { ...shown, min: shownValue(rounded(low), unit), max: shownValue(rounded(high), unit) })
}

const DAY_S = 86_400

/** Returns the labels of the time axis in the site's time zone: the time, and the day where a new one starts. */
export function axisLabels(seconds: readonly number[], step: number, timeZone: string): string[] {
  const clock = new Intl.DateTimeFormat(LOCALE, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    ...(step < 60 && { second: '2-digit' }),
  })
  const day = new Intl.DateTimeFormat(LOCALE, { timeZone, day: 'numeric', month: 'short' })
  const month = new Intl.DateTimeFormat(LOCALE, { timeZone, month: 'short', year: 'numeric' })
  if (step >= 28 * DAY_S) return seconds.map((each) => month.format(each * 1000))
  if (step >= DAY_S) return seconds.map((each) => day.format(each * 1000))
  let before = ''
  return seconds.map((each) => {
    const on = day.format(each * 1000)
    const label = on === before ? clock.format(each * 1000) : `${clock.format(each * 1000)}\n${on}`
    before = on
    return label
  })
}
