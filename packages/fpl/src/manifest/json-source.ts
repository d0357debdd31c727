import { parseJson } from './parse-json.ts'
import { countNames, repeatedName } from './repeated-name.ts'

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
  /** Returns the value, which should be small. Throws `PackageRefused` for a repeated name; `path` is for its message. */
  parse(path: string, options?: { spelled?: boolean }): unknown
  /** The items of an array, in order. */
  items(): Iterable<JsonSource>
  /** The items of an array, in order: small ones in runs of at most `most` bytes, each of the others on its own. */
  runs(most: number): Iterable<JsonRun | JsonSource>
  /** The fields of an object, in order, including repeated names. */
  fields(): Iterable<{ readonly name: string; readonly value: JsonSource }>
  /** Returns the value without most of what follows its first part: enough for a message, and not empty unless it is. */
  start(): unknown
}

/** Items of an array that are parsed together, which is several times as fast as one by one. */
export interface JsonRun {
  readonly kind: 'run'
  /** Returns the items. Throws for a repeated name; `pathOf` gives the path of the item at an index of this run. */
  parse(pathOf: (index: number) => string): readonly unknown[]
  /** Returns the items again, with numbers as the author wrote them. */
  spelled(): readonly unknown[]
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

/** The bytes of a value and what the scanner found out about them. */
interface Origin {
  readonly bytes: Buffer
  /** JSON.parse cannot be trusted with it; see `parseJson`. */
  readonly hasEscapedName: boolean
}

/** Returns the value that these bytes are the source of. */
export function sourceOf(bytes: Buffer, { hasEscapedName }: { hasEscapedName: boolean }): JsonSource {
  return partOf({ bytes, hasEscapedName }, 0, bytes.length)
}

function partOf(origin: Origin, from: number, to: number): JsonSource {
  const { bytes } = origin
  const first = bytes[from]
  const kind = first === OPENING_BRACKET ? 'array' : first === OPENING_BRACE ? 'object' : 'scalar'
  const source: JsonSource = {
    kind,
    size: to - from,
    text: () => bytes.toString('utf8', from, to),
    parse: (path, { spelled = false } = {}) => parsePart(source, path, spelled),
    items: () => itemsIn(origin, from),
    runs: (most) => runsIn(origin, from, most),
    fields: () => fieldsIn(origin, from),
    start: () => startOf(source, { left: START_BYTES }),
  }
  return source
}

function parsePart(source: JsonSource, path: string, spelled: boolean): unknown {
  const text = source.text()
  return parseJson(text, {
    spelled,
    onRepeatedName() {
      throw repeatedName(text, path)
    },
  })
}

function* itemsIn(origin: Origin, from: number): Generator<JsonSource> {
  const { bytes } = origin
  for (let at = nextToken(bytes, from + 1); bytes[at] !== CLOSING_BRACKET; ) {
    const end = endOf(bytes, at)
    yield partOf(origin, at, end)
    at = nextToken(bytes, end)
  }
}

function* runsIn(origin: Origin, from: number, most: number): Generator<JsonRun | JsonSource> {
  const { bytes } = origin
  let start = nextToken(bytes, from + 1)
  let end = start
  for (let at = start; bytes[at] !== CLOSING_BRACKET; ) {
    const itemEnd = endOf(bytes, at)
    if (end > start && itemEnd - start > most) {
      yield runOf(origin, start, end)
      start = at
    }
    end = itemEnd
    at = nextToken(bytes, end)
    if (end - start > most) {
      yield partOf(origin, start, end)
      start = at
      end = at
    }
  }
  if (end > start) yield runOf(origin, start, end)
}

function runOf(origin: Origin, from: number, to: number): JsonRun {
  const { bytes, hasEscapedName } = origin
  const text = () => `[${bytes.toString('utf8', from, to)}]`
  return {
    kind: 'run',
    parse(pathOf) {
      const items = (hasEscapedName ? parseJson(text()) : JSON.parse(text())) as unknown[]
      if (countNames(items) === countColons(bytes, from, to)) return items
      // Parse one by one, to find the item that repeats a name.
      const list = partOf({ bytes: Buffer.from(text()), hasEscapedName }, 0, 0)
      return [...list.items()].map((item, index) => item.parse(pathOf(index)))
    },
    spelled: () => parseJson(text(), { spelled: true }) as unknown[],
  }
}

/** Counts the colons outside texts: one follows each name. */
function countColons(bytes: Buffer, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; ) {
    const byte = bytes[at]
    if (byte === COLON) count += 1
    at = byte === QUOTE ? endOfText(bytes, at) : at + 1
  }
  return count
}

function* fieldsIn(origin: Origin, from: number): Generator<{ name: string; value: JsonSource }> {
  const { bytes } = origin
  for (let at = nextToken(bytes, from + 1); bytes[at] !== CLOSING_BRACE; ) {
    const nameEnd = endOfText(bytes, at)
    const name = textAt(bytes, at, nameEnd)
    const start = nextToken(bytes, nameEnd)
    const end = endOf(bytes, start)
    yield { name, value: partOf(origin, start, end) }
    at = nextToken(bytes, end)
  }
}

function textAt(bytes: Buffer, from: number, to: number): string {
  const text = bytes.toString('utf8', from + 1, to - 1)
  return text.includes('\\') ? JSON.parse(`"${text}"`) : text
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
