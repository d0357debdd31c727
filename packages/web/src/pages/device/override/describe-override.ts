import type { Envelope } from '@plantroom/contract/datapoint'
import type { ReportedValue } from '@plantroom/contract/reports'
import type { HoldingWriter } from '@plantroom/contract/writers'
import { periodOf, type When } from '../../../parts/describe-hold.ts'
import type { Plan } from '../../../parts/plan/plan.ts'
import { duration, plannedTime } from '../../../parts/time.ts'
import { shownValue } from '../../../parts/value.ts'
import { override as texts } from '../../../texts/device.ts'
import { format } from '../../../texts/format.ts'
import type { DatapointRow, LiveOverride } from '../rows.ts'

/** What controls a datapoint once the planned override has ended, as far as it is known now. */
type Afterwards =
  | { kind: 'writer'; by: HoldingWriter; value: ReportedValue }
  | { kind: 'plain'; value: ReportedValue }
  | { kind: 'override'; override: LiveOverride }
  | { kind: 'overrides'; count: number }

/** Returns what a plan does and what follows it, in two sentences. */
export function describeConsequence(row: DatapointRow, plan: Plan, when: When): string {
  const time = (at: number) => plannedTime(at, when.timeZone, when.now)
  const { name, unit } = row.datapoint
  const held = { name, value: shownValue(plan.value, unit), until: time(plan.to) }
  const first = plan.startsNow
    ? format(texts.heldFromNow, { ...held, length: duration(plan.to - Math.max(plan.from, wholeSecond(when.now))) })
    : format(texts.heldFrom, { ...held, from: time(plan.from), length: duration(plan.to - plan.from) })
  return `${first} ${describeAfterwards(afterwards(row, plan), plan, { ...when, unit })}`
}

/** A plan has whole seconds: an hour must not be shown as 59 min 59 s. */
const wholeSecond = (ms: number) => Math.floor(ms / 1000) * 1000

/** Returns the existing overrides that overlap the plan. */
export function overlapping(overrides: readonly LiveOverride[], plan: Pick<Plan, 'from' | 'to'>): LiveOverride[] {
  return overrides.filter(({ from, to }) => Date.parse(from) < plan.to && Date.parse(to) > plan.from)
}

/** Describes an override that overlaps the plan. */
export function describeOverlap(override: LiveOverride, when: When, unit?: string | undefined): string {
  const values = { value: shownValue(override.value, unit), ...periodOf(override, when) }
  return override.placedByName
    ? format(texts.overlapPlacedBy[override.state], { ...values, name: override.placedByName })
    : format(texts.overlap[override.state], values)
}

/** Reports whether a value is outside the commissioned range. Without a range, no value is. */
export function isOutside(value: number, envelope: Envelope | undefined): envelope is Envelope {
  return envelope !== undefined && (value < envelope.min || value > envelope.max)
}

function afterwards({ hold, value, overrides }: DatapointRow, { to }: Plan): Afterwards {
  const remaining = overrides.filter((each) => Date.parse(each.from) <= to && Date.parse(each.to) > to)
  const [override] = remaining
  if (override) {
    return remaining.length === 1 ? { kind: 'override', override } : { kind: 'overrides', count: remaining.length }
  }
  if (!hold) return { kind: 'plain', value: value?.value ?? null }
  const { by, value: base } = hold.beneath
  return by === 'plain' ? { kind: 'plain', value: base } : { kind: 'writer', by, value: base }
}

function describeAfterwards(
  after: Afterwards,
  { startsNow }: Plan,
  { unit, ...when }: When & { unit: string | undefined },
): string {
  switch (after.kind) {
    case 'plain':
      if (after.value === null) return texts.thenUnknown
      return format(startsNow ? texts.thenBack : texts.thenBackLater, { value: shownValue(after.value, unit) })
    case 'writer':
      return after.value === null
        ? texts.thenTakesOver[after.by]
        : format(texts.thenHeld[after.by], { value: shownValue(after.value, unit) })
    case 'override': {
      const { value, to, placedByName: name } = after.override
      const values = { value: shownValue(value, unit), until: plannedTime(to, when.timeZone, when.now) }
      return name ? format(texts.thenOverridePlacedBy, { ...values, name }) : format(texts.thenOverride, values)
    }
    case 'overrides':
      return format(texts.thenOverrides, { count: after.count })
  }
}
