import type { MappingRule } from '@plantroom/contract/openadr-mapping'
import type { AveragingSeconds, Direction } from '@plantroom/contract/power-limit'

/** What a value is for: a datapoint, or the power of a site. */
export type PlacementTarget =
  | { readonly kind: 'setpoint'; readonly datapointId: string }
  | {
      readonly kind: 'limit'
      readonly siteId: string
      readonly direction: Direction
      readonly averagingSeconds: AveragingSeconds
    }

/** The target of a rule that has been checked. */
export function targetOf({ datapointId, limit }: MappingRule): PlacementTarget | undefined {
  if (limit) return { kind: 'limit', ...limit }
  return datapointId === undefined ? undefined : { kind: 'setpoint', datapointId }
}

/** Equal for equal targets. */
export function targetKey(target: PlacementTarget): string {
  return target.kind === 'setpoint'
    ? `setpoint ${target.datapointId}`
    : `limit ${target.siteId} ${target.direction} ${target.averagingSeconds}`
}
