import {
  decodeReply,
  identificationSize,
  isIdentify,
  isWrite,
  putRequest,
  type ReadRequest,
  type Reply,
  type Request,
  replySize,
  requestSize,
} from '../frame.ts'

const CRC_SIZE = 2
/** Unit id, function code, one byte and the checksum: the shortest frame. */
export const MIN_FRAME = 5
/** The size of the frame around a function code and its data. */
export const frameSize = (pduSize: number) => 1 + pduSize + CRC_SIZE

const CRC_TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1
  return crc
})

function crcOf(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0xffff
  for (let at = start; at < end; at += 1) crc = (crc >> 8) ^ (CRC_TABLE[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0)
  return crc
}

/** Encodes a request as a frame of Modbus RTU. */
export function encodeRequest(unitId: number, request: Request): Uint8Array {
  const bytes = Buffer.allocUnsafe(frameSize(requestSize(request)))
  bytes[0] = unitId
  putRequest(bytes, 1, request)
  return sealed(bytes)
}

/** Puts the checksum of everything before it into the last two bytes. */
export function sealed(bytes: Buffer): Buffer {
  const end = bytes.length - CRC_SIZE
  bytes.writeUInt16LE(crcOf(bytes, 0, end), end)
  return bytes
}

/** Returns true if the bytes from `start` to `end` are all there and end with their checksum. */
export function isFrame(bytes: Uint8Array, start: number, end: number): boolean {
  if (end > bytes.length || end - start < MIN_FRAME) return false
  const sum = end - CRC_SIZE
  return crcOf(bytes, start, sum) === ((bytes[sum] ?? 0) | ((bytes[sum + 1] ?? 0) << 8))
}

/**
 * `damaged`: the answer arrived and its checksum is wrong. `mixed`: it arrived together with data that is not ours.
 */
export type Verdict = { reply: Reply } | 'incomplete' | 'damaged' | 'mixed'

/** A transceiver that is switched on may send a few bits of noise before the frame. */
const MAX_NOISE = MIN_FRAME - 2

/**
 * Finds the answer to `request` in what has arrived since it was sent. It must be the last thing that arrived, after
 * nothing but noise and late answers.
 *
 * @param lateEnd returns where the late answer that starts at an offset ends; `undefined` if none starts there
 */
export function findAnswer(
  bytes: Uint8Array,
  unitId: number,
  request: Request,
  lateEnd: (bytes: Uint8Array, start: number) => number | undefined,
): Verdict {
  let start = 0
  while (!startsAnswer(bytes, start, unitId, request) && !startsRefusal(bytes, start, unitId, request)) {
    const end = lateEnd(bytes, start)
    if (end === undefined) break
    start = end
  }
  const size = answerSize(bytes, start, request)
  if (size === undefined) return 'incomplete'
  // The data of our own answer may look like another frame.
  if (startsAnswer(bytes, start, unitId, request)) {
    if (bytes.length < start + size) return 'incomplete'
    if (bytes.length > start + size) return 'mixed'
    const reply =
      isFrame(bytes, start, start + size) && decodeReply(request, bytes.subarray(start + 1, start + size - 2))
    return reply ? { reply } : 'damaged'
  }
  for (let at = start; at + MIN_FRAME <= bytes.length; at += 1) {
    if (bytes[at] !== unitId) continue
    const end = at + (bytes[at + 1] === (request.functionCode | 0x80) ? MIN_FRAME : size)
    if (!isFrame(bytes, at, end)) continue
    const reply = decodeReply(request, bytes.subarray(at + 1, end - 2))
    if (reply) return at - start <= MAX_NOISE && end === bytes.length ? { reply } : 'mixed'
  }
  return 'incomplete'
}

/** Returns the size of the frame that answers; `undefined` while that is not known. */
function answerSize(bytes: Uint8Array, start: number, request: Request): number | undefined {
  if (!isIdentify(request) || bytes[start + 1] !== request.functionCode) return frameSize(replySize(request))
  const size = identificationSize(bytes.subarray(start + 1))
  return size === undefined ? undefined : Math.min(frameSize(size), frameSize(replySize(request)))
}

const startsRefusal = (bytes: Uint8Array, at: number, unitId: number, { functionCode }: Request) =>
  bytes[at] === unitId && bytes[at + 1] === (functionCode | 0x80)

/** Returns true if unit, function and, for a read, the number of bytes are those of the answer. */
function startsAnswer(bytes: Uint8Array, at: number, unitId: number, request: Request): boolean {
  if (bytes[at] !== unitId || bytes[at + 1] !== request.functionCode) return false
  return isWrite(request) || isIdentify(request) || bytes[at + 2] === replySize(request) - 2
}

const READ_SIZE = 8

/** Finds the read requests in what another master sent. */
export function readsIn(bytes: Uint8Array): readonly { unitId: number; request: ReadRequest }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found: { unitId: number; request: ReadRequest }[] = []
  for (let at = 0; at + READ_SIZE <= bytes.length; at += 1) {
    const functionCode = bytes[at + 1] ?? 0
    if (!isRead(functionCode) || !isFrame(bytes, at, at + READ_SIZE)) continue
    const request = { functionCode, address: view.getUint16(at + 2), count: view.getUint16(at + 4) }
    found.push({ unitId: bytes[at] ?? 0, request })
  }
  return found
}

const isRead = (functionCode: number): functionCode is ReadRequest['functionCode'] =>
  functionCode >= 1 && functionCode <= 4
