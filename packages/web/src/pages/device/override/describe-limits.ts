import type { Limits } from '@plantroom/contract/datapoint'
import type { When } from '../../../parts/describe-hold.ts'
import { duration, plannedTime } from '../../../parts/time.ts'
import { shownRange, shownValue } from '../../../parts/value.ts'
import { override as texts } from '../../../texts/device.ts'
import { format } from '../../../texts/format.ts'
import type { DatapointRow } from '../rows.ts'

/** Returns what the controller enforces, one sentence for each limit. */
export function describeLimits(limits: Limits | undefined, unit?: string | undefined): string[] {
  if (!limits) return []
  const { min, max, maxStepPerMinute, minOnSeconds, minOffSeconds, maxStartsPerDay } = limits
  return [
    min !== undefined && max !== undefined && format(texts.limitRange, shownRange({ min, max }, unit)),
    min !== undefined && max === undefined && format(texts.limitMin, { min: shownValue(min, unit) }),
    max !== undefined && min === undefined && format(texts.limitMax, { max: shownValue(max, unit) }),
    maxStepPerMinute !== undefined && format(texts.limitStep, { step: shownValue(maxStepPerMinute, unit) }),
    minOnSeconds !== undefined && format(texts.limitOn, { time: duration(minOnSeconds * 1000) }),
    minOffSeconds !== undefined && format(texts.limitOff, { time: duration(minOffSeconds * 1000) }),
    maxStartsPerDay !== undefined && format(texts.limitStarts, { count: maxStartsPerDay }),
  ].filter((text) => text !== false)
}

/** Says why the controller would refuse this value from this time on; `undefined` when it would not. */
export function describeRefusal(
  { datapoint: { unit }, limits }: DatapointRow,
  value: number,
  from: number,
  when: When,
): string | undefined {
  if (!limits) return undefined
  const { min, max, mayStartAt, mayStopAt } = limits
  if (min !== undefined && value < min) return format(texts.belowLimit, { min: shownValue(min, unit) })
  if (max !== undefined && value > max) return format(texts.aboveLimit, { max: shownValue(max, unit) })
  const allowedAt = value === 0 ? mayStopAt : mayStartAt
  if (allowedAt === undefined || from >= Date.parse(allowedAt)) return undefined
  const time = plannedTime(allowedAt, when.timeZone, when.now)
  return format(value === 0 ? texts.mayNotStop : texts.mayNotStart, { time })
}
