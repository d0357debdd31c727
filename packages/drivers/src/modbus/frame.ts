import type { Table, WriteFunction } from './config.ts'

export interface ReadRequest {
  functionCode: 1 | 2 | 3 | 4
  address: number
  count: number
}

export interface WriteRequest {
  functionCode: WriteFunction
  address: number
  /** The number of addresses to write. */
  count: number
  /** The value in the format of the function: two bytes for 5 and 6, packed bits for 15, registers for 16. */
  payload: Uint8Array
}

export type Request = ReadRequest | WriteRequest

export const isWrite = (request: Request): request is WriteRequest => 'payload' in request

/** The equipment's answer: the bytes that were read (none after a write), or an exception. */
export type Reply = { data: Uint8Array } | { exception: number }

export const READ_FUNCTION = { coil: 1, discrete: 2, holding: 3, input: 4 } as const satisfies Record<Table, number>

const EXCEPTIONS: Record<number, string> = {
  1: 'illegal function',
  2: 'illegal data address',
  3: 'illegal data value',
  4: 'server device failure',
  5: 'acknowledge, still working',
  6: 'server device busy',
  7: 'negative acknowledge',
  8: 'memory parity error',
  10: 'gateway path unavailable',
  11: 'gateway target device failed to respond',
}

/** The equipment has accepted the request and needs more time for it. */
export const ACKNOWLEDGE = 5

// Failure, acknowledge and busy blame the state of the equipment; 10 and 11 come from a gateway.
const TEMPORARY: readonly number[] = [4, ACKNOWLEDGE, 6, 10, 11]

/** Returns true for exceptions that say nothing about the address or the value: the same request may succeed later. */
export const isTemporary = (exception: number) => TEMPORARY.includes(exception)

/** Returns for example `exception 2: illegal data address`. */
export function exceptionText(code: number): string {
  return `exception ${code}: ${EXCEPTIONS[code] ?? 'unknown exception'}`
}

/** The largest size of a function code and its data. */
export const MAX_PDU = 253

/** Returns the size of the function code, the address and the function's arguments. */
export function requestSize(request: Request): number {
  if (!isWrite(request)) return 5
  return (isSingle(request) ? 3 : 6) + request.payload.length
}

/** Returns the size of an answer to the request that is no exception. */
export function replySize(request: Request): number {
  if (isWrite(request)) return 5
  return 2 + dataSize(request)
}

const dataSize = ({ functionCode, count }: ReadRequest) => (functionCode <= 2 ? Math.ceil(count / 8) : count * 2)

/** Writes function code, address and arguments to `bytes` at offset `at`. */
export function putRequest(bytes: Uint8Array, at: number, request: Request): void {
  bytes[at] = request.functionCode
  putUint16(bytes, at + 1, request.address)
  if (!isWrite(request)) {
    putUint16(bytes, at + 3, request.count)
  } else if (isSingle(request)) {
    bytes.set(request.payload, at + 3)
  } else {
    putUint16(bytes, at + 3, request.count)
    bytes[at + 5] = request.payload.length
    bytes.set(request.payload, at + 6)
  }
}

/** Decodes `pdu` as the reply to `request`; returns `undefined` if it is not a reply to it. */
export function decodeReply(request: Request, pdu: Uint8Array): Reply | undefined {
  const [functionCode, second] = pdu
  if (functionCode === (request.functionCode | 0x80)) {
    return pdu.length === 2 && second !== undefined ? { exception: second } : undefined
  }
  if (functionCode !== request.functionCode) return undefined
  if (isWrite(request)) return isEcho(request, pdu) ? { data: new Uint8Array() } : undefined
  const size = dataSize(request)
  return second === size && pdu.length === 2 + size ? { data: pdu.slice(2) } : undefined
}

/** Returns true if `pdu` confirms the write: it echoes the request for 5 and 6, address and count for 15 and 16. */
function isEcho(request: WriteRequest, pdu: Uint8Array): boolean {
  const asked = new Uint8Array(requestSize(request))
  putRequest(asked, 0, request)
  const confirmed = isSingle(request) ? asked : asked.subarray(0, 5)
  return confirmed.length === pdu.length && confirmed.every((byte, index) => byte === pdu[index])
}

const isSingle = (request: WriteRequest) => request.functionCode === 5 || request.functionCode === 6

export function putUint16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >> 8
  bytes[at + 1] = value & 0xff
}
