import type { Socket } from 'node:net'

/** Enough for a CONNECT with an id, a password and a last will. */
const STRANGER_LIMIT = 4 * 1024

/** Watches the sizes that MQTT frames declare. Pure: it is shown bytes and says whether they may be parsed. */
export interface FrameGuard {
  /** False as soon as a frame declares more than is allowed, or a length that is none. */
  accepts(chunk: Uint8Array): boolean
  /** The sender is known now: its frames may have this size. */
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
 * Puts a guard before whoever reads this socket. The broker's parser has no largest packet: it would
 * collect up to 256 MB from a stranger before it looked at the password.
 */
export function guardSocket(socket: Socket, guard: FrameGuard, onRefused: () => void): void {
  const read = socket.read.bind(socket)
  socket.read = (size?: number) => {
    const chunk: Buffer | null = read(size)
    if (chunk === null || guard.accepts(chunk)) return chunk
    onRefused()
    socket.destroy()
    return null
  }
}
