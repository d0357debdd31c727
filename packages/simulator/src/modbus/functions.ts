export type Outcome = 'written' | 'noSuchAddress' | 'badValue'

/** The data of one unit id. Reads return `undefined` if one of the addresses does not exist. */
export interface Unit {
  readRegisters(table: 'holding' | 'input', address: number, count: number): readonly number[] | undefined
  readBits(table: 'coil' | 'discrete', address: number, count: number): readonly boolean[] | undefined
  /** Writes all values or none. */
  writeRegisters(address: number, words: readonly number[]): Outcome
  writeCoils(address: number, values: readonly boolean[]): Outcome
}

const ILLEGAL_FUNCTION = 1
const ILLEGAL_ADDRESS = 2
const ILLEGAL_VALUE = 3
const TARGET_FAILED_TO_RESPOND = 11

const LIMIT = { readBits: 2000, readRegisters: 125, writeBits: 1968, writeRegisters: 123 }

/** Returns the reply to a request; `unit` is `undefined` for an unknown unit id. */
export function answer(unit: Unit | undefined, pdu: Buffer): Buffer {
  const functionCode = pdu.readUInt8(0)
  const handle = FUNCTIONS[functionCode]
  if (!unit) return exception(functionCode, TARGET_FAILED_TO_RESPOND)
  if (!handle) return exception(functionCode, ILLEGAL_FUNCTION)
  if (pdu.length < 5) return exception(functionCode, ILLEGAL_VALUE)
  const result = handle(unit, pdu.readUInt16BE(1), pdu.readUInt16BE(3), pdu)
  return typeof result === 'number' ? exception(functionCode, result) : result
}

/** Returns the reply or an exception code. `third` is the third word: a count, or the value of 5 and 6. */
type Handle = (unit: Unit, address: number, third: number, pdu: Buffer) => Buffer | number

const FUNCTIONS: Record<number, Handle> = {
  1: (unit, address, count, pdu) => readBits(pdu, count, () => unit.readBits('coil', address, count)),
  2: (unit, address, count, pdu) => readBits(pdu, count, () => unit.readBits('discrete', address, count)),
  3: (unit, address, count, pdu) => readRegisters(pdu, count, () => unit.readRegisters('holding', address, count)),
  4: (unit, address, count, pdu) => readRegisters(pdu, count, () => unit.readRegisters('input', address, count)),
  5(unit, address, value, pdu) {
    if (pdu.length !== 5 || (value !== 0 && value !== 0xff00)) return ILLEGAL_VALUE
    return confirm(pdu, unit.writeCoils(address, [value !== 0]))
  },
  6(unit, address, value, pdu) {
    if (pdu.length !== 5) return ILLEGAL_VALUE
    return confirm(pdu, unit.writeRegisters(address, [value]))
  },
  15(unit, address, count, pdu) {
    if (count < 1 || count > LIMIT.writeBits || !hasBytes(pdu, Math.ceil(count / 8))) return ILLEGAL_VALUE
    const values = Array.from(
      { length: count },
      (_, index) => ((pdu[6 + (index >> 3)] ?? 0) & (1 << (index & 7))) !== 0,
    )
    return confirm(pdu, unit.writeCoils(address, values))
  },
  16(unit, address, count, pdu) {
    if (count < 1 || count > LIMIT.writeRegisters || !hasBytes(pdu, count * 2)) return ILLEGAL_VALUE
    const words = Array.from({ length: count }, (_, index) => pdu.readUInt16BE(6 + index * 2))
    return confirm(pdu, unit.writeRegisters(address, words))
  },
}

function readBits(pdu: Buffer, count: number, read: () => readonly boolean[] | undefined): Buffer | number {
  if (pdu.length !== 5 || count < 1 || count > LIMIT.readBits) return ILLEGAL_VALUE
  const bits = read()
  if (!bits) return ILLEGAL_ADDRESS
  const packed = Buffer.alloc(Math.ceil(count / 8))
  for (const [index, bit] of bits.entries())
    if (bit) packed[index >> 3] = (packed[index >> 3] ?? 0) | (1 << (index & 7))
  return Buffer.concat([Buffer.of(pdu.readUInt8(0), packed.length), packed])
}

function readRegisters(pdu: Buffer, count: number, read: () => readonly number[] | undefined): Buffer | number {
  if (pdu.length !== 5 || count < 1 || count > LIMIT.readRegisters) return ILLEGAL_VALUE
  const words = read()
  if (!words) return ILLEGAL_ADDRESS
  const reply = Buffer.alloc(2 + count * 2)
  reply.writeUInt8(pdu.readUInt8(0), 0)
  reply.writeUInt8(count * 2, 1)
  for (const [index, word] of words.entries()) reply.writeUInt16BE(word, 2 + index * 2)
  return reply
}

const hasBytes = (pdu: Buffer, count: number) => pdu[5] === count && pdu.length === 6 + count

function confirm(pdu: Buffer, outcome: Outcome): Buffer | number {
  if (outcome === 'noSuchAddress') return ILLEGAL_ADDRESS
  if (outcome === 'badValue') return ILLEGAL_VALUE
  return pdu.subarray(0, 5)
}

/** Returns an exception reply with the given code. */
export const exceptionTo = (pdu: Buffer, code: number) => exception(pdu.readUInt8(0), code)

const exception = (functionCode: number, code: number) => Buffer.of(functionCode | 0x80, code)
