import { Failure } from '@plantroom/contract/failure'
import type { Raw, Reading } from '../driver.ts'
import type { ValueType } from './config.ts'
import { escapeXml, type ObixObject } from './xml.ts'

/** A value that carries one of these is not to be relied on. The others, such as `overridden`, only tell more about it. */
const BAD_STATUS: readonly string[] = ['disabled', 'fault', 'down', 'stale', 'unknown']

/** The value of a point, or why it has none. Units, facets and what else the object tells are left aside. */
export function decodeValue(object: ObixObject): Reading {
  const { val, status, null: isNull } = object.attributes
  if (object.tag === 'err') return { error: errorText(object) }
  if (!isValueType(object.tag)) return { error: `the server shows it as ${object.tag}, not as bool, int or real` }
  if (isNull === 'true' || isNull === '1') return { error: 'the server says null' }
  if (status !== undefined && BAD_STATUS.includes(status)) return { error: `the server says status ${status}` }
  if (val === undefined) return { error: `the server sent ${object.tag} without a value` }
  const raw = PARSE[object.tag](val.trim())
  return raw === undefined ? { error: `the server sent ${excerpt(val)}, which is no ${object.tag}` } : { raw }
}

/** What the object shows its point to be; `undefined` when it shows no value. */
export function typeOf({ tag }: ObixObject): ValueType | undefined {
  return isValueType(tag) ? tag : undefined
}

/** The reason in an `err` object, on one line. */
export function errorText({ attributes }: ObixObject): string {
  const parts = [attributes.is, attributes.display].filter((part) => part)
  return `the server says ${parts.length > 0 ? excerpt(parts.join(': ')) : 'err, and nothing more'}`
}

/** How many err objects the server sent in it. */
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
    return Number.isFinite(value) ? value : undefined
  },
}

/** `name` is the object's own, where it stands inside another. A value that does not fit is refused, never changed. */
export function encodeValue(type: ValueType, raw: Raw, name?: string): string {
  const val = { bool: boolText, int: intText, real: realText }[type](raw)
  return `<${type}${name === undefined ? '' : ` name="${name}"`} val="${val}"/>`
}

/** What a point of this type reads back when it was asked to hold `raw`. What is out of its range is refused. */
export function nearestRaw(type: ValueType, raw: number): Raw {
  switch (type) {
    case 'bool':
      // Not rounded: who asks a switch for a half did not mean on.
      return boolText(raw) === 'true' ? 1 : 0
    case 'int':
      return simplest(BigInt(intText(rounded(raw), raw)))
    case 'real':
      return Number(realText(raw))
  }
}

/** Half away from zero, as people round. */
const rounded = (value: number) => Math.sign(value) * Math.round(Math.abs(value))

function boolText(raw: Raw): string {
  const value = Number(raw)
  if (value !== 0 && value !== 1) throw new Failure('rejected', `${raw} does not fit bool: only 0 and 1 do`)
  return value === 1 ? 'true' : 'false'
}

const MIN_INT = -(2n ** 63n)
const MAX_INT = 2n ** 63n - 1n
const inRange = (value: bigint) => value >= MIN_INT && value <= MAX_INT

function intText(raw: Raw, asked = raw): string {
  const value = typeof raw === 'bigint' ? raw : Number.isInteger(raw) ? BigInt(raw) : undefined
  if (value === undefined || !inRange(value)) {
    throw new Failure('rejected', `${asked} does not fit int: it holds whole numbers from ${MIN_INT} to ${MAX_INT}`)
  }
  return String(value)
}

function realText(raw: Raw): string {
  const value = Number(raw)
  if (!Number.isFinite(value)) throw new Failure('rejected', `${raw} does not fit real: it holds finite numbers`)
  if (typeof raw === 'bigint' && BigInt(value) !== raw) {
    throw new Failure('rejected', `${raw} does not fit real: it would be rounded to ${BigInt(value)}`)
  }
  return String(value)
}

/** A number where that is exact, else a bigint. */
const simplest = (value: bigint): Raw => (BigInt.asIntN(54, value) === value ? Number(value) : value)

/** The argument of an operation that takes none. */
export const NOTHING = '<obj is="obix:Nil" null="true"/>'

export function encodeBatchIn(paths: readonly string[]): string {
  return `<list is="obix:BatchIn" of="obix:uri">${paths.map((path) => uri(path, ' is="obix:Read"')).join('')}</list>`
}

export function encodeWatchIn(paths: readonly string[]): string {
  const items = paths.map((path) => uri(path)).join('')
  return `<obj is="obix:WatchIn"><list name="hrefs" of="obix:WatchInItem">${items}</list></obj>`
}

export function encodeWritePointIn(type: ValueType, raw: Raw): string {
  return `<obj is="obix:WritePointIn">${encodeValue(type, raw, 'value')}</obj>`
}

const uri = (path: string, contract = '') => `<uri${contract} val="${escapeXml(path)}"/>`

/** The child of this name, such as the `batch` of a lobby. */
export function childNamed(object: ObixObject, name: string): ObixObject | undefined {
  return object.children.find(({ attributes }) => attributes.name === name)
}

const LONGEST_EXCERPT = 200

/** What a server said, as it may stand in a message: one line, not too long. */
export function excerpt(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return line.length > LONGEST_EXCERPT ? `${line.slice(0, LONGEST_EXCERPT)}…` : line
}
