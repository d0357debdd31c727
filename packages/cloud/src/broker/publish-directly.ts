import type { Socket } from 'node:net'
import { MAX_MESSAGE_BYTES } from '@plantroom/contract/commands'

const PUBLISH_QOS_0 = 0x30
const STALLED_MS = 5_000
/** A device with more unsent bytes than this has stopped reading. */
const MAX_UNSENT_BYTES = 2 * MAX_MESSAGE_BYTES

/**
 * Writes a message straight to the socket of a device, past the broker's queues, so that a stalled device delays no
 * other. Messages sent in one turn of the event loop leave in one system call. Destroys a socket that stays stalled.
 */
export function publishDirectly(socket: Socket, topic: string, payload: Buffer): void {
  if (socket.writableLength > MAX_UNSENT_BYTES) return void socket.destroy()
  if (socket.writableCorked === 0) {
    socket.cork()
    setImmediate(() => socket.uncork())
  }
  if (socket.write(publishFrame(topic, payload)) || socket.timeout) return
  const drop = () => void socket.destroy()
  socket.setTimeout(STALLED_MS, drop)
  socket.once('drain', () => socket.setTimeout(0, drop))
}

/** Encodes an MQTT PUBLISH with QoS 0, not retained. Our topics are always ASCII. */
export function publishFrame(topic: string, payload: Buffer): Buffer {
  const length = 2 + topic.length + payload.length
  const lengthBytes = length < 128 ? 1 : length < 16_384 ? 2 : length < 2_097_152 ? 3 : 4
  const frame = Buffer.allocUnsafe(1 + lengthBytes + length)
  frame[0] = PUBLISH_QOS_0
  let position = 1
  for (let rest = length; position <= lengthBytes; position += 1) {
    frame[position] = position < lengthBytes ? (rest & 0x7f) | 0x80 : rest & 0x7f
    rest = Math.floor(rest / 128)
  }
  position = frame.writeUInt16BE(topic.length, position)
  position += frame.write(topic, position, 'latin1')
  payload.copy(frame, position)
  return frame
}
