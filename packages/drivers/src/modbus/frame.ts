import type { Table, WriteFunction } from './config.ts'

/** A header of 7 bytes, and at most 253 bytes of function and data. */
export const MAX_FRAME = 260
const HEADER = 7
const PROTOCOL = 0

export interface Frame {
  transactionId: number
  unitId: number
  pdu: Uint8Array
}

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

/** Encodes a request as a frame. */
export function encodeRequest(transactionId: number, unitId: number, request: Request): Uint8Array {
  const size = sizeOf(request)
  const bytes = Buffer.allocUnsafe(HEADER + size)
  putUint16(bytes, 0, transactionId)
  putUint16(bytes, 2, PROTOCOL)
  putUint16(bytes, 4, size + 1)
  bytes[6] = unitId
  putRequest(bytes, HEADER, request)
  return bytes
}

/** Returns the frame in `bytes`; `incomplete` while bytes are missing; `malformed` if it is not exactly one frame. */
export function decodeFrame(bytes: Uint8Array): Frame | 'incomplete' | 'malformed' {
  if (bytes.length < HEADER) return 'incomplete'
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const protocol = view.getUint16(2)
  const length = view.getUint16(4)
  const end = HEADER - 1 + length
  // The shortest answer is an exception: unit id, function code and one byte.
  if (protocol !== PROTOCOL || length < 3 || end > MAX_FRAME || bytes.length > end) return 'malformed'
  if (bytes.length < end) return 'incomplete'
  return { transactionId: view.getUint16(0), unitId: view.getUint8(6), pdu: bytes.subarray(HEADER, end) }
}

/** Returns the size of the function code, the address and the function's arguments. */
function sizeOf(request: Request): number {
  if (!isWrite(request)) return 5
  return (isSingle(request) ? 3 : 6) + request.payload.length
}

function putRequest(bytes: Uint8Array, at: number, request: Request): void {
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
  const size = request.functionCode <= 2 ? Math.ceil(request.count / 8) : request.count * 2
  return second === size && pdu.length === 2 + size ? { data: pdu.slice(2) } : undefined
}

/** Returns true if `pdu` confirms the write: it echoes the request for 5 and 6, address and count for 15 and 16. */
function isEcho(request: WriteRequest, pdu: Uint8Array): boolean {
  const asked = new Uint8Array(sizeOf(request))
  putRequest(asked, 0, request)
  const confirmed = isSingle(request) ? asked : asked.subarray(0, 5)
  return confirmed.length === pdu.length && confirmed.every((byte, index) => byte === pdu[index])
}

const isSingle = (request: WriteRequest) => request.functionCode === 5 || request.functionCode === 6

function putUint16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >> 8
  bytes[at + 1] = value & 0xff
}
