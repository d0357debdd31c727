/** The bytes are not what the protocol allows. The message is for people. */
export class Malformed extends Error {}

export interface ObjectId {
  type: number
  instance: number
}

/** A value with an application tag. Dates, times and bit strings stay as bytes: nothing here looks into them. */
export type Value =
  | { tag: 'null' }
  | { tag: 'boolean'; value: boolean }
  | { tag: 'unsigned' | 'signed' | 'enumerated' | 'real' | 'double'; value: number }
  | { tag: 'text'; value: string }
  | { tag: 'object'; value: ObjectId }
  | { tag: 'bits' | 'octets' | 'date' | 'time'; value: Uint8Array }

const TAGS = {
  null: 0,
  boolean: 1,
  unsigned: 2,
  signed: 3,
  real: 4,
  double: 5,
  octets: 6,
  text: 7,
  bits: 8,
  enumerated: 9,
  date: 10,
  time: 11,
  object: 12,
} as const satisfies Record<Value['tag'], number>
const NAMES = Object.keys(TAGS) as readonly Value['tag'][]

/** The largest instance, which also stands for any device. */
export const ANY_INSTANCE = 0x3f_ff_ff
const MAX_TYPE = 0x3_ff

const OPENING = 6
const CLOSING = 7

export interface Tag {
  number: number
  kind: 'application' | 'context' | 'opening' | 'closing'
  /** Of the contents; the value itself for an application boolean. */
  length: number
}

/** Reads tags and values from bytes of others. Every method takes a constant number of steps, or one per byte that it passes. */
export class TagReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#at = at
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** Returns the next tag without passing it; `undefined` at the end. */
  peek(): Tag | undefined {
    if (this.isAtEnd) return undefined
    const before = this.#at
    const tag = this.tag()
    this.#at = before
    return tag
  }

  /** Passes a tag, not its contents. */
  tag(): Tag {
    const first = this.#byte()
    const number = first >> 4 === 15 ? this.#byte() : first >> 4
    const isContext = (first & 8) !== 0
    const low = first & 7
    if (isContext && low === OPENING) return { number, kind: 'opening', length: 0 }
    if (isContext && low === CLOSING) return { number, kind: 'closing', length: 0 }
    return { number, kind: isContext ? 'context' : 'application', length: low === 5 ? this.#longLength() : low }
  }

  #longLength(): number {
    const first = this.#byte()
    if (first < 254) return first
    return first === 254 ? this.#byte() * 256 + this.#byte() : this.#number(4)
  }

  /** Passes a context tag of this number with its contents. */
  context(number: number): Uint8Array {
    const tag = this.tag()
    if (tag.kind !== 'context' || tag.number !== number) throw new Malformed(`has no field ${number} where it belongs`)
    return this.#take(tag.length)
  }

  /** Passes a context tag of this number if it is next. */
  optionalContext(number: number): Uint8Array | undefined {
    return this.isNext('context', number) ? this.context(number) : undefined
  }

  isNext(kind: Tag['kind'], number: number): boolean {
    const tag = this.peek()
    return tag?.kind === kind && tag.number === number
  }

  open(number: number): void {
    if (!this.isNext('opening', number)) throw new Malformed(`has no list ${number} where it belongs`)
    this.tag()
  }

  close(number: number): void {
    if (!this.isNext('closing', number)) throw new Malformed(`does not end list ${number} where it should`)
    this.tag()
  }

  /** Passes a value with an application tag. */
  value(): Value {
    const { number, kind, length } = this.tag()
    const tag = NAMES[number]
    if (kind !== 'application' || tag === undefined) throw new Malformed('has an unknown value')
    // The length of a boolean is its value.
    if (tag === 'boolean') return { tag, value: length === 1 }
    const contents = this.#take(length)
    switch (tag) {
      case 'null':
        return { tag }
      case 'unsigned':
      case 'enumerated':
        return { tag, value: unsignedOf(contents) }
      case 'signed':
        return { tag, value: signedOf(contents) }
      case 'real':
        if (length !== 4) throw new Malformed('has a real number that is not 4 bytes long')
        return { tag, value: viewOf(contents).getFloat32(0) }
      case 'double':
        if (length !== 8) throw new Malformed('has a double that is not 8 bytes long')
        return { tag, value: viewOf(contents).getFloat64(0) }
      case 'text':
        return { tag, value: textOf(contents) }
      case 'object':
        return { tag, value: objectOf(contents) }
      default:
        return { tag, value: contents }
    }
  }

  /** Passes the contents of a list up to its closing tag, and the tag. Returns its values, or none if it is not a plain list. */
  listUntilClose(number: number): readonly Value[] | undefined {
    const values: Value[] = []
    let isPlain = true
    for (let depth = 0; ; ) {
      const next = this.peek()
      if (!next) throw new Malformed(`does not end list ${number}`)
      if (depth === 0 && next.kind === 'closing') {
        this.close(number)
        return isPlain ? values : undefined
      }
      if (next.kind === 'application' && depth === 0) values.push(this.value())
      else {
        isPlain = false
        this.tag()
        if (next.kind === 'opening') depth += 1
        else if (next.kind === 'closing') depth -= 1
        else if (next.kind === 'context' || next.number !== TAGS.boolean) this.#take(next.length)
      }
    }
  }

  #byte(): number {
    const byte = this.#bytes[this.#at]
    if (byte === undefined) throw new Malformed('ends too early')
    this.#at += 1
    return byte
  }

  #number(size: number): number {
    if (this.#at + size > this.#bytes.length) throw new Malformed('ends too early')
    const number = this.#view.getUint32(this.#at)
    this.#at += size
    return number
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length
    if (end > this.#bytes.length) throw new Malformed('ends too early')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Decodes an unsigned number of up to 8 bytes. What exceeds 2^53 is not exact. */
export function unsignedOf(bytes: Uint8Array): number {
  if (bytes.length === 0 || bytes.length > 8) throw new Malformed('has a number of an impossible length')
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0)
}

function signedOf(bytes: Uint8Array): number {
  const unsigned = unsignedOf(bytes)
  return (bytes[0] ?? 0) < 128 ? unsigned : unsigned - 256 ** bytes.length
}

export function objectOf(bytes: Uint8Array): ObjectId {
  if (bytes.length !== 4) throw new Malformed('has an object identifier that is not 4 bytes long')
  const id = viewOf(bytes).getUint32(0)
  return { type: id >>> 22, instance: id & ANY_INSTANCE }
}

const UTF_8 = 0
const UTF_16 = 4
const LATIN_1 = 5

function textOf(bytes: Uint8Array): string {
  const [charset, contents] = [bytes[0], bytes.subarray(1)]
  if (charset === UTF_8) return new TextDecoder().decode(contents)
  if (charset === UTF_16) return new TextDecoder('utf-16be').decode(contents)
  return charset === LATIN_1 ? Buffer.from(contents).toString('latin1') : '?'
}

/** Joins parts into one array of bytes. */
export const concat = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]))

