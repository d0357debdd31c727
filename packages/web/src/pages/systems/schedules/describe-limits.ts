import type { Datapoint, Limits, TechnicalSystem } from '@plantroom/contract/datapoint'
import { shownValue } from '../../../parts/value.ts'
import { format } from '../../../texts/format.ts'
import { schedules as texts } from '../../../texts/schedules.ts'

export interface LimitedDatapoint {
  id: string
  name: string
  limits: Limits
  unit: string | undefined
}

/** Lists the datapoints with limits. Limits that allow everything are left out. */
export function limitedDatapoints({ connections }: TechnicalSystem): LimitedDatapoint[] {
  return connections.flatMap(({ name: connection, datapoints }) =>
    datapoints.flatMap(({ id, name, unit, limits }) =>
      limits && Object.keys(limits).length > 0 ? [{ id, name: `${connection}/${name}`, limits, unit }] : [],
    ),
  )
}

/** Describes the range of a datapoint; empty when it has none. */
export function describeRange({
  limits: { min, max },
  unit,
}: {
  limits: { min?: number; max?: number }
  unit: string | undefined
}): string {
  if (min !== undefined && max !== undefined) {
    return format(texts.rangeBoth, { min: shownValue(min, unit), max: shownValue(max, unit) })
  }
  if (min !== undefined) return format(texts.rangeMin, { min: shownValue(min, unit) })
  return max === undefined ? '' : format(texts.rangeMax, { max: shownValue(max, unit) })
}

/** Finds datapoints of a system by their ids. */
export function datapointsById({ connections }: TechnicalSystem): ReadonlyMap<string, Datapoint> {
  return new Map(connections.flatMap(({ datapoints }) => datapoints.map((datapoint) => [datapoint.id, datapoint])))
}

/** Describes the minimum times of a load or a datapoint; `null` where it has none. */
export function describeShortest({
  minOnSeconds = 0,
  minOffSeconds = 0,
}: {
  minOnSeconds?: number
  minOffSeconds?: number
}): string | null {
  if (minOnSeconds === 0 && minOffSeconds === 0) return null
  return format(texts.shortestValue, { on: minOnSeconds, off: minOffSeconds })
}
