import type { Duplex } from 'node:stream'
import type { PeerRequest } from './scripted-peer.ts'

/** The registers of one unit, and a server that answers from them. An empty address is illegal. */
export interface RegisterBank {
  readonly holding: Map<number, number>
  readonly input: Map<number, number>
  readonly coil: Map<number, number>
  readonly discrete: Map<number, number>
  answer(request: PeerRequest<Duplex>): void
}

const ILLEGAL_FUNCTION = 1
const ILLEGAL_ADDRESS = 2

export function createRegisterBank(): RegisterBank {
  const bank: RegisterBank = {
    holding: new Map(),
    input: new Map(),
    coil: new Map(),
    discrete: new Map(),
    answer(request) {
      const { functionCode } = request
      const pdu = pduFor(request)
      request.answer(typeof pdu === 'number' ? [functionCode | 0x80, pdu] : [functionCode, ...pdu])
    },
  }

  /** Returns the bytes after the function code, or an exception. */
  function pduFor({ functionCode, address, count, body }: PeerRequest<Duplex>): readonly number[] | number {
    switch (functionCode) {
      case 1:
      case 2:
        return readFrom(functionCode === 1 ? bank.coil : bank.discrete, address, count, packBits)
      case 3:
      case 4:
        return readFrom(functionCode === 3 ? bank.holding : bank.input, address, count, packRegisters)
      case 5:
        return writeTo(bank.coil, address, [count === 0xff00 ? 1 : 0], body)
      case 6:
        return writeTo(bank.holding, address, [count], body)
      case 15:
        return writeTo(bank.coil, address, unpackBits(body.subarray(5), count), body)
      case 16:
        return writeTo(bank.holding, address, unpackRegisters(body.subarray(5), count), body)
      default:
        return ILLEGAL_FUNCTION
    }
  }
  return bank
}

function readFrom(
  table: Map<number, number>,
  address: number,
  count: number,
  pack: (values: readonly number[]) => readonly number[],
): readonly number[] | number {
  const values: number[] = []
  for (let index = 0; index < count; index += 1) {
    const value = table.get(address + index)
    if (value === undefined) return ILLEGAL_ADDRESS
    values.push(value)
  }
  const bytes = pack(values)
  return [bytes.length, ...bytes]
}

function writeTo(
  table: Map<number, number>,
  address: number,
  values: readonly number[],
  body: Buffer,
): readonly number[] | number {
  if (values.some((_, index) => !table.has(address + index))) return ILLEGAL_ADDRESS
  for (const [index, value] of values.entries()) table.set(address + index, value)
  return [...body.subarray(0, 4)]
}

const packRegisters = (registers: readonly number[]) => registers.flatMap((word) => [(word >> 8) & 0xff, word & 0xff])

function packBits(bits: readonly number[]): readonly number[] {
  const bytes = new Array<number>(Math.ceil(bits.length / 8)).fill(0)
  for (const [index, bit] of bits.entries()) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (bit << (index & 7))
  return bytes
}

const unpackRegisters = (bytes: Buffer, count: number) =>
  Array.from({ length: count }, (_, index) => bytes.readUInt16BE(index * 2))

const unpackBits = (bytes: Buffer, count: number) =>
  Array.from({ length: count }, (_, index) => ((bytes[index >> 3] ?? 0) >> (index & 7)) & 1)
