import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'

/** Where a log receiver of the operator listens. */
export interface Receiver {
  host: string
  port: number
}

/** Sends each message as a datagram. There is no confirmation. */
export async function sendDatagrams(
  messages: readonly Buffer[],
  { host, port }: Receiver,
  signal: AbortSignal,
): Promise<void> {
  const socket = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4', signal })
  const failed = once(socket, 'error').then(([error]) => Promise.reject(error as Error))
  failed.catch(() => {})
  try {
    for (const message of messages) {
      const sent = new Promise<void>((resolve, reject) =>
        socket.send(message, port, host, (error) => (error ? reject(error) : resolve())),
      )
      await Promise.race([sent, failed])
    }
  } finally {
    if (!signal.aborted) socket.close()
  }
}

/** Sends bytes over one connection, keeps nothing that comes back, and resolves when the receiver has closed its side. */
export async function sendStream(bytes: Uint8Array, { host, port }: Receiver, signal: AbortSignal): Promise<void> {
  const socket = connect({ host, port, signal })
  const closed = once(socket, 'close')
  closed.catch(() => {})
  await once(socket, 'connect')
  socket.end(bytes)
  socket.resume()
  // Rejects when the receiver resets the connection, or does not close it in time.
  await closed
}
