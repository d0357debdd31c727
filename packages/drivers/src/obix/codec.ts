import { Failure } from '@plantroom/contract/failure'
import type { Raw, Reading } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import type { ValueType } from './config.ts'
import { escapeXml, type ObixObject } from './xml.ts'

/** A value with one of these statuses is unreliable. Others, for example `overridden`, are only informative. */
const BAD_STATUS: readonly string[] = ['disabled', 'fault', 'down', 'stale', 'unknown']

/** Formats text from the server for a message. */
export type Show = (text: string) => string

/** Returns the value of a point, or the reason why it has none. Ignores units, facets and everything else. */
export function decodeValue(object: ObixObject, show: Show = excerpt): Reading {
  const { tag } = object
  const { val, status } = object.attributes
  if (tag === 'err') return { error: errorText(object, show) }
  if (!isValueType(tag)) return { error: `the server shows it as ${show(tag)}, not as bool, int or real` }
  if (isNull(object)) return { error: 'the server reports null' }
  if (isBad(object)) return { error: `the server reports status ${status}` }
  if (val === undefined) return { error: `the server sent ${tag} without a value` }
  const raw = parseValue(tag, val)
  return raw === undefined ? { error: `the server sent ${show(val)}, which is not a valid ${tag}` } : { raw }
}

export const isNull = ({ attributes }: ObixObject) => attributes.null === 'true' || attributes.null === '1'

/** Returns true if the server marks the value as unreliable. */
export const isBad = ({ attributes }: ObixObject) =>
  attributes.status !== undefined && BAD_STATUS.includes(attributes.status)

/** Returns `undefined` if the text is not a value of this type. */
export const parseValue = (type: ValueType, text: string): Raw | undefined => PARSE[type](text.trim())

/** Returns the type of the object's value; `undefined` if it has none. */
export function typeOf({ tag }: ObixObject): ValueType | undefined {
  return isValueType(tag) ? tag : undefined
}

/** Returns the reason of an `err` object on one line. */
export function errorText({ attributes }: ObixObject, show: Show = excerpt): string {
  const parts = [attributes.is, attributes.display].filter((part) => part)
  return `the server reports ${parts.length > 0 ? show(parts.join(': ')) : 'an err without details'}`
}

/** Counts the err objects in an answer. */
export function errorsIn({ tag, children }: ObixObject): number {
  return children.reduce((sum, child) => sum + errorsIn(child), tag === 'err' ? 1 : 0)
}

const isValueType = (tag: string): tag is ValueType => tag === 'bool' || tag === 'int' || tag === 'real'

const BOOLS: ReadonlyMap<string, Raw> = new Map([
  ['true', 1],
  ['1', 1],
  ['false', 0],
  ['0', 0],
])

const PARSE: Record<ValueType, (text: string) => Raw | undefined> = {
  bool: (text) => BOOLS.get(text),
  int(text) {
    if (!/^[+-]?\d{1,40}$/.test(text)) return undefined
    const value = BigInt(text)
    return inRange(value) ? simplest(value) : undefined
  },
  real(text) {
    if (!/^[+-]?(\d{1,400}(\.\d{0,400})?|\.\d{1,400})([eE][+-]?\d{1,4})?$/.test(text)) return undefined
    const value = Number(text)
    // A negative zero is shown as 0; its image keeps the difference.
    return Number.isFinite(value) ? value + 0 : undefined
  },
}

/** An element with a value: its tag, and the attributes of the value. */
export interface Element {
  tag: string
  attributes: string
}

/** Encodes a value. Rejects one that does not fit the type, and never changes one. */
export function toElement(type: ValueType, raw: Raw): Element {
  const val = { bool: boolText, int: intText, real: realText }[type](raw)
  return { tag: type, attributes: `val="${val}"` }
}

/** @param name the name of the element, if it is the child of another */
export function encodeElement({ tag, attributes }: Element, name?: string): string {
  return `<${tag}${name === undefined ? '' : ` name="${name}"`} ${attributes}/>`
}

/**
 * Returns the value that a point of this type reads back after `raw` was written. Throws a `Failure` of kind `rejected`
 * if `raw` is out of range, or is a whole number whose last digits are unknown.
 */
export function nearestRaw(type: ValueType, raw: number): Raw {
  switch (type) {
    case 'bool':
      // Not rounded: 0.5 does not mean on.
      return boolText(raw) === 'true' ? 1 : 0
    case 'int':
      return simplest(BigInt(intText(rounded(raw), raw)))
    case 'real':
      return Number(realText(raw))
  }
}

/** Rounds half away from zero, as people do. */
const rounded = (value: number) => Math.sign(value) * Math.round(Math.abs(value))

function boolText(raw: Raw): string {
  const value = Number(raw)
  if (value !== 0 && value !== 1)
    throw new Failure('rejected', `${excerpt(String(raw))} does not fit bool: only 0 and 1 do`)
  return value === 1 ? 'true' : 'false'
}

const MIN_INT = -(2n ** 63n)
const MAX_INT = 2n ** 63n - 1n
const inRange = (value: bigint) => value >= MIN_INT && value <= MAX_INT

function intText(raw: Raw, asked = raw): string {
  const value = typeof raw === 'bigint' ? raw : Number.isInteger(raw) ? BigInt(raw) : undefined
  if (value === undefined || !inRange(value)) {
    const shown = excerpt(String(asked))
    throw new Failure('rejected', `${shown} does not fit int: it holds whole numbers from ${MIN_INT} to ${MAX_INT}`)
  }
  if (typeof raw === 'number' && !Number.isSafeInteger(raw)) {
    throw new Failure('rejected', `${asked} cannot be sent exactly: the digits of a number above 2^53 are not known`)
  }
  return String(value)
}

function realText(raw: Raw): string {
  const value = Number(raw)
  if (!Number.isFinite(value))
    throw new Failure('rejected', `${excerpt(String(raw))} does not fit real: it holds finite numbers`)
  if (typeof raw === 'bigint' && BigInt(value) !== raw) {
    const shown = excerpt(String(raw))
    throw new Failure(
      'rejected',
      `${shown} does not fit real: it would be rounded to ${excerpt(String(BigInt(value)))}`,
    )
  }
  return String(value)
}

/** Returns a number if that is exact, else a bigint. */
const simplest = (value: bigint): Raw => (Number.isSafeInteger(Number(value)) ? Number(value) : value)

/** The argument of an operation without parameters. */
export const NOTHING = '<obj is="obix:Nil" null="true"/>'

export function encodeBatchIn(paths: readonly string[]): string {
  return `<list is="obix:BatchIn" of="obix:uri">${paths.map((path) => uri(path, ' is="obix:Read"')).join('')}</list>`
}

export function encodeWatchIn(paths: readonly string[]): string {
  const items = paths.map((path) => uri(path)).join('')
  return `<obj is="obix:WatchIn"><list name="hrefs" of="obix:WatchInItem">${items}</list></obj>`
}

export function encodeWritePointIn(element: Element): string {
  return `<obj is="obix:WritePointIn">${encodeElement(element, 'value')}</obj>`
}

const uri = (path: string, contract = '') => `<uri${contract} val="${escapeXml(path)}"/>`

/** Returns the child with this name, for example the `batch` of a lobby. */
export function childNamed(object: ObixObject, name: string): ObixObject | undefined {
  return object.children.find(({ attributes }) => attributes.name === name)
}
