import type { MappingRule } from '@plantroom/contract/openadr-mapping'
import type { PayloadRule } from '@plantroom/contract/openadr-profile'
import { MAX_LIMIT_KW } from '@plantroom/contract/power-limit'
import type { PayloadValue } from '../normal/parts.ts'
import type { NoteKind } from './placements.ts'

/** The values that a datapoint takes. */
export interface Envelope {
  readonly min?: number
  readonly max?: number
}

/** What a payload asks for: a value, with a note where it is not quite the one of the event; a release; or nothing. */
export type Asked =
  | { readonly value: number; readonly note?: NoteKind; readonly detail?: string }
  | { readonly isRelease: true }
  | { readonly refusal: NoteKind; readonly detail: string }

const refused = (refusal: NoteKind, detail: unknown): Asked => ({ refusal, detail: shortText(detail) })
const shortText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 100)

/** Power that VTNs write in other units than kW. */
const KILOWATTS: Readonly<Record<string, number>> = { W: 0.001, KW: 1, MW: 1000 }

/** Reads the one number of a payload, in the unit of the profile. `units` is what the event says. */
export function numberIn(values: readonly PayloadValue[], rule: PayloadRule, units: string | null): Asked {
  const [value] = values
  if (values.length !== 1 || typeof value !== 'number') return refused('not-a-value', values)
  if (rule.isWhole && !Number.isInteger(value)) return refused('not-a-value', value)
  const factor = factorOf(units, rule.unit)
  if (factor === undefined) return refused('wrong-unit', units)
  const converted = value * factor
  if (!Number.isFinite(converted)) return refused('not-a-value', value)
  if (converted < (rule.minimum ?? Number.NEGATIVE_INFINITY)) return refused('not-a-value', value)
  if (converted > (rule.maximum ?? Number.POSITIVE_INFINITY)) return refused('not-a-value', value)
  return { value: converted }
}

function factorOf(given: string | null, wanted: string | undefined): number | undefined {
  const from = given?.trim().toUpperCase()
  if (from === undefined || from === '' || wanted === undefined || from === wanted.toUpperCase()) return 1
  const [a, b] = [KILOWATTS[from], KILOWATTS[wanted.toUpperCase()]]
  return a !== undefined && b !== undefined ? a / b : undefined
}

/** Looks a value up in the table of a rule. A level that VTNs write as a text is the same level. */
export function levelIn(values: readonly PayloadValue[], rule: PayloadRule, table: MappingRule['table']): Asked {
  const [level] = values
  if (values.length !== 1 || typeof level === 'object' || level === undefined) return refused('not-a-value', values)
  const checked = rule.meaning === 'level' ? numberIn([Number(level)], rule, null) : { value: 0 }
  if (!('value' in checked)) return refused('not-a-value', level)
  const entry = table && Object.hasOwn(table, String(level)) ? table[String(level)] : undefined
  if (entry === undefined) return refused('not-in-table', level)
  return typeof entry === 'number' ? { value: entry } : { isRelease: true }
}

/** Fits a setpoint into what its datapoint takes, as the rule says. */
export function fitted(
  asked: number,
  { factor = 1, outsideEnvelope }: MappingRule,
  envelope: Envelope | undefined,
): Asked {
  if (!envelope) return refused('no-datapoint', asked)
  const value = asked * factor
  if (!Number.isFinite(value)) return refused('not-a-value', asked)
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = envelope
  if (value >= min && value <= max) return { value }
  if (outsideEnvelope !== 'clamp') return refused('outside-envelope', value)
  return { value: Math.min(Math.max(value, min), max), note: 'clamped', detail: shortText(value) }
}

/** Fits a ceiling into what a controller takes. One below 0 cannot be kept by less power: it becomes 0. */
export function ceiling(kw: number): Asked {
  if (kw > MAX_LIMIT_KW) return refused('not-a-value', kw)
  return kw >= 0 ? { value: kw } : { value: 0, note: 'clamped', detail: shortText(kw) }
}
