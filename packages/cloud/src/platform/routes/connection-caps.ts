import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { callerAddress, callerNetwork } from './caller-network.ts'

export interface ConnectionCaps {
  total: number
  /** Of an IPv4 address, or of the 64 bits of an IPv6 address that its owner cannot choose. */
  perAddress: number
  /** Called for each connection that the caps close. */
  onRefused?: (() => void) | undefined
}

/**
 * Requests of one connection that are not answered yet. Browsers, proxies and our own programs send the next one after the
 * answer.
 */
const MOST_UNANSWERED = 10

/** This machine itself. A proxy on it carries the connections of everybody. */
const OWN_MACHINE = new Set(['127.0.0.1', '::1'])

interface Connection {
  socket: Socket
  network: Network
  /** Requests that are not answered yet. */
  requests: number
}

interface Network {
  name: string
  open: number
  /** The connections without a request, the oldest first. */
  idle: Set<Connection>
}

/**
 * Closes connections beyond the caps as soon as they are accepted, before they cost memory or a TLS handshake: the server's
 * own listeners, which must be there already, do not see them. Calls `report` with the network for each. On an HTTP
 * server, a new connection takes the place of one without a request, so that those who send nothing exclude no others; and a
 * connection that sends many requests without waiting for an answer is closed, because they would be as many as connections.
 */
export function capConnections(server: Server, caps: ConnectionCaps, report: (network: string) => void): void {
  const refuse = (socket: Socket, network: string) => {
    socket.destroy()
    caps.onRefused?.()
    report(network)
  }
  const answersRequests = 'headersTimeout' in server
  /** By the caller's address and port: a request over TLS has another socket. */
  const open = new Map<string, Connection>()
  const networks = new Map<string, Network>()

  function forget(key: string): void {
    const connection = open.get(key)
    if (!connection) return
    open.delete(key)
    const { network } = connection
    network.idle.delete(connection)
    network.open -= 1
    if (network.open === 0) networks.delete(network.name)
  }

  /** Closes the oldest connection without a request: of this network, or of the one that has most of them. */
  function makeRoom(network: Network | undefined): boolean {
    if (!answersRequests) return false
    let most = network
    if (!most) for (const each of networks.values()) if (each.idle.size > (most?.idle.size ?? 0)) most = each
    const [oldest] = most?.idle ?? []
    if (!oldest) return false
    forget(keyOf(oldest.socket))
    oldest.socket.destroy()
    return true
  }

  const accept = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const name = callerNetwork(undefined, socket.remoteAddress)
    const before = networks.get(name)
    const isOwn = OWN_MACHINE.has(callerAddress(undefined, socket.remoteAddress))
    const isBeyond = before !== undefined && before.open >= caps.perAddress && !isOwn
    if ((isBeyond || open.size >= caps.total) && !makeRoom(isBeyond ? before : undefined)) {
      return refuse(socket, name)
    }
    const network = networks.get(name) ?? { name, open: 0, idle: new Set() }
    networks.set(name, network)
    network.open += 1
    const [key, connection] = [keyOf(socket), { socket, network, requests: 0 }]
    open.set(key, connection)
    network.idle.add(connection)
    socket.once('close', () => {
      if (open.get(key) === connection) forget(key)
    })
    for (const listener of accept) listener.call(server, socket)
  })
  if (!answersRequests) return
  const answer = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!follow(request, response)) return
    for (const listener of answer) listener.call(server, request, response)
  })

  /** Returns whether the request may be answered. More of a connection may come after it is closed: what was read before. */
  function follow({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const connection = open.get(keyOf(socket))
    if (!connection) return !socket.destroyed
    if (connection.requests >= MOST_UNANSWERED) {
      forget(keyOf(socket))
      refuse(socket, connection.network.name)
      return false
    }
    connection.requests += 1
    connection.network.idle.delete(connection)
    response.once('close', () => {
      connection.requests -= 1
      if (connection.requests === 0 && !socket.destroyed) connection.network.idle.add(connection)
    })
    return true
  }
}

const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

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
