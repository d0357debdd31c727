export interface Frame {
  transactionId: number
  unitId: number
  pdu: Buffer
}

/** How requests and answers are told apart on a connection. */
export interface Framing {
  /** Splits complete frames off a byte stream. Returns `undefined` if the stream is something else. */
  take(bytes: Buffer): { frames: readonly Frame[]; rest: Buffer } | undefined
  bytesOf(frame: Frame): Buffer
}

/** A header of 7 bytes, and at most 253 bytes of function and data. */
const MAX_FRAME = 260
const LENGTH_END = 6

/** Splits complete frames off a byte stream. Returns `undefined` if the stream is not Modbus TCP. */
export function takeFrames(bytes: Buffer): { frames: readonly Frame[]; rest: Buffer } | undefined {
  const frames: Frame[] = []
  let rest = bytes
  while (rest.length >= LENGTH_END) {
    const end = LENGTH_END + rest.readUInt16BE(4)
    if (rest.readUInt16BE(2) !== 0 || end < 8 || end > MAX_FRAME) return undefined
    if (rest.length < end) break
    frames.push({ transactionId: rest.readUInt16BE(0), unitId: rest.readUInt8(6), pdu: rest.subarray(7, end) })
    rest = rest.subarray(end)
  }
  return { frames, rest }
}

export function frameBytes({ transactionId, unitId, pdu }: Frame): Buffer {
  const header = Buffer.alloc(7)
  header.writeUInt16BE(transactionId, 0)
  header.writeUInt16BE(pdu.length + 1, 4)
  header.writeUInt8(unitId, 6)
  return Buffer.concat([header, pdu])
}

export const TCP_FRAMING: Framing = { take: takeFrames, bytesOf: frameBytes }
