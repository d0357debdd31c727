import { override as texts } from '../../texts/device.ts'
import { fromLocalInput } from '../time.ts'

const MINUTE_MS = 60_000
const MAX_LENGTH_MS = 24 * 60 * MINUTE_MS

/** The durations on offer, in minutes; `until` lasts to a given time. */
const LENGTHS = { '15': 15, '30': 30, '60': 60, '120': 120, '240': 240, until: undefined } as const
export type Length = keyof typeof LENGTHS

/** A form for a value in a bounded time, as it was filled in. */
export interface PlanForm {
  value: number | string
  start: 'now' | 'at'
  /** As `<input type="datetime-local">` holds it, in the time zone of the site. */
  startAt: string
  length: Length
  endAt: string
  /** For the audit log; may be empty. */
  reason: string
}

export type PlanField = 'value' | 'startAt' | 'endAt'

/** A value in a bounded time that can be sent; times are in milliseconds. */
export interface Plan {
  value: number
  from: number
  to: number
  /** True when it starts as soon as it is placed. */
  startsNow: boolean
  reason?: string
}

/** The first error of the form. An empty field is `missing`, so that an untouched form shows no errors. */
export interface PlanProblem {
  field: PlanField
  problem: string
  missing: boolean
}

/** Parses the form into a plan, or returns its first error. */
export function planOf(
  form: PlanForm,
  { now, timeZone }: { now: number; timeZone: string },
): { plan: Plan; problem?: undefined } | { plan?: undefined; problem: PlanProblem } {
  const wrong = (field: PlanField, problem: string, missing = false) => ({ problem: { field, problem, missing } })
  const value = numberOf(form.value)
  if (value === undefined) return wrong('value', texts.valueMissing, form.value === '')

  // Whole seconds: an end of 18:00:00.417 is hard to read.
  const rightNow = Math.floor(now / 1000) * 1000
  const from = form.start === 'now' ? rightNow : fromLocalInput(form.startAt, timeZone)
  if (from === undefined) return wrong('startAt', texts.startMissing, form.startAt === '')

  const minutes = LENGTHS[form.length]
  const to = minutes === undefined ? fromLocalInput(form.endAt, timeZone) : from + minutes * MINUTE_MS
  if (to === undefined) return wrong('endAt', texts.endMissing, form.endAt === '')
  const end: PlanField = minutes === undefined ? 'endAt' : 'startAt'
  if (to <= now) return wrong(end, texts.endPassed)
  if (to <= from) return wrong(end, texts.endBeforeStart)
  if (to - from > MAX_LENGTH_MS) return wrong(end, texts.tooLong)
  const reason = form.reason.trim()
  return { plan: { value, from, to, startsNow: from <= now, ...(reason !== '' && { reason }) } }
}

/** Parses a typed number; `undefined` when it is not one. */
export function numberOf(typed: number | string): number | undefined {
  if (typeof typed === 'string' && typed.trim() === '') return undefined
  const value = Number(typed)
  return Number.isFinite(value) ? value : undefined
}
