export const WIDTH = { int16: 1, uint16: 1, int32: 2, uint32: 2, uint64: 4, float32: 2 } as const
export type RegisterType = keyof typeof WIDTH

/** Encodes a value as 16-bit words, high word first. Rounds integers and clamps them to their range. */
export function wordsOf(type: RegisterType, value: number): number[] {
  const bytes = Buffer.alloc(WIDTH[type] * 2)
  if (type === 'float32') bytes.writeFloatBE(value)
  else if (type === 'uint64') bytes.writeBigUInt64BE(BigInt(Math.max(0, Math.round(value))))
  else {
    const [min, max] = RANGE[type]
    const whole = Math.min(Math.max(Math.round(value), min), max)
    if (min < 0) bytes.writeIntBE(whole, 0, bytes.length)
    else bytes.writeUIntBE(whole, 0, bytes.length)
  }
  return Array.from({ length: WIDTH[type] }, (_, index) => bytes.readUInt16BE(index * 2))
}

/** Decodes the words of `wordsOf`. */
export function valueIn(type: RegisterType, words: readonly number[]): number {
  const bytes = Buffer.alloc(WIDTH[type] * 2)
  for (const [index, word] of words.entries()) bytes.writeUInt16BE(word, index * 2)
  if (type === 'float32') return bytes.readFloatBE()
  if (type === 'uint64') return Number(bytes.readBigUInt64BE())
  return RANGE[type][0] < 0 ? bytes.readIntBE(0, bytes.length) : bytes.readUIntBE(0, bytes.length)
}

const RANGE = {
  int16: [-(2 ** 15), 2 ** 15 - 1],
  uint16: [0, 2 ** 16 - 1],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
} as const
