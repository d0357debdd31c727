import type { Server, Socket } from 'node:net'

export interface ConnectionCaps {
  total: number
  perAddress: number
}

/** This machine itself. A proxy on it carries the connections of everybody. */
const OWN_MACHINE = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/**
 * Closes connections beyond the caps as soon as they are accepted, before they cost memory or a TLS handshake: the server's
 * own listeners, which must be there already, do not see them. Calls `onRefused` with the address for each.
 */
export function capConnections(server: Server, caps: ConnectionCaps, onRefused: (address: string) => void): void {
  const open = new Map<string, number>()
  let total = 0

  const accept = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const ofAddress = open.get(address) ?? 0
    if (total >= caps.total || (ofAddress >= caps.perAddress && !OWN_MACHINE.has(address))) {
      socket.destroy()
      return onRefused(address)
    }
    total += 1
    open.set(address, ofAddress + 1)
    socket.once('close', () => {
      total -= 1
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
    for (const listener of accept) listener.call(server, socket)
  })
}

/** Calls `report` with the number of calls since the last report, at most once a minute. */
export function reportEachMinute(now: () => number, report: (address: string, count: number) => void) {
  let reportedAt = Number.NEGATIVE_INFINITY
  let count = 0
  return (address: string): void => {
    count += 1
    if (now() - reportedAt < 60_000) return
    reportedAt = now()
    report(address, count)
    count = 0
  }
}
