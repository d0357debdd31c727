import type { Socket } from 'node:net'
import { type Clock, sleep } from '@plantroom/base/clock'
import type { Reply } from './misbehaviour.ts'

const BETWEEN_BYTES_MS = 1

/** Sends replies over a connection in order, each with its own faults. */
export function createSender(socket: Socket, clock: Clock): (replies: readonly Reply[]) => void {
  const closed = new AbortController()
  socket.once('close', () => closed.abort())
  let waiting = 0
  let queue = Promise.resolve()

  function write(bytes: Buffer): void {
    // Requests of a client that does not read its answers have to wait.
    if (socket.destroyed || socket.write(bytes)) return
    socket.pause()
    socket.once('drain', () => socket.resume())
  }

  async function send({ bytes, delayMs, byteByByte }: Reply): Promise<void> {
    if (delayMs > 0) await sleep(clock, delayMs, closed.signal)
    if (!byteByByte) return write(bytes)
    for (const byte of bytes) {
      write(Buffer.of(byte))
      await sleep(clock, BETWEEN_BYTES_MS, closed.signal)
    }
  }

  return (replies) => {
    if (waiting === 0 && replies.every(isPlain)) return write(Buffer.concat(replies.map(({ bytes }) => bytes)))
    waiting += replies.length
    for (const reply of replies) {
      queue = queue
        .then(() => send(reply))
        .finally(() => {
          waiting -= 1
        })
    }
  }
}

const isPlain = ({ delayMs, byteByByte }: Reply) => delayMs === 0 && !byteByByte
