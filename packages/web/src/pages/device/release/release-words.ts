import type { Hold } from '@plantroom/contract/control-state'
import { placedBySentence, type When, windowTimes } from '../../../parts/hold-words.ts'
import { plannedTime } from '../../../parts/time.ts'
import { shownValue } from '../../../parts/value.ts'
import { release as texts } from '../../../texts/device.ts'
import { holds } from '../../../texts/holds.ts'
import { isRunning, type LiveWindow } from '../rows.ts'

/** The datapoint that is let go; it need not be commissioned any more. */
export interface ReleaseTarget {
  name: string
  hold: Hold | undefined
  /** All of this datapoint, in the order that the device tells them. */
  overrides: readonly LiveWindow[]
}

/** Which overrides are to go: one, or all of its datapoint. */
export type Extent = 'one' | 'all'

/**
 * The overrides to cancel, in the order to do it: the one that rules last, so that the equipment is not moved to what
 * another would hold it at for the moment in between.
 */
export function toCancel(target: ReleaseTarget, windowId: string, extent: Extent): LiveWindow[] {
  const chosen = extent === 'all' ? target.overrides : target.overrides.filter(({ id }) => id === windowId)
  return chosen.toSorted((a, b) => Number(a.state === 'active') - Number(b.state === 'active'))
}

/** What the button will do, such as `Charge power goes back to 5 now. The window would have lasted until 18:00 EET.` */
export function releaseWords(target: ReleaseTarget, window: LiveWindow, extent: Extent, when: When): string[] {
  const { name, overrides } = target
  const others = overrides.filter(({ id }) => id !== window.id)
  if (extent === 'one' && window.state !== 'active') {
    return [texts.notRuling[window.state](name, shownValue(window.value), windowTimes(window, when))]
  }
  const ruling = overrides.find(({ state }) => state === 'active')
  const words = [ruling ? afterRelease(target, extent) : texts.noneRules(name)]
  if (extent === 'one') words.push(texts.endsEarly(plannedTime(window.to, when.timeZone, when.now)))
  else words.push(texts.allGone(overrides.length))
  const queued = others.filter((each) => !isRunning(each))
  if (extent === 'one' && queued.length > 0) words.push(texts.queuedStay(queued.length))
  return words
}

/** What becomes of the datapoint when the window that rules is cancelled now, or all overrides are. */
function afterRelease({ hold, overrides }: ReleaseTarget, extent: Extent): string {
  // Told in the order of acceptance: of those that are covered, the last one rules next.
  const next = extent === 'one' ? overrides.findLast(({ state }) => state === 'superseded') : undefined
  if (next) {
    const by = placedBySentence(next)
    return texts.nextWindow(shownValue(next.value), by && `, ${by}`)
  }
  return beneath(hold)
}

/** Of whoever is beneath demand response. */
function beneath(hold: Hold | undefined): string {
  if (!hold) return texts.backToBefore
  const { by, value } = hold.beneath
  if (by === 'plain') return value === null ? texts.staysAsItIs : texts.backTo(shownValue(value))
  const subject = holds.subject[by]
  return value === null ? texts.takesOver(subject) : texts.holdsIt(subject, shownValue(value))
}
