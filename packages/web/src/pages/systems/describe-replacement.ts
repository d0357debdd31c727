import type { Replacement } from '@plantroom/contract/api'
import { describeCeiling } from '../../parts/describe-ceiling.ts'
import { fullTime } from '../../parts/time.ts'
import { shownValue } from '../../parts/value.ts'
import { format } from '../../texts/format.ts'
import { replacement as texts } from '../../texts/replacement.ts'

/** Says what a new controller gets, and what it does to the equipment, one line each. */
export function describeReplacement(plan: Replacement, timeZone: string): string[] {
  const { overrides, limits, releases, untouched, leftOut, unknownOverrides, technicalSystems, stateAt } = plan
  return [
    format(texts.systems, { count: technicalSystems.length }),
    stateAt === null ? texts.noState : format(texts.stateAt, { time: fullTime(stateAt, timeZone) }),
    ...(stateAt === null ? [] : [format(texts.overrides, { count: overrides.length })]),
    ...overrides.map(({ datapoint, value, from, to, state }) =>
      state === 'queued'
        ? format(texts.queued, { datapoint, value: shownValue(value), time: fullTime(from, timeZone) })
        : format(texts.override, { datapoint, value: shownValue(value), time: fullTime(to, timeZone) }),
    ),
    ...(limits.length > 0 ? [format(texts.limits, { count: limits.length })] : []),
    ...limits.map(({ direction, kw, from, to, state }) => {
      const limit = describeCeiling({ direction, kw })
      return state === 'queued'
        ? format(texts.queuedLimit, { limit, time: fullTime(from, timeZone) })
        : format(texts.limit, { limit, time: fullTime(to, timeZone) })
    }),
    ...releases.map(({ datapoint, value }) =>
      value === null
        ? format(texts.releasesUnknown, { datapoint })
        : format(texts.releases, { datapoint, value: shownValue(value) }),
    ),
    ...untouched.map(({ datapoint }) => format(texts.untouched, { datapoint })),
    ...(leftOut.length > 0 ? [format(texts.leftOut, { count: leftOut.length })] : []),
    ...(unknownOverrides > 0 ? [format(texts.unknown, { count: unknownOverrides })] : []),
  ]
}

/** Says how far the last replacement is; `undefined` when there was none, or nothing is left to say. */
export function describeStatus(
  { status, requestedAt, finishedAt, problem }: Replacement,
  timeZone: string,
): string | undefined {
  if (problem !== null) return format(texts.problem, { problem })
  if (status === 'waiting' && requestedAt !== null)
    return format(texts.waiting, { time: fullTime(requestedAt, timeZone) })
  if (status === 'restored' && finishedAt !== null)
    return format(texts.restored, { time: fullTime(finishedAt, timeZone) })
  return undefined
}
