/** A part of a message: a value, a field with a number, or a list of parts. */
export type Part =
  | { kind: 'value' | 'field'; number: number; contents: Buffer }
  | { kind: 'list'; number: number; parts: readonly Part[] }

/** The bytes are not what the protocol allows. */
export class Malformed extends Error {}

const OPENING = 6
const CLOSING = 7
/** Application tags. */
export const TAG = { null: 0, unsigned: 2, real: 4, text: 7, bits: 8, enumerated: 9, object: 12 } as const

/** Splits the data of a service into its parts. Throws `Malformed`. */
export function readParts(bytes: Buffer): readonly Part[] {
  let at = 0
  const byte = () => {
    const value = bytes[at++]
    if (value === undefined) throw new Malformed('ends too early')
    return value
  }
  function until(closing: number | undefined): Part[] {
    const parts: Part[] = []
    for (;;) {
      if (at === bytes.length && closing === undefined) return parts
      const first = byte()
      const number = first >> 4 === 15 ? byte() : first >> 4
      const isField = (first & 8) !== 0
      const low = first & 7
      if (isField && low === CLOSING) {
        if (number === closing) return parts
        throw new Malformed('closes another list')
      }
      if (isField && low === OPENING) parts.push({ kind: 'list', number, parts: until(number) })
      else {
        const length = low < 5 ? low : byte()
        if (length > 253 || at + length > bytes.length) throw new Malformed('has a value that is too long')
        parts.push({ kind: isField ? 'field' : 'value', number, contents: bytes.subarray(at, at + length) })
        at += length
      }
    }
  }
  return until(undefined)
}

export const list = (number: number, ...parts: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.of((number << 4) | 8 | OPENING), ...parts, Buffer.of((number << 4) | 8 | CLOSING)])
export const field = (number: number, contents: Uint8Array) => tagged(number, 8, contents)
export const value = (tag: number, contents: Uint8Array) => tagged(tag, 0, contents)

function tagged(number: number, kind: number, contents: Uint8Array): Buffer {
  const { length } = contents
  const header = length < 5 ? [(number << 4) | kind | length] : [(number << 4) | kind | 5, length]
  return Buffer.concat([Buffer.from(header), contents])
}

export const real = (number: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatBE(number)
  return value(TAG.real, bytes)
}
export const unsigned = (number: number) => value(TAG.unsigned, wholeBytes(number))
export const enumerated = (number: number) => value(TAG.enumerated, wholeBytes(number))
export const text = (words: string) =>
  value(TAG.text, Buffer.concat([Buffer.of(0), Buffer.from(words).subarray(0, 200)]))
export const object = (type: number, instance: number) => value(TAG.object, objectBytes(type, instance))

export function objectBytes(type: number, instance: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(((type << 22) | instance) >>> 0)
  return bytes
}

/** The shortest bytes of a whole number from 0 on. */
export function wholeBytes(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes.subarray(number < 2 ** 8 ? 3 : number < 2 ** 16 ? 2 : number < 2 ** 24 ? 1 : 0)
}

/** Reads a whole number of up to four bytes. */
export function wholeNumber(contents: Buffer): number {
  if (contents.length < 1 || contents.length > 4) throw new Malformed('has a number of an impossible length')
  return contents.readUIntBE(0, contents.length)
}

export function objectIn(contents: Buffer): { type: number; instance: number } {
  if (contents.length !== 4) throw new Malformed('has no object')
  const id = contents.readUInt32BE()
  return { type: id >>> 22, instance: id & 0x3f_ff_ff }
}
