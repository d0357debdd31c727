import type { Socket } from 'node:net'
import { MAX_MESSAGE_BYTES } from '@plantroom/contract/commands'

/** Enough for a CONNECT with an id, a password and a last will. */
const STRANGER_LIMIT = 4 * 1024
const PUBLISH_QOS_0 = 0x30
const STALLED_MS = 5_000
/** A device with more unsent bytes than this has stopped reading. */
const MAX_UNSENT_BYTES = 2 * MAX_MESSAGE_BYTES

/** Watches the sizes that MQTT frames declare. Pure: it inspects bytes and reports whether they are acceptable. */
export interface FrameGuard {
  /** False as soon as a frame declares more than the limit, or a malformed length. */
  accepts(chunk: Uint8Array): boolean
  /** Raises the limit, once the sender is authenticated. */
  trust(limit: number): void
}

export function createFrameGuard(): FrameGuard {
  let limit = STRANGER_LIMIT
  let bodyLeft = 0
  let state: 'type' | 'length' | 'body' = 'type'
  let length = 0
  let factor = 1

  function accepts(chunk: Uint8Array): boolean {
    let position = 0
    while (position < chunk.length) {
      if (state === 'body') {
        const taken = Math.min(bodyLeft, chunk.length - position)
        bodyLeft -= taken
        position += taken
        if (bodyLeft === 0) state = 'type'
      } else if (state === 'type') {
        position += 1
        state = 'length'
        length = 0
        factor = 1
      } else {
        const byte = chunk[position] as number
        position += 1
        length += (byte & 0x7f) * factor
        factor *= 128
        if (length > limit) return false
        if (byte & 0x80) {
          if (factor > 128 ** 3) return false
        } else {
          bodyLeft = length
          state = length === 0 ? 'type' : 'body'
        }
      }
    }
    return true
  }

  return {
    accepts,
    trust(trusted) {
      limit = trusted
    },
  }
}

/**
 * Destroys a socket as soon as a frame declares too much. The broker's parser has no size limit: it would collect up to
 * 256 MB from a stranger before checking the password.
 *
 * Call this after the broker has attached its `readable` listener. The stream then emits `data` from within `read()`,
 * so the guard sees every chunk before the parser, which gets at most the one chunk that was refused.
 */
export function guardSocket(socket: Socket, guard: FrameGuard, onRefused: () => void): void {
  socket.on('data', (chunk: Buffer) => {
    if (socket.destroyed || guard.accepts(chunk)) return
    onRefused()
    socket.destroy()
  })
}

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
