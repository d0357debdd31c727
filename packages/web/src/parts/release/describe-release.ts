import type { Hold } from '@plantroom/contract/control-state'
import type { ReportedValue } from '@plantroom/contract/reports'
import { release as texts } from '../../texts/device.ts'
import { format } from '../../texts/format.ts'
import { type HoldFailsafe, type NamedOverride, periodOf, type When } from '../describe-hold.ts'
import { plannedTime } from '../time.ts'
import { shownValue } from '../value.ts'

/** The datapoint to release. It may no longer be commissioned. */
export interface ReleaseTarget {
  name: string
  unit?: string | undefined
  hold: Hold | undefined
  /** What the equipment was at when it was last read. */
  actual?: ReportedValue | undefined
  failsafe?: HoldFailsafe | undefined
  /** All overrides of this datapoint, in the order of the controller. */
  overrides: readonly NamedOverride[]
}

/** Which overrides to cancel: one, or all of the datapoint. */
export type Extent = 'one' | 'all'

/** A release frees the datapoint, unless it is about an override that does not hold it. */
export const usualExtent = (override: Pick<NamedOverride, 'state'> | undefined): Extent =>
  override === undefined || override.state === 'active' ? 'all' : 'one'

/**
 * Returns the overrides to cancel, in order. The active one comes last: otherwise the equipment would move to the
 * value of another one in between.
 */
export function toCancel(target: ReleaseTarget, overrideId: string, extent: Extent): NamedOverride[] {
  const chosen = extent === 'all' ? target.overrides : target.overrides.filter(({ id }) => id === overrideId)
  return chosen.toSorted((a, b) => Number(a.state === 'active') - Number(b.state === 'active'))
}

/** Returns what a release does, in sentences. It ends early only what a controller that answers still has to end. */
export function describeRelease(
  target: ReleaseTarget,
  override: NamedOverride,
  extent: Extent,
  when: When & { isLive: boolean },
): string[] {
  const { name, unit, overrides } = target
  if (extent === 'one' && override.state !== 'active') {
    const values = { name, value: shownValue(override.value, unit), ...periodOf(override, when) }
    return [format(texts.notActive[override.state], values)]
  }
  const isActive = overrides.some(({ state }) => state === 'active')
  const value = isActive ? describeNextHolder(target, extent) : format(texts.noneActive, { name })
  if (extent === 'all' && overrides.length > 1) return [value, format(texts.allGone, { count: overrides.length })]
  const isPast = Date.parse(override.to) <= when.now
  const ends = isPast ? texts.endPassed : when.isLive ? texts.endsEarly : texts.plannedEnd
  const end = format(ends, { until: plannedTime(override.to, when.timeZone, when.now) })
  const queued = overrides.filter(({ id, state }) => id !== override.id && state === 'queued').length
  return queued === 0 ? [value, end] : [value, end, format(texts.queuedStay, { count: queued })]
}

/** Describes what controls the datapoint after the active override, or all of them, is cancelled. */
function describeNextHolder(target: ReleaseTarget, extent: Extent): string {
  // The controller lists overrides in the order of acceptance: the last superseded one becomes active.
  const next = extent === 'one' ? target.overrides.findLast(({ state }) => state === 'superseded') : undefined
  if (!next) return describeBeneath(target)
  const { placedByName: name } = next
  const value = shownValue(next.value, target.unit)
  return name ? format(texts.nextOverridePlacedBy, { value, name }) : format(texts.nextOverride, { value })
}

/** Describes what controls the datapoint without demand response. */
function describeBeneath({ name, unit, hold }: ReleaseTarget): string {
  if (!hold) return format(texts.backToBefore, { name })
  const { by, value } = hold.beneath
  const shown = { name, value: shownValue(value, unit) }
  if (by === 'plain') return format(value === null ? texts.staysAsItIs : texts.backTo, shown)
  return format(value === null ? texts.thenTakesOver[by] : texts.thenHeld[by], shown)
}
