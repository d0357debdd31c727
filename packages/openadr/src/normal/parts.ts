import { read, SchemaMismatch } from '@plantroom/contract/read'
import {
  array,
  nullable,
  object,
  optional,
  type Schema,
  type Static,
  text,
  type Validated,
} from '@plantroom/contract/schema'
import { schemaProblems } from '@plantroom/contract/schema-problems'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import { type Duration, readDuration } from './durations.ts'

/** What is wrong with something that a VTN sent: the message begins with the field. */
export interface Problem {
  readonly problem: string
}
export type Read<Value> = { readonly value: Value } | Problem

/** A field that may be missing or null. */
export const maybe = <Type>(schema: Schema<Type>) => optional(nullable(schema))

/** An id that a VTN gave. The standard has fewer characters; whatever it is, it is quoted where it is used. */
export const objectId = text({ minLength: 1, maxLength: 128 })
export const name = text({ minLength: 1, maxLength: 128 })
/** Anything: a reader below looks at it. */
export const unknown: Schema = {}

/** A target of 3.1 is a text, one of 3.0 a type with values. */
export interface Target {
  /** Of 3.0, for example `RESOURCE_NAME`; `null` in 3.1. */
  readonly type: string | null
  readonly value: string
}

export type PayloadValue = number | string | boolean | { readonly x: number; readonly y: number }
export interface Payload {
  readonly type: string
  readonly values: readonly PayloadValue[]
}

/** When something starts: a moment; `now` is when we first read it; `null` where the VTN does not say. */
export type Start = number | 'now' | null
export interface Period {
  readonly start: Start
  readonly duration: Duration | null
  readonly randomizeStart: Duration | null
}

export const MAX_TARGETS = 1000
export const MAX_PAYLOADS = 100
export const MAX_VALUES = 10_000

export const Targets = maybe(array(unknown, { maxItems: MAX_TARGETS }))
export const Payloads = array(object({ type: name, values: array(unknown, { maxItems: MAX_VALUES }) }), {
  maxItems: MAX_PAYLOADS,
})
export const PeriodFields = maybe(
  object({ start: maybe(text()), duration: maybe(text()), randomizeStart: maybe(text()) }),
)

const ValuesMap = object({ type: name, values: array(text({ maxLength: 4096 }), { maxItems: MAX_TARGETS }) })

/** Checks a value of a VTN; what is wrong becomes a `SchemaMismatch` with the path of the field. */
export function checked<Of extends Schema>(schema: Of, value: unknown): Validated<Of> {
  return read(schema, value)
}

/** Runs a reader, and returns what is wrong instead of throwing it. */
export function readSafely<Value>(reader: () => Value): Read<Value> {
  try {
    return { value: reader() }
  } catch (error) {
    if (error instanceof SchemaMismatch) return { problem: error.message }
    throw error
  }
}

export function refuse(path: string, rule: string): never {
  throw new SchemaMismatch(`${path} ${rule}`)
}

/** Targets of a VEN or a resource, which the VTN writes: what is no list of targets is none. */
export function readOwnTargets(given: unknown): readonly Target[] {
  const targets = readSafely(() => readTargets(Array.isArray(given) ? given : []))
  return 'value' in targets ? targets.value : []
}

export function readTargets(given: readonly unknown[] | null | undefined): readonly Target[] {
  return (given ?? []).flatMap((target, index): Target[] => {
    if (typeof target === 'string') return [{ type: null, value: target }]
    const problem = schemaProblems(ValuesMap, target, 1)[0]
    if (problem) refuse(`targets[${index}]${problem.path && `.${problem.path}`}`, problem.rule)
    const { type, values } = target as Static<typeof ValuesMap>
    return values.map((value) => ({ type, value }))
  })
}

/** Keeps what a payload may contain. Anything else in it is a problem of that event. */
export function readPayloads(given: Static<typeof Payloads>, path: string): readonly Payload[] {
  return given.map(({ type, values }, index) => ({
    type,
    values: values.map((value) => readValue(value, `${path}[${index}].values`)),
  }))
}

function readValue(value: unknown, path: string): PayloadValue {
  if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return value as PayloadValue
  const { x, y } = typeof value === 'object' && value !== null ? (value as { x?: unknown; y?: unknown }) : {}
  if (Number.isFinite(x) && Number.isFinite(y)) return { x: Number(x), y: Number(y) }
  return refuse(path, 'must be numbers, texts, true, false or points')
}

export function readPeriod(given: Static<typeof PeriodFields> | undefined, path: string): Period | null {
  if (!given) return null
  return {
    start: readStart(given.start, `${path}.start`),
    duration: readDurationField(given.duration, `${path}.duration`),
    randomizeStart: readDurationField(given.randomizeStart, `${path}.randomizeStart`),
  }
}

/** 3.1 writes `0001-01-01` for now, 3.0 `0000-00-00`; both with any time of day and zone. */
const NOW = /^(?:0001-01-01|0000-00-00)(?:$|[Tt ])/

export function readStart(given: string | null | undefined, path: string): Start {
  if (given === undefined || given === null) return null
  if (NOW.test(given)) return 'now'
  return parseTimestamp(withZone(given)) ?? refuse(path, 'must be a time with a zone, for example 2030-01-01T00:00:00Z')
}

// Some VTNs write a time without its zone; the standard says UTC.
const withZone = (text: string) => (/^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?$/.test(text) ? `${text}Z` : text)

export function readDurationField(given: string | null | undefined, path: string): Duration | null {
  if (given === undefined || given === null) return null
  return readDuration(given) ?? refuse(path, 'must be a duration that is not negative, for example PT15M')
}

/** The time in a field that need not be there; `null` also where it cannot be read. */
export const readTime = (given: string | null | undefined) => parseTimestamp(withZone(given ?? '')) ?? null
