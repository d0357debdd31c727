import { Failure } from '@plantroom/contract/failure'
import type { Raw, Reading } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import type { Command, SwitchValues } from './config.ts'
import { isDecimal, isSameDecimal } from './decimal.ts'
import { type JsonPath, valueAt } from './json-path.ts'

/** Longer payloads are not decoded. */
export const MAX_PAYLOAD = 256 * 1024

/** A single value of a message. A number that a double cannot represent is a bigint, or else its text. */
export type Scalar = string | number | bigint | boolean | null
export type Outcome<Value> = { value: Value } | { error: string }

/** The content of a message. Decoded on first use, once for all points that share it. */
export interface Payload {
  /** The received bytes; `undefined` if they were not kept. */
  readonly bytes: Uint8Array | undefined
  /** Returns the single value at the path, or the whole text without a path. */
  at(path: JsonPath | undefined): Outcome<Scalar>
}

/** @param bytes the payload; copied, because it may be part of a much longer buffer */
export function createPayload(bytes: Uint8Array): Payload {
  if (bytes.length > MAX_PAYLOAD) return unreadable(`the payload is longer than ${MAX_PAYLOAD / 1024} KiB`)
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
      const name = excerpt(path.text)
      if (value === undefined) return { error: `${name} is not in the payload` }
      return isScalar(value) ? { value } : { error: `${name} is ${Array.isArray(value) ? 'a list' : 'an object'}` }
    },
  }
}

/** Returns a payload that cannot be read, with the reason. */
export function unreadable(error: string): Payload {
  return { bytes: undefined, at: () => ({ error }) }
}

/** Returns the raw value of a state. A switch is 1 or 0; whole numbers beyond 2^53 are exact. */
export function readState(
  payload: Payload,
  path: JsonPath | undefined,
  switchValues: SwitchValues | undefined,
): Reading {
  const found = payload.at(path)
  if ('error' in found) return found
  if (!switchValues) return readNumber(found.value)
  const { on, off } = switchValues
  const word = stateText(found.value)
  if (word === String(on)) return { raw: 1 }
  if (word === String(off)) return { raw: 0 }
  const reading = readNumber(found.value)
  if ('raw' in reading && (reading.raw === 0 || reading.raw === 1)) return reading
  return { error: `${shown(found.value)} is neither ${shown(on)} nor ${shown(off)}` }
}

/**
 * Returns the value that the command sends for `raw`. Throws a `Failure` of kind `rejected` if it cannot send one
 * exactly.
 */
export function nearestRaw({ switchValues, decimals }: Command, raw: number): Raw {
  if (switchValues) {
    const rounded = Math.sign(raw) * Math.round(Math.abs(raw))
    if (rounded !== 0 && rounded !== 1) throw new Failure('rejected', `${raw} does not fit a switch: only 0 and 1 do`)
    return rounded === 0 ? 0 : 1
  }
  if (!Number.isFinite(raw)) throw new Failure('rejected', `${raw} cannot be sent: it is not a finite number`)
  const nearest = decimals === undefined ? raw : Number(raw.toFixed(decimals))
  if (Number.isInteger(nearest) && !Number.isSafeInteger(nearest)) {
    throw new Failure('rejected', `${raw} cannot be sent exactly: the digits of a number above 2^53 are not known`)
  }
  return nearest
}

/** Returns the payload of the command for `raw`. Throws a `Failure` of kind `rejected` if it does not fit. */
export function commandPayload(command: Command, raw: Raw): string {
  return command.pieces.join(commandValue(command, raw))
}

/** Returns the text of the value inside the payload. */
export function commandValue(command: Command, raw: Raw): string {
  const { switchValues } = command
  if (!switchValues) return String(typeof raw === 'bigint' ? raw : nearestRaw(command, raw))
  // Not rounded: 0.5 does not mean on.
  if (Number(raw) !== 0 && Number(raw) !== 1) {
    throw new Failure('rejected', `${excerpt(String(raw))} does not fit a switch: only 0 and 1 do`)
  }
  const word = Number(raw) === 1 ? switchValues.on : switchValues.off
  return command.quoted ? JSON.stringify(word) : String(word)
}

/** Returns the text of a state, for comparison with a commissioned value. */
export const stateText = (value: Scalar) => String(value).trim()

const isScalar = (value: unknown): value is Scalar => typeof value !== 'object' || value === null

const MAX_SHOWN = 60

/** Formats a state for a message. */
export function shown(value: Scalar): string {
  if (typeof value !== 'string') return String(value)
  return excerpt(JSON.stringify(value.slice(0, 4 * MAX_SHOWN)), MAX_SHOWN)
}

function decodeText(bytes: Uint8Array): Outcome<string> {
  try {
    return { value: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { error: 'the payload is not UTF-8' }
  }
}

const MAY_EXCEED = /\d{16}|\d[eE]/

function decodeJson(text: string): Outcome<unknown> {
  try {
    // Keeping digits needs a slower parse, so that it is done only for long numbers and exponents.
    return { value: MAY_EXCEED.test(text) ? JSON.parse(text, exactly as Reviver) : JSON.parse(text) }
  } catch (error) {
    if (error instanceof RangeError) return { error: 'the payload is nested too deeply' }
    return { error: `the payload is not JSON: ${shown(text)}` }
  }
}

type Reviver = (key: string, value: unknown) => unknown

function exactly(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined || !MAY_EXCEED.test(source)) return value
  const exact = exactNumber(source, value)
  if (typeof exact === 'bigint') return exact
  const isExact = !isUnsafe(exact) && isSameDecimal(source, Object.is(exact, -0) ? '-0' : String(exact))
  return isExact ? exact : source
}

const isUnsafe = (value: number) => Math.abs(value) > Number.MAX_SAFE_INTEGER

/** Keeps the digits of whole numbers that a double cannot represent. */
function exactNumber(text: string, value: number): Raw {
  const keepsDigits = Number.isFinite(value) && isUnsafe(value) && /^[+-]?\d+$/.test(text)
  return keepsDigits ? BigInt(text.replace('+', '')) : value
}

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
      if (isDecimal(text)) return finite(exactNumber(text, Number(text)), value)
      const truth = Object.hasOwn(TRUTHS, text.toLowerCase()) ? TRUTHS[text.toLowerCase()] : undefined
      return truth === undefined ? { error: `${shown(value)} is not a number` } : { raw: truth }
    }
    default:
      return { error: `${shown(value)} is not a number` }
  }
}

function finite(raw: Raw, sent: Scalar): Reading {
  if (typeof raw === 'bigint') return { raw }
  // A negative zero is shown as 0; its image keeps the difference.
  return Number.isFinite(raw) ? { raw: raw + 0 } : { error: `${shown(sent)} is too large` }
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