/** Encodes a value with its application tag. */
export function encodeValue(value: Value): Uint8Array {
  if (value.tag === 'boolean') return Uint8Array.of((TAGS.boolean << 4) | (value.value ? 1 : 0))
  return tagged(TAGS[value.tag], 0, contentsOf(value))
}

/** Encodes contents with a context tag. */
export const encodeContext = (number: number, contents: Uint8Array) => tagged(number, 8, contents)

export const opening = (number: number) => tagByte(number, 8 | OPENING)
export const closing = (number: number) => tagByte(number, 8 | CLOSING)

function tagged(number: number, kind: 0 | 8, contents: Uint8Array): Uint8Array {
  const { length } = contents
  if (length < 5) return concat(tagByte(number, kind | length), contents)
  return concat(tagByte(number, kind | 5), length < 254 ? [length] : [254, length >> 8, length & 255], contents)
}

const tagByte = (number: number, low: number) =>
  number < 15 ? Uint8Array.of((number << 4) | low) : Uint8Array.of(0xf0 | low, number)

function contentsOf(value: Exclude<Value, { tag: 'boolean' }>): Uint8Array {
  switch (value.tag) {
    case 'null':
      return new Uint8Array()
    case 'unsigned':
    case 'enumerated':
      return unsigned(value.value)
    case 'signed':
      return signed(value.value)
    case 'real':
      return fixed(4, (view) => view.setFloat32(0, value.value))
    case 'double':
      return fixed(8, (view) => view.setFloat64(0, value.value))
    case 'text':
      return concat([UTF_8], new TextEncoder().encode(value.value))
    case 'object':
      return objectId(value.value)
    default:
      return value.value
  }
}

function fixed(length: number, set: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(length)
  set(viewOf(bytes))
  return bytes
}

/** Encodes a whole number from 0 to 2^53 in as few bytes as it takes. */
export function unsigned(value: number): Uint8Array {
  const bytes: number[] = []
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return Uint8Array.from(bytes)
}

function signed(value: number): Uint8Array {
  let length = 1
  while (value < -(2 ** (8 * length - 1)) || value >= 2 ** (8 * length - 1)) length += 1
  const bytes = unsigned(value < 0 ? value + 256 ** length : value)
  return concat(new Uint8Array(length - bytes.length), bytes)
}

export function objectId({ type, instance }: ObjectId): Uint8Array {
  return fixed(4, (view) => view.setUint32(0, (((type & MAX_TYPE) << 22) | (instance & ANY_INSTANCE)) >>> 0))
}
