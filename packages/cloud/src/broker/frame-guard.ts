import type { Socket } from 'node:net'

/** Enough for a CONNECT with an id, a password and a last will. */
const STRANGER_LIMIT = 4 * 1024

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
