import { MAX_PDU, putRequest, putUint16, type Request, requestSize } from './frame.ts'

const HEADER = 7
const PROTOCOL = 0

export const MAX_FRAME = HEADER + MAX_PDU

export interface Frame {
  transactionId: number
  unitId: number
  pdu: Uint8Array
}

/** Encodes a request as a frame of Modbus TCP. */
export function encodeRequest(transactionId: number, unitId: number, request: Request): Uint8Array {
  const size = requestSize(request)
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
