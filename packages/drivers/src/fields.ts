import { Failure } from '@plantroom/contract/failure'
import type { Problem } from './driver.ts'
import { excerpt } from './excerpt.ts'

/** Reads the fields of one commissioned record. A field with a problem is `undefined`, so that one pass finds all of them. */
export interface Fields {
  /** The field is required unless there is a fallback. */
  integer(name: string, min: number, max: number, fallback?: number): number | undefined
  optionalInteger(name: string, min: number, max: number): number | undefined
  number(name: string, min: number, max: number, fallback: number): number | undefined
  text(name: string): string | undefined
  oneOf<T extends string>(name: string, allowed: readonly T[], fallback?: T): T | undefined
  optionalOneOf<T extends string | number>(name: string, allowed: readonly T[]): T | undefined
  /** Says that a field is known which the caller reads itself. */
  known(name: string): void
  /** Reports a problem that the other methods cannot detect. */
  problem(name: string, message: string): void
  /** Reports every field that no earlier call has read. */
  rejectUnknown(): void
}

/**
 * @param path the path of the record below its connection, for example `datapoints[2].data`
 * @param problems the list to which problems are added
 */
export function fieldsOf(record: Record<string, unknown>, path: string, problems: Problem[]): Fields {
  const asked = new Set<string>()

  const problem = (name: string, message: string) => {
    problems.push({ path: `${path}.${excerpt(name)}`, message })
  }

  function take<T>(name: string, rule: string, accepts: (value: unknown) => value is T): T | undefined {
    asked.add(name)
    const value = record[name]
    if (accepts(value)) return value
    problem(name, value === undefined ? `is missing: it ${rule}` : `${shown(value)} ${rule}`)
    return undefined
  }

  function optional<T>(name: string, rule: string, accepts: (value: unknown) => value is T): T | undefined {
    asked.add(name)
    return record[name] === undefined ? undefined : take(name, rule, accepts)
  }

  const absent = (name: string) => record[name] === undefined

  const fields: Fields = {
    problem,
    known: (name) => void asked.add(name),
    integer(name, min, max, fallback) {
      const value = fields.optionalInteger(name, min, max)
      if (!absent(name)) return value
      return fallback ?? take(name, wholeNumberRule(min, max), isInteger(min, max))
    },
    optionalInteger: (name, min, max) => optional(name, wholeNumberRule(min, max), isInteger(min, max)),
    number(name, min, max, fallback) {
      const value = optional(name, `must be a number from ${min} to ${max}`, isNumberFrom(min, max))
      return absent(name) ? fallback : value
    },
    text: (name) => take(name, 'must be text without spaces', isWord),
    oneOf(name, allowed, fallback) {
      asked.add(name)
      if (absent(name) && fallback !== undefined) return fallback
      return take(name, `must be one of: ${allowed.join(', ')}`, isOneOf(allowed))
    },
    optionalOneOf: (name, allowed) => optional(name, `must be one of: ${allowed.join(', ')}`, isOneOf(allowed)),
    rejectUnknown() {
      for (const name of Object.keys(record)) {
        if (!asked.has(name)) problem(name, `is not a known field; known fields: ${[...asked].join(', ')}`)
      }
    },
  }
  return fields
}

/** Formats an invalid value for a message. */
function shown(value: unknown): string {
  // Quoted if it could be confused with something else, for example the text "3" with the number.
  const bare = typeof value === 'string' && /^[\x21-\x7e]*$/.test(value) && /[A-Za-z]/.test(value)
  return excerpt(bare ? value : (JSON.stringify(value) ?? String(value)))
}

const wholeNumberRule = (min: number, max: number) => `must be a whole number from ${min} to ${max}`

const isInteger =
  (min: number, max: number) =>
  (value: unknown): value is number =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max

const isNumberFrom =
  (min: number, max: number) =>
  (value: unknown): value is number =>
    typeof value === 'number' && value >= min && value <= max

const isWord = (value: unknown): value is string => typeof value === 'string' && /^\S+$/.test(value)

const isOneOf =
  <T extends string | number>(allowed: readonly T[]) =>
  (value: unknown): value is T =>
    allowed.includes(value as T)

const MAX_LISTED = 20

/** Throws a `Failure` of kind `invalid` if a connection has problems. Lists the first 20 of them. */
export function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length === 0) return
  const listed = problems.slice(0, MAX_LISTED).map(({ path, message }) => `${path}: ${message}`)
  const left = problems.length - listed.length
  throw new Failure('invalid', [...listed, ...(left > 0 ? [`and ${left} more`] : [])].join('; '))
}
