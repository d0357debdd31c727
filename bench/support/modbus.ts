const HEADER = 7
const LENGTH_END = 6
const READ_HOLDING = 3
const WRITE_SINGLE = 6
const ILLEGAL_FUNCTION = 1

/** 16-bit holding registers. */
export interface Memory {
  read(register: number): number
  write(register: number, value: number): void
}

/** Splits the first complete frame off the received bytes. */
export function takeFrame(received: Buffer): { frame: Buffer; rest: Buffer } | undefined {
  if (received.length < LENGTH_END) return undefined
  const end = LENGTH_END + received.readUInt16BE(4)
  return received.length < end ? undefined : { frame: received.subarray(0, end), rest: received.subarray(end) }
}

/** Only the two functions that 16-bit datapoints need. */
export function replyTo(frame: Buffer, memory: Memory): Buffer {
  const functionCode = frame.readUInt8(HEADER)
  if (functionCode === WRITE_SINGLE) {
    memory.write(frame.readUInt16BE(HEADER + 1), frame.readInt16BE(HEADER + 3))
    return frame
  }
  if (functionCode !== READ_HOLDING) return framed(frame, Buffer.of(functionCode | 0x80, ILLEGAL_FUNCTION))
  const first = frame.readUInt16BE(HEADER + 1)
  const count = frame.readUInt16BE(HEADER + 3)
  const pdu = Buffer.alloc(2 + count * 2)
  pdu.writeUInt8(READ_HOLDING, 0)
  pdu.writeUInt8(count * 2, 1)
  for (let index = 0; index < count; index += 1) pdu.writeInt16BE(memory.read(first + index), 2 + index * 2)
  return framed(frame, pdu)
}

/** Returns the registers that a request reads or writes. */
export function touchedBy(frame: Buffer): { isRead: boolean; register: number; count: number } {
  const isRead = frame.readUInt8(HEADER) === READ_HOLDING
  const count = isRead ? frame.readUInt16BE(HEADER + 3) : 1
  return { isRead, register: frame.readUInt16BE(HEADER + 1), count }
}

/** Builds a request that sets one register. */
export function writeRequest(transactionId: number, register: number, value: number): Buffer {
  const frame = Buffer.alloc(HEADER + 5)
  frame.writeUInt16BE(transactionId, 0)
  frame.writeUInt16BE(LENGTH_END, 4)
  frame.writeUInt8(1, 6)
  frame.writeUInt8(WRITE_SINGLE, HEADER)
  frame.writeUInt16BE(register, HEADER + 1)
  frame.writeInt16BE(value, HEADER + 3)
  return frame
}

/** Builds a request that reads adjacent registers. */
export function readRequest(transactionId: number, register: number, count: number): Buffer {
  const frame = writeRequest(transactionId, register, count)
  frame.writeUInt8(READ_HOLDING, HEADER)
  return frame
}

/** Copies transaction and unit from the request. */
function framed(request: Buffer, pdu: Buffer): Buffer {
  const header = Buffer.from(request.subarray(0, HEADER))
  header.writeUInt16BE(pdu.length + 1, 4)
  return Buffer.concat([header, pdu])
}
