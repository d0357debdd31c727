import { schemaExpression } from '@plantroom/contract/expressions'
import { SpelledNumber } from '../manifest/parse-json.ts'
import { manifestSchema, type Schema, type TypeName } from '../manifest/schema.ts'
import { isDateTime } from './follows-schema.ts'
import { show } from './problems.ts'

/** A rule that a value breaks, worded for the message. */
export interface Broken {
  readonly rule: string
  /** Omitted if showing it would not help. */
  readonly value?: unknown
  /** The message also identifies the ticket by its externalId. */
  readonly namesTicket?: true
}

/** Texts that look like a value of another type are short. */
const LONGEST_HINTED = 100

const TYPE_WORDS: Readonly<Record<TypeName, string>> = {
  string: 'text',
  integer: 'a whole number',
  boolean: 'true, false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

/**
 * Returns the first schema rule that a value itself breaks, ignoring its children. `name` is the name of the definition
 * that `schema` comes from.
 */
export function brokenRule(schema: Schema, name: string | undefined, value: unknown): Broken | undefined {
  const plain = value instanceof SpelledNumber ? value.value : value
  if (schema.enum) {
    return schema.enum.includes(plain)
      ? undefined
      : { value, rule: `must be one of: ${listed(schema.enum)}${enumHint(schema.enum, value)}` }
  }
  if (typeof plain === 'number' && isOutOfRange(schema, plain)) {
    const { minimum, maximum, type } = schema
    return { value, rule: `must be a whole number from ${minimum} to ${maximum}${isNullable(type) ? ' or null' : ''}` }
  }
  if (!isOfType(schema.type, typeOf(plain))) {
    const types = [schema.type ?? []].flat().map((type) => TYPE_WORDS[type])
    return { value, rule: `must be ${types.join(' or ')}${typeHint(schema.type, value)}` }
  }
  return typeof value === 'string' ? brokenTextRule(schema, name, value) : undefined
}

function isOutOfRange({ minimum, maximum }: Schema, value: number): boolean {
  return (minimum !== undefined && value < minimum) || (maximum !== undefined && value > maximum)
}

const isNullable = (type: Schema['type']) => isOfType(type, 'null')

/** Explains why a value that looks like an allowed one is refused: one is text, the other is not. */
function enumHint(allowed: readonly unknown[], value: unknown): string {
  const looksLike = (other: unknown) => other !== null && show(value) === String(other)
  const same = allowed.find(looksLike)
  if (same === undefined) return ''
  return typeof same === 'string' ? ' (text, in quotes)' : ' (a number, without quotes)'
}

function typeHint(allowed: Schema['type'], value: unknown): string {
  if (typeof value !== 'string' || value.length > LONGEST_HINTED) return ''
  try {
    return isOfType(allowed, typeOf(JSON.parse(value))) ? ' (without quotes)' : ''
  } catch {
    return ''
  }
}

export function isBlank(text: string): boolean {
  return !/\S/.test(text)
}

function brokenTextRule(schema: Schema, name: string | undefined, value: string): Broken | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, format, pattern } = schema
  if (value.length < minLength) return { rule: `must be ${minLength} to ${maxLength} characters` }
  if (isLongerThan(maxLength, value)) {
    return { value, rule: `must be ${minLength > 0 ? `${minLength} to` : 'at most'} ${maxLength} characters` }
  }
  if (format !== undefined && !isDateTime(value)) return { value, rule: `is not a valid ${format}` }
  if (pattern !== undefined && !matches(pattern, value)) return brokenPattern(name, value)
  const rule = brokenCharacterRule(value)
  return rule === undefined ? undefined : { value, rule }
}

function brokenPattern(name: string | undefined, value: string): Broken {
  switch (name) {
    case 'label':
      return { rule: 'must not be blank' }
    case 'attachmentName':
      if (isBlank(value)) return { rule: 'must not be blank' }
      return { value, rule: 'is not a safe path', namesTicket: true }
    case 'attachmentPath':
      // A path that would be valid as a name is safe.
      if (matches(manifestSchema.definitions.attachmentName.pattern, value)) {
        return { rule: 'must start with attachments/', namesTicket: true }
      }
      return { value, rule: 'is not a safe path', namesTicket: true }
    case 'contentType':
      return { value, rule: 'is not a valid MIME type, such as image/jpeg' }
    default:
      return { value, rule: 'is not a valid email' }
  }
}

const matches = (pattern: string, text: string) => schemaExpression(pattern).test(text)

/** Compares characters, some of which take two UTF-16 units. */
export function isLongerThan(most: number, text: string): boolean {
  if (text.length <= most) return false
  if (text.length > 2 * most) return true
  let characters = 0
  for (const _ of text) characters += 1
  return characters > most
}

function listed(allowed: readonly unknown[]): string {
  return allowed.filter((value) => value !== null).join(', ')
}

function isOfType(allowed: Schema['type'], type: TypeName | 'number'): boolean {
  return typeof allowed === 'object' ? allowed.some((each) => each === type) : allowed === type
}

function typeOf(value: unknown): TypeName | 'number' {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as 'string' | 'boolean' | 'object'
}

/** Returns the rule broken by a character that databases and other systems reject, if the text contains one. */
function brokenCharacterRule(text: string): string | undefined {
  if (text.includes('\0')) return 'must not hold the character U+0000'
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode'
}

/** True if every text in a value, at any depth, has only characters that can be stored. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return brokenCharacterRule(value) === undefined
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isStorable)
  for (const name in value) {
    if (!isStorable((value as Record<string, unknown>)[name])) return false
  }
  return true
}
