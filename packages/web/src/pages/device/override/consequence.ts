import type { Envelope } from '@plantroom/contract/datapoint'
import type { ReportedValue } from '@plantroom/contract/reports'
import type { Writer } from '@plantroom/contract/writers'
import { placedBySentence, type When, windowTimes } from '../../../parts/hold-words.ts'
import { duration, plannedTime } from '../../../parts/time.ts'
import { shownValue } from '../../../parts/value.ts'
import { override as texts } from '../../../texts/device.ts'
import { holds } from '../../../texts/holds.ts'
import type { DatapointRow, LiveWindow } from '../rows.ts'
import type { Plan } from './plan.ts'

/** What a datapoint is at when the window has ended, as far as it can be said now. */
type Afterwards =
  | { kind: 'writer'; by: Exclude<Writer, 'plain'>; value: ReportedValue }
  | { kind: 'plain'; value: ReportedValue }
  | { kind: 'window'; window: LiveWindow }
  | { kind: 'overrides'; count: number }

/** All that a plan does, such as `Charge power is held at 20 from now until 18:00 EET (1 h), whatever …. Then it goes back to 5.` */
export function consequence(row: DatapointRow, plan: Plan, when: When): string {
  const { name } = row.datapoint
  const value = shownValue(plan.value)
  const until = plannedTime(plan.to, when.timeZone, when.now)
  const held = plan.startsNow
    ? texts.heldFromNow(name, value, until, duration(plan.to - Math.max(plan.from, secondOf(when.now))))
    : texts.heldFrom(name, value, plannedTime(plan.from, when.timeZone, when.now), until, duration(plan.to - plan.from))
  return `${held} ${thenWords(afterwards(row, plan), plan, when)}`
}

/** A plan is made of whole seconds: what is chosen as an hour is not told as 59 min 59 s. */
const secondOf = (ms: number) => Math.floor(ms / 1000) * 1000

/** The overrides that another has placed within the time of the plan. */
export function overlapping(overrides: readonly LiveWindow[], plan: Pick<Plan, 'from' | 'to'>): LiveWindow[] {
  return overrides.filter(({ from, to }) => Date.parse(from) < plan.to && Date.parse(to) > plan.from)
}

/** Such as `A window at 10, placed by Grid partner, rules from 17:00 EET to 18:00 EET.` */
export function overlapWords(window: LiveWindow, when: When): string {
  const by = placedBySentence(window)
  return texts.overlap[window.state](shownValue(window.value), by && `, ${by},`, windowTimes(window, when))
}

/** Whether a value is outside of what was commissioned. Where nothing was, nothing is. */
export function isOutside(value: number, envelope: Envelope | undefined): envelope is Envelope {
  return envelope !== undefined && (value < envelope.min || value > envelope.max)
}

function afterwards({ hold, value, overrides }: DatapointRow, { to }: Plan): Afterwards {
  const still = overrides.filter((window) => Date.parse(window.from) <= to && Date.parse(window.to) > to)
  const [window] = still
  if (window) return still.length === 1 ? { kind: 'window', window } : { kind: 'overrides', count: still.length }
  if (!hold) return { kind: 'plain', value: value?.value ?? null }
  const { by, value: base } = hold.beneath
  return by === 'plain' ? { kind: 'plain', value: base } : { kind: 'writer', by, value: base }
}

function thenWords(after: Afterwards, { startsNow }: Plan, when: When): string {
  switch (after.kind) {
    case 'plain':
      if (after.value === null) return texts.thenUnknown
      return startsNow ? texts.thenBack(shownValue(after.value)) : texts.thenBackLater(shownValue(after.value))
    case 'writer':
      return after.value === null
        ? texts.thenTakesOver(holds.subject[after.by])
        : texts.thenHolds(holds.subject[after.by], shownValue(after.value))
    case 'window': {
      const { window } = after
      const by = placedBySentence(window)
      const until = plannedTime(window.to, when.timeZone, when.now)
      return texts.thenWindow(shownValue(window.value), by && `, ${by},`, until)
    }
    case 'overrides':
      return texts.thenWindows(after.count)
  }
}
