import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { sleep, systemClock } from '@plantroom/base/clock'

/** The TCP connections between clients and servers that are both in this process. */
export interface Traffic {
  /** Returns true if every end has received all that the other one sent, including the end of the connection. */
  hasArrived(): boolean
  /** Resolves once everything has arrived. A manual clock that waits for this fires no timer too early. */
  settled(): Promise<void>
  stop(): void
}

/**
 * Watches the connections that are opened from now on. Tests that move a manual clock while sockets are in use need it:
 * on a busy machine, bytes are late even over loopback, and requests that the peer never saw would time out.
 */
export function watchTraffic(): Traffic {
  const clients = new Map<Socket, string>()
  const servers = new Map<string, Socket>()

  const onClient = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    clients.set(socket, NEVER_OPENED)
    socket.once('connect', () => clients.set(socket, `${socket.localPort} to ${socket.remotePort}`))
  }
  const onServer = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    servers.set(`${socket.remotePort} to ${socket.localPort}`, socket)
  }

  function allArrived([client, path]: [Socket, string]): boolean {
    if (path === NEVER_OPENED) return client.destroyed
    const server = servers.get(path)
    if (client.destroyed || server?.destroyed) return client.destroyed && server?.destroyed !== false
    return client.bytesWritten === server?.bytesRead && client.bytesRead === server.bytesWritten
  }

  const hasArrived = () => [...clients].every(allArrived)

  subscribe('net.client.socket', onClient)
  subscribe('net.server.socket', onServer)
  return {
    hasArrived,
    async settled() {
      do await sleep(systemClock, 1)
      while (!hasArrived())
    },
    stop() {
      unsubscribe('net.client.socket', onClient)
      unsubscribe('net.server.socket', onServer)
    },
  }
}

const NEVER_OPENED = ''
