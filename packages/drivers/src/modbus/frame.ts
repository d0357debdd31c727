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

/** Asks a unit who it is, by the basic objects of function 43/14. */
export interface IdentifyRequest {
  functionCode: 43
  /** The first object that is wanted. */
  address: number
}

/** A request that changes nothing. */
export type Question = ReadRequest | IdentifyRequest
export type Request = Question | WriteRequest

export const isIdentify = (request: Request): request is IdentifyRequest => request.functionCode === 43
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
  if (isIdentify(request)) return 4
  if (!isWrite(request)) return 5
  return (isSingle(request) ? 3 : 6) + request.payload.length
}

/** Returns the size of an answer to the request that is no exception: the largest one, if that is not known before. */
export function replySize(request: Request): number {
  if (isIdentify(request)) return MAX_PDU
  if (isWrite(request)) return 5
  return 2 + dataSize(request)
}

const dataSize = ({ functionCode, count }: ReadRequest) => (functionCode <= 2 ? Math.ceil(count / 8) : count * 2)

/** Writes function code, address and arguments to `bytes` at offset `at`. */
export function putRequest(bytes: Uint8Array, at: number, request: Request): void {
  bytes[at] = request.functionCode
  if (isIdentify(request)) {
    bytes.set([IDENTIFY_TYPE, BASIC_OBJECTS, request.address], at + 1)
    return
  }
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
  if (isIdentify(request)) return identificationSize(pdu) === pdu.length ? { data: pdu.slice(1) } : undefined
  const size = dataSize(request)
  return second === size && pdu.length === 2 + size ? { data: pdu.slice(2) } : undefined
}

const IDENTIFY_TYPE = 0x0e
const BASIC_OBJECTS = 1
/** Function, type, code, conformity, whether more follows, from where on, and how many objects there are here. */
const IDENTIFICATION_HEADER = 7

/** Returns the size of an identification that begins with these bytes; `undefined` while that is not known. */
export function identificationSize(pdu: Uint8Array): number | undefined {
  if (pdu.length < IDENTIFICATION_HEADER) return undefined
  if (pdu[1] !== IDENTIFY_TYPE || pdu[2] !== BASIC_OBJECTS) return Number.POSITIVE_INFINITY
  let at = IDENTIFICATION_HEADER
  for (let left = pdu[IDENTIFICATION_HEADER - 1] ?? 0; left > 0; left -= 1) {
    const length = pdu[at + 1]
    if (length === undefined) return undefined
    at += 2 + length
  }
  return at
}

/** Returns the texts of an identification by object, and the object from which on there are more. */
export function readIdentification(data: Uint8Array): { texts: ReadonlyMap<number, string>; next: number | undefined } {
  const texts = new Map<number, string>()
  for (let at = IDENTIFICATION_HEADER - 1; at + 1 < data.length; at += 2 + (data[at + 1] ?? 0)) {
    const contents = data.subarray(at + 2, at + 2 + (data[at + 1] ?? 0))
    texts.set(data[at] ?? 0, Buffer.from(contents).toString('latin1'))
  }
  return { texts, next: data[3] === 0xff ? data[4] : undefined }
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
