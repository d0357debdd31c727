import type { Fields } from '../fields.ts'
import { type JsonPath, parsePath } from './json-path.ts'

/** Parses an optional JSON path. */
export function parseJsonPath(fields: Fields, record: Record<string, unknown>, name: string): JsonPath | undefined {
  const value = text(fields, record, name)
  if (value === undefined) return undefined
  const path = parsePath(value)
  if (!path) fields.problem(name, 'must be a path, for example value, sensors[0].temp or ["1.8.0"]')
  return path
}

const MAX_TOPIC = 65_535
// Mosquitto disconnects a client that uses a deeper topic, which would cost all points.
const MAX_LEVELS = 200

/** Parses an optional topic without wildcards. */
export function parseTopic(fields: Fields, record: Record<string, unknown>, name: string): string | undefined {
  const topic = text(fields, record, name)
  if (topic === undefined) return undefined
  if (/[+#]/.test(topic)) fields.problem(name, 'must be a single topic: + and # are wildcards')
  else if (topic.startsWith('$share/')) fields.problem(name, 'must be a single topic: $share/ is a shared subscription')
  else if (Buffer.byteLength(topic) > MAX_TOPIC) fields.problem(name, `must not be longer than ${MAX_TOPIC} bytes`)
  else if (topic.split('/').length > MAX_LEVELS) fields.problem(name, `must not have more than ${MAX_LEVELS} levels`)
  else return topic
  return undefined
}

/** Returns the value of a field that the caller checks. No message shows it, because it may be a secret. */
export function taken(fields: Fields, record: Record<string, unknown>, name: string): unknown {
  return fields.optionalOneOf(name, [record[name] as string])
}

/** Parses a boolean that defaults to false. */
export function flag(fields: Fields, record: Record<string, unknown>, name: string): boolean {
  const value = taken(fields, record, name) ?? false
  if (typeof value !== 'boolean') fields.problem(name, 'must be true or false')
  return value === true
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for them
const CONTROL = /[\u0000-\u001f\u007f]/

/** Parses an optional text. No message shows it. */
export function text(fields: Fields, record: Record<string, unknown>, name: string): string | undefined {
  const value = taken(fields, record, name)
  if (value === undefined) return undefined
  if (typeof value === 'string' && value !== '' && !CONTROL.test(value) && value.isWellFormed()) return value
  fields.problem(name, 'must be non-empty text without control characters; put a number in quotes')
  return undefined
}
