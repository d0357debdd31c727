import type { Hold } from '@plantroom/contract/control-state'
import { periodOf, type When } from '../../../parts/describe-hold.ts'
import { plannedTime } from '../../../parts/time.ts'
import { shownValue } from '../../../parts/value.ts'
import { release as texts } from '../../../texts/device.ts'
import { format } from '../../../texts/format.ts'
import type { LiveOverride } from '../rows.ts'

/** The datapoint to release. It may no longer be commissioned. */
export interface ReleaseTarget {
  name: string
  hold: Hold | undefined
  /** All overrides of this datapoint, in the order of the controller. */
  overrides: readonly LiveOverride[]
}

/** Which overrides to cancel: one, or all of the datapoint. */
export type Extent = 'one' | 'all'

/**
 * Returns the overrides to cancel, in order. The active one comes last: otherwise the equipment would move to the
 * value of another one in between.
 */
export function toCancel(target: ReleaseTarget, overrideId: string, extent: Extent): LiveOverride[] {
  const chosen = extent === 'all' ? target.overrides : target.overrides.filter(({ id }) => id === overrideId)
  return chosen.toSorted((a, b) => Number(a.state === 'active') - Number(b.state === 'active'))
}

/** Returns what a release does, in sentences. */
export function describeRelease(target: ReleaseTarget, override: LiveOverride, extent: Extent, when: When): string[] {
  const { name, overrides } = target
  if (extent === 'one' && override.state !== 'active') {
    const values = { name, value: shownValue(override.value), ...periodOf(override, when) }
    return [format(texts.notActive[override.state], values)]
  }
  const isActive = overrides.some(({ state }) => state === 'active')
  const value = isActive ? describeNextHolder(target, extent) : format(texts.noneActive, { name })
  if (extent === 'all') return [value, format(texts.allGone, { count: overrides.length })]
  const endsEarly = format(texts.endsEarly, { until: plannedTime(override.to, when.timeZone, when.now) })
  const queued = overrides.filter(({ id, state }) => id !== override.id && state === 'queued').length
  return queued === 0 ? [value, endsEarly] : [value, endsEarly, format(texts.queuedStay, { count: queued })]
}

/** Describes what controls the datapoint after the active override, or all of them, is cancelled. */
function describeNextHolder(target: ReleaseTarget, extent: Extent): string {
  // The controller lists overrides in the order of acceptance: the last superseded one becomes active.
  const next = extent === 'one' ? target.overrides.findLast(({ state }) => state === 'superseded') : undefined
  if (!next) return describeBeneath(target)
  const { placedByName: name } = next
  const value = shownValue(next.value)
  return name ? format(texts.nextOverridePlacedBy, { value, name }) : format(texts.nextOverride, { value })
}

/** Describes what controls the datapoint without demand response. */
function describeBeneath({ name, hold }: ReleaseTarget): string {
  if (!hold) return format(texts.backToBefore, { name })
  const { by, value } = hold.beneath
  const shown = { name, value: shownValue(value) }
  if (by === 'plain') return format(value === null ? texts.staysAsItIs : texts.backTo, shown)
  return format(value === null ? texts.thenTakesOver[by] : texts.thenHeld[by], shown)
}
