import { MAX_MESSAGE_BYTES } from '@plantroom/contract/commands'

/** MQTT 3.1.1, as much of it as a controller uses. */
export const PACKET = {
  connect: 1,
  connack: 2,
  publish: 3,
  puback: 4,
  subscribe: 8,
  suback: 9,
  pingreq: 12,
  pingresp: 13,
  disconnect: 14,
} as const

const [USER_NAME, PASSWORD, WILL_RETAIN, WILL_QOS_1, WILL, CLEAN] = [0x80, 0x40, 0x20, 0x08, 0x04, 0x02]
/** The most bytes of one packet: the largest message with its topic. */
const LARGEST = MAX_MESSAGE_BYTES + 65_536
const EMPTY = Buffer.alloc(0)

export const PINGREQ = Buffer.from([PACKET.pingreq << 4, 0])
export const DISCONNECT = Buffer.from([PACKET.disconnect << 4, 0])

/** A CONNECT for a clean session, with a retained last will of QoS 1. */
export function connectPacket(options: {
  clientId: string
  username: string
  password: string
  keepAliveS: number
  will: { topic: string; payload: string }
}): Buffer {
  const { clientId, username, password, keepAliveS, will } = options
  const flags = USER_NAME | PASSWORD | WILL_RETAIN | WILL_QOS_1 | WILL | CLEAN
  const header = Buffer.concat([text('MQTT'), Buffer.from([4, flags, keepAliveS >> 8, keepAliveS & 255])])
  const fields = [clientId, will.topic, will.payload, username, password].map(text)
  return packet(PACKET.connect << 4, Buffer.concat([header, ...fields]))
}

/** A SUBSCRIBE with QoS 0 for every filter. */
export function subscribePacket(id: number, filters: readonly string[]): Buffer {
  const body = filters.flatMap((filter) => [text(filter), Buffer.from([0])])
  return packet((PACKET.subscribe << 4) | 2, Buffer.concat([twoBytes(id), ...body]))
}

/** A PUBLISH: of QoS 1 with an `id`, otherwise of QoS 0. */
export function publishPacket(topic: string, payload: string, options: { id?: number; retain?: boolean } = {}): Buffer {
  const { id, retain = false } = options
  const [topicBytes, payloadBytes] = [Buffer.byteLength(topic), Buffer.byteLength(payload)]
  const idBytes = id === undefined ? 0 : 2
  const length = 2 + topicBytes + idBytes + payloadBytes
  const size = lengthBytes(length)
  // One allocation: a fleet sends thousands of these in a second.
  const out = Buffer.allocUnsafe(1 + size.length + length)
  let at = out.writeUInt8((PACKET.publish << 4) | (id === undefined ? 0 : 2) | (retain ? 1 : 0))
  for (const byte of size) at = out.writeUInt8(byte, at)
  at = out.writeUInt16BE(topicBytes, at)
  at += out.write(topic, at)
  if (id !== undefined) at = out.writeUInt16BE(id, at)
  out.write(payload, at)
  return out
}

export const pubackPacket = (id: number) => packet(PACKET.puback << 4, twoBytes(id))

/** A PUBLISH from the broker. `id` is set for QoS 1, which has to be acknowledged. */
export interface Published {
  topic: string
  payload: Buffer
  id: number | undefined
}

/** Reads the body of a PUBLISH. Throws when it is malformed. */
export function readPublish(flags: number, body: Buffer): Published {
  const end = 2 + body.readUInt16BE(0)
  const hasId = (flags & 0b0110) !== 0
  const start = hasId ? end + 2 : end
  if (start > body.length) throw new Error('the broker sent a PUBLISH that ends too early')
  return {
    topic: body.toString('utf8', 2, end),
    payload: body.subarray(start),
    id: hasId ? body.readUInt16BE(end) : undefined,
  }
}

/** Takes the packets out of a stream of bytes. Keeps the beginning of a packet that is not yet complete. */
export interface PacketReader {
  /** Calls `take` for each complete packet; its `body` is valid only during the call. Throws when a packet is too large. */
  read(chunk: Buffer, take: (type: number, flags: number, body: Buffer) => void): void
}

export function createPacketReader(): PacketReader {
  let rest = EMPTY
  return {
    read(chunk, take) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let at = 0
      for (let frame = frameAt(bytes, at); frame; frame = frameAt(bytes, at)) {
        const first = bytes[at] ?? 0
        at = frame.end
        take(first >> 4, first & 15, bytes.subarray(frame.start, frame.end))
      }
      // A copy, so that a few bytes do not keep a whole chunk.
      rest = at === bytes.length ? EMPTY : Buffer.from(bytes.subarray(at))
    },
  }
}

function frameAt(bytes: Buffer, at: number): { start: number; end: number } | undefined {
  let length = 0
  for (let index = 1; index <= 4; index += 1) {
    const byte = bytes[at + index]
    if (byte === undefined) return undefined
    length += (byte & 127) * 128 ** (index - 1)
    if (byte < 128) {
      if (length > LARGEST) break
      const start = at + index + 1
      return start + length <= bytes.length ? { start, end: start + length } : undefined
    }
  }
  throw new Error('the broker sent a packet that is larger than any message of the service')
}

function packet(first: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([first, ...lengthBytes(body.length)]), body])
}

function lengthBytes(length: number): number[] {
  const bytes: number[] = []
  for (let left = length; ; left = Math.floor(left / 128)) {
    bytes.push(left >= 128 ? (left % 128) | 128 : left)
    if (left < 128) return bytes
  }
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([twoBytes(bytes.length), bytes])
}

const twoBytes = (value: number) => Buffer.from([value >> 8, value & 255])
