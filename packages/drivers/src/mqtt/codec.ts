import { Failure } from '@plantroom/contract/failure'
import type { Raw, Reading } from '../driver.ts'
import type { Command, Words } from './config.ts'
import { type JsonPath, valueAt } from './json-path.ts'

/** A longer payload is not looked at. */
export const LONGEST_PAYLOAD = 256 * 1024

export type Scalar = string | number | bigint | boolean | null
type Outcome<Value> = { value: Value } | { error: string }

/** What a message holds. It is decoded when first asked for, and then once for all points that share it. */
export interface Payload {
  /** As they came; `undefined` where they were not kept. */
  readonly bytes: Uint8Array | undefined
  /** The single value at the path, or the whole text. */
  at(path: JsonPath | undefined): Outcome<Scalar>
}

/** @param bytes are copied: what they are part of may be much longer */
export function createPayload(bytes: Uint8Array): Payload {
  if (bytes.length > LONGEST_PAYLOAD) return unreadable(`the payload is longer than ${LONGEST_PAYLOAD / 1024} KiB`)
  const kept = new Uint8Array(bytes)
  const text = once(() => decodeText(kept))
  const json = once(() => {
    const decoded = text()
    return 'error' in decoded ? decoded : decodeJson(decoded.value)
  })
  return {
    bytes: kept,
    at(path) {
      if (!path) return text()
      const document = json()
      if ('error' in document) return document
      const value = valueAt(document.value, path)
      if (value === undefined) return { error: `${path.text} is not in the payload` }
      return isScalar(value) ? { value } : { error: `${path.text} is ${Array.isArray(value) ? 'a list' : 'an object'}` }
    },
  }
}

/** A payload of which nothing is known but why. */
export function unreadable(error: string): Payload {
  return { bytes: undefined, at: () => ({ error }) }
}

/** The raw value of a state. A switch is 1 or 0; whole numbers beyond 2^53 are exact. */
export function readState(payload: Payload, path: JsonPath | undefined, words: Words | undefined): Reading {
  const found = payload.at(path)
  if ('error' in found) return found
  if (!words) return readNumber(found.value)
  const { on, off } = words
  const word = wordOf(found.value)
  if (word === String(on)) return { raw: 1 }
  if (word === String(off)) return { raw: 0 }
  const reading = readNumber(found.value)
  if ('raw' in reading && (reading.raw === 0 || reading.raw === 1)) return reading
  return { error: `${shown(found.value)} is neither ${shown(on)} nor ${shown(off)}` }
}

/** What the command holds in the end when it is asked for `raw`. Throws a `Failure` `rejected` where nothing does. */
export function nearestRaw({ words, decimals }: Command, raw: number): Raw {
  if (words) {
    const rounded = Math.sign(raw) * Math.round(Math.abs(raw))
    if (rounded !== 0 && rounded !== 1) throw new Failure('rejected', `${raw} does not fit a switch: only 0 and 1 do`)
    return rounded === 0 ? 0 : 1
  }
  if (!Number.isFinite(raw)) throw new Failure('rejected', `${raw} cannot be sent: it is not a finite number`)
  return decimals === undefined ? raw : Number(raw.toFixed(decimals))
}

/** The payload that asks the equipment for `raw`. Throws a `Failure` `rejected` when it does not fit. */
export function commandPayload(command: Command, raw: Raw): string {
  return command.pieces.join(commandValue(command, raw))
}

function commandValue(command: Command, raw: Raw): string {
  const { words } = command
  if (!words) return numberText(typeof raw === 'bigint' ? raw : nearestRaw(command, raw))
  // Not rounded: what is half on was not asked for by anybody who knows that it is a switch.
  if (Number(raw) !== 0 && Number(raw) !== 1) {
    throw new Failure('rejected', `${raw} does not fit a switch: only 0 and 1 do`)
  }
  const word = Number(raw) === 1 ? words.on : words.off
  return command.quoted ? JSON.stringify(word) : String(word)
}

/** Beyond 2^53 a number shows digits that are not its own: as such they would come back from equipment that is exact. */
function numberText(raw: Raw): string {
  const exceeds = typeof raw === 'number' && Number.isInteger(raw) && !Number.isSafeInteger(raw)
  return exceeds && Math.abs(raw) < 1e21 ? String(BigInt(raw)) : String(raw)
}

/** What the equipment sent, to be compared with a word that was commissioned. */
export const wordOf = (value: Scalar) => String(value).trim()

const isScalar = (value: unknown): value is Scalar => typeof value !== 'object' || value === null

const LONGEST_SHOWN = 60

/** What the equipment sent, as it appears in a message: one line, not longer than a line. */
export function shown(value: Scalar): string {
  const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value)
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}

function decodeText(bytes: Uint8Array): Outcome<string> {
  try {
    return { value: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { error: 'the payload is not UTF-8' }
  }
}

const MAY_EXCEED = /\d{16}/

function decodeJson(text: string): Outcome<unknown> {
  try {
    // Only a document with a long number pays for the walk that keeps its digits.
    return { value: MAY_EXCEED.test(text) ? JSON.parse(text, exactly as Reviver) : JSON.parse(text) }
  } catch (error) {
    if (error instanceof RangeError) return { error: 'the payload is nested too deeply' }
    return { error: `the payload is not JSON: ${shown(text)}` }
  }
}

type Reviver = (key: string, value: unknown) => unknown

function exactly(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' && source !== undefined ? exactNumber(source, value) : value
}

/** Digits that a double cannot tell apart stay digits. */
function exactNumber(text: string, value: number): Raw {
  return Number.isFinite(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER && /^[+-]?\d+$/.test(text)
    ? BigInt(text.replace('+', ''))
    : value
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const TRUTHS: Readonly<Record<string, 0 | 1>> = { true: 1, on: 1, false: 0, off: 0 }

function readNumber(value: Scalar): Reading {
  switch (typeof value) {
    case 'bigint':
      return { raw: value }
    case 'number':
      return finite(value, value)
    case 'boolean':
      return { raw: value ? 1 : 0 }
    case 'string': {
      const text = value.trim()
      if (DECIMAL.test(text)) return finite(exactNumber(text, Number(text)), value)
      const truth = Object.hasOwn(TRUTHS, text.toLowerCase()) ? TRUTHS[text.toLowerCase()] : undefined
      return truth === undefined ? { error: `${shown(value)} is not a number` } : { raw: truth }
    }
    default:
      return { error: `${shown(value)} is not a number` }
  }
}

function finite(raw: Raw, sent: Scalar): Reading {
  if (typeof raw === 'bigint' || Number.isFinite(raw)) return { raw }
  return { error: typeof sent === 'string' ? `${shown(sent)} is too large` : 'the number is too large' }
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
