import type { Fields } from '../fields.ts'
import { type JsonPath, parsePath } from './json-path.ts'

/** Parses a JSON path, if there is one. */
export function parseJsonPath(fields: Fields, record: Record<string, unknown>, name: string): JsonPath | undefined {
  const value = text(fields, record, name)
  if (value === undefined) return undefined
  const path = parsePath(value)
  if (!path) fields.mistake(name, 'must be names and places such as value, sensors[0].temp or ["1.8.0"]')
  return path
}

const LONGEST_TOPIC = 65_535
// Mosquitto ends the connection of a client that names a deeper one, which would cost all points.
const MOST_LEVELS = 200

/** Parses one topic, without wildcards, if there is one. */
export function parseTopic(fields: Fields, record: Record<string, unknown>, name: string): string | undefined {
  const topic = text(fields, record, name)
  if (topic === undefined) return undefined
  if (/[+#]/.test(topic)) fields.mistake(name, 'must be one topic: + and # stand for many')
  else if (topic.startsWith('$share/')) fields.mistake(name, 'must be one topic: $share/ is a subscription')
  else if (Buffer.byteLength(topic) > LONGEST_TOPIC)
    fields.mistake(name, `must not be longer than ${LONGEST_TOPIC} bytes`)
  else if (topic.split('/').length > MOST_LEVELS) fields.mistake(name, `must not have more than ${MOST_LEVELS} levels`)
  else return topic
  return undefined
}

/** The value of a field that the caller checks. No message shows it, because it may be a secret. */
export function taken(fields: Fields, record: Record<string, unknown>, name: string): unknown {
  return fields.optionalOneOf(name, [record[name] as string])
}

/** False where it is missing. */
export function flag(fields: Fields, record: Record<string, unknown>, name: string): boolean {
  const value = taken(fields, record, name) ?? false
  if (typeof value !== 'boolean') fields.mistake(name, 'must be true or false')
  return value === true
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/

/** A text, if there is one. No message shows it. */
export function text(fields: Fields, record: Record<string, unknown>, name: string): string | undefined {
  const value = taken(fields, record, name)
  if (value === undefined) return undefined
  if (typeof value === 'string' && value !== '' && !CONTROL.test(value) && value.isWellFormed()) return value
  fields.mistake(name, 'must be a text, not empty and without control characters; quote a number')
  return undefined
}
