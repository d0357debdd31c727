import type { Frame, Framing } from './frames.ts'

/** Of a request to write several values, the count of bytes follows here. */
const BYTE_COUNT_AT = 6
const CRC_BYTES = 2

/** Splits complete requests of a serial line off a byte stream. Returns `undefined` if the stream is not Modbus RTU. */
function takeRtuFrames(bytes: Buffer): { frames: readonly Frame[]; rest: Buffer } | undefined {
  const frames: Frame[] = []
  let rest = bytes
  while (rest.length >= 2) {
    const end = lengthOf(rest)
    if (end === undefined || rest.length < end) break
    if (rest.readUInt16LE(end - CRC_BYTES) !== crc16(rest.subarray(0, end - CRC_BYTES))) return undefined
    frames.push({ transactionId: 0, unitId: rest.readUInt8(0), pdu: rest.subarray(1, end - CRC_BYTES) })
    rest = rest.subarray(end)
  }
  return { frames, rest }
}

/** Returns the length of the request that begins here; `undefined` if more bytes are needed to know. */
function lengthOf(bytes: Buffer): number | undefined {
  if (![15, 16].includes(bytes.readUInt8(1))) return 8
  const count = bytes[BYTE_COUNT_AT]
  return count === undefined ? undefined : BYTE_COUNT_AT + 1 + count + CRC_BYTES
}

function rtuBytes({ unitId, pdu }: Frame): Buffer {
  const body = Buffer.concat([Buffer.of(unitId), pdu])
  const crc = Buffer.alloc(CRC_BYTES)
  crc.writeUInt16LE(crc16(body))
  return Buffer.concat([body, crc])
}

function crc16(bytes: Buffer): number {
  let crc = 0xffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1
  }
  return crc
}

/** Frames of a serial line, as a gateway passes them on. */
export const RTU_FRAMING: Framing = { take: takeRtuFrames, bytesOf: rtuBytes }
