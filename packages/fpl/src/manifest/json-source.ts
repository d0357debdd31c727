import { parseJson } from './parse-json.ts'

/**
 * A JSON value in its source, for values that are too large to be parsed at once. Visiting its parts costs time, not
 * memory. The source is valid JSON in UTF-8.
 */
export interface JsonSource {
  readonly kind: 'array' | 'object' | 'scalar'
  /** In bytes. */
  readonly size: number
  /** The source as text. */
  text(): string
  /** The items of an array, in order. */
  items(): Iterable<JsonSource>
  /** The fields of an object, in order, including repeated names. */
  fields(): Iterable<{ readonly name: string; readonly value: JsonSource }>
  /** Returns the value without most of what follows its first part: enough for a message, and not empty unless it is. */
  start(): unknown
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

/** A message shows 100 characters, each of at most 12 bytes. */
const START_BYTES = 2048

/** Returns the value that these bytes are the source of, from its first byte to its last. */
export function sourceOf(bytes: Buffer, from = 0, to = bytes.length): JsonSource {
  const first = bytes[from]
  const kind = first === OPENING_BRACKET ? 'array' : first === OPENING_BRACE ? 'object' : 'scalar'
  const source: JsonSource = {
    kind,
    size: to - from,
    text: () => bytes.toString('utf8', from, to),
    items: () => itemsIn(bytes, from),
    fields: () => fieldsIn(bytes, from),
    start: () => startOf(source, { left: START_BYTES }),
  }
  return source
}

function* itemsIn(bytes: Buffer, from: number): Generator<JsonSource> {
  for (let at = nextToken(bytes, from + 1); bytes[at] !== CLOSING_BRACKET; ) {
    const end = endOf(bytes, at)
    yield sourceOf(bytes, at, end)
    at = nextToken(bytes, end)
  }
}

function* fieldsIn(bytes: Buffer, from: number): Generator<{ name: string; value: JsonSource }> {
  for (let at = nextToken(bytes, from + 1); bytes[at] !== CLOSING_BRACE; ) {
    const nameEnd = endOfText(bytes, at)
    const name: string = JSON.parse(bytes.toString('utf8', at, nameEnd))
    const start = nextToken(bytes, nameEnd)
    const end = endOf(bytes, start)
    yield { name, value: sourceOf(bytes, start, end) }
    at = nextToken(bytes, end)
  }
}

/** The bytes that `startOf` may still read; shared by all parts of a value. */
interface Budget {
  left: number
}

function startOf(source: JsonSource, budget: Budget): unknown {
  if (source.kind === 'array') {
    const items: unknown[] = []
    for (const item of source.items()) {
      items.push(startOf(item, budget))
      if (--budget.left < 0) break
    }
    return items
  }
  if (source.kind === 'object') {
    const object = {}
    for (const { name, value } of source.fields()) {
      Object.defineProperty(object, name, { value: startOf(value, budget), configurable: true, enumerable: true })
      budget.left -= name.length + 1
      if (budget.left < 0) break
    }
    return object
  }
  budget.left -= source.size
  return parseJson(source.text(), { spelled: true })
}

/** Returns the position of the next token, ignoring white space, commas and colons. */
function nextToken(bytes: Buffer, from: number): number {
  let at = from
  for (let byte = bytes[at] as number; byte <= 0x20 || byte === COMMA || byte === COLON; byte = bytes[at] as number)
    at += 1
  return at
}

/** Returns the position after the value that starts at `at`. */
function endOf(bytes: Buffer, at: number): number {
  const first = bytes[at]
  if (first === QUOTE) return endOfText(bytes, at)
  if (first === OPENING_BRACE || first === OPENING_BRACKET) return endOfContainer(bytes, at)
  let end = at + 1
  while (end < bytes.length && !endsScalar(bytes[end] as number)) end += 1
  return end
}

function endsScalar(byte: number): boolean {
  return byte <= 0x20 || byte === COMMA || byte === CLOSING_BRACKET || byte === CLOSING_BRACE
}

function endOfContainer(bytes: Buffer, from: number): number {
  let depth = 0
  for (let at = from; ; ) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = endOfText(bytes, at)
      continue
    }
    at += 1
    if (byte === OPENING_BRACE || byte === OPENING_BRACKET) depth += 1
    else if ((byte === CLOSING_BRACE || byte === CLOSING_BRACKET) && --depth === 0) return at
  }
}

/** Returns the position after the closing quote of the text that starts at `at`. */
function endOfText(bytes: Buffer, from: number): number {
  let at = from + 1
  for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[at]) at += byte === BACKSLASH ? 2 : 1
  return at + 1
}
