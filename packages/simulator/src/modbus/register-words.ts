/** How a value is kept in registers. */
export interface Encoding {
  type: string
  wordOrder: string
}

const BYTES: Readonly<Record<string, number>> = {
  ...{ bool: 2, int16: 2, uint16: 2, int32: 4, uint32: 4, float32: 4 },
  ...{ int64: 8, uint64: 8, float64: 8 },
}

export const widthOf = (type: string) => (BYTES[type] ?? 2) / 2

/** Encodes a value as 16-bit words in the order of the wire. Whole numbers wrap, as in equipment. */
export function encodeWords({ type, wordOrder }: Encoding, value: number): number[] {
  const bytes = Buffer.alloc(BYTES[type] ?? 2)
  if (type === 'float32') bytes.writeFloatBE(value)
  else if (type === 'float64') bytes.writeDoubleBE(value)
  else {
    const whole = BigInt.asUintN(bytes.length * 8, BigInt(Math.round(value)))
    for (let at = 0; at < bytes.length; at += 1) {
      bytes[at] = Number((whole >> BigInt(8 * (bytes.length - 1 - at))) & 0xffn)
    }
  }
  return reorder(
    Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(index * 2)),
    wordOrder,
  )
}

/** Decodes the words of `encodeWords`. */
export function decodeWords({ type, wordOrder }: Encoding, words: readonly number[]): number {
  const bytes = Buffer.alloc(words.length * 2)
  for (const [index, word] of reorder(words, wordOrder).entries()) bytes.writeUInt16BE(word, index * 2)
  if (type === 'float32') return bytes.readFloatBE()
  if (type === 'float64') return bytes.readDoubleBE()
  const whole = BigInt(`0x${bytes.toString('hex')}`)
  return Number(type.startsWith('int') ? BigInt.asIntN(bytes.length * 8, whole) : whole)
}

/** ABCD keeps the words, CDAB turns their order around, BADC swaps the bytes of each, DCBA does both. Its own inverse. */
function reorder(words: readonly number[], wordOrder: string): number[] {
  const ordered = wordOrder === 'CDAB' || wordOrder === 'DCBA' ? words.toReversed() : [...words]
  const swapped = wordOrder === 'BADC' || wordOrder === 'DCBA'
  return swapped ? ordered.map((word) => ((word & 0xff) << 8) | (word >> 8)) : ordered
}
