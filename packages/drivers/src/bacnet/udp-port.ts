import { createSocket, type Socket } from 'node:dgram'
import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import { excerpt } from '../excerpt.ts'
import { createQueue, type Queue } from '../queue.ts'
import { readApdu, UNCONFIRMED } from './apdu.ts'
import { Client } from './client.ts'
import { RANK } from './device.ts'
import { type Datagram, type Peer, peerKey, readDatagram, toDevice } from './network.ts'
import { readIAm } from './services.ts'
import { Malformed } from './tags.ts'

/** What a port hears that is for no client: devices that say where they are, and answers of a BBMD. */
export interface PortListener {
  iAm(instance: number, peer: Peer): void
  result(code: number, from: { address: string; port: number }): void
}

/** A release or setpoint overtakes a request that the device has not answered for this long. */
const OVERTAKE_MS = 200

/** A device that is reached through a port. Its requests wait in one queue, whoever they are for. */
interface Entry {
  client: Client
  inTurn: Queue
  peer: Peer
  users: number
}

/** A UDP port of ours, with a client for each device that is reached through it. Connections to one device share its client. */
export class UdpPort {
  readonly #clock: Clock
  readonly #clients = new Map<string, Entry>()
  readonly #listeners = new Set<PortListener>()
  readonly #socket: Socket
  readonly #bound = Promise.withResolvers<void>()
  #isBound = false
  #failure: Failure | undefined

  constructor(localPort: number, clock: Clock) {
    this.#clock = clock
    this.#socket = createSocket('udp4')
    this.#socket.on('message', (bytes, from) => this.#receive(bytes, from))
    this.#socket.once('listening', this.#bound.resolve)
    // Also errors of sends, such as a network that is down for a moment: those do not end the port.
    this.#socket.on('error', (error: Error & { code?: string }) => {
      if (!this.#isBound) this.#fail(new Failure('offline', portProblem(localPort, error)))
    })
    this.#bound.promise.then(
      () => {
        this.#isBound = true
      },
      () => {},
    )
    this.#socket.bind(localPort)
  }

  /** Resolves when datagrams can be sent. */
  ready(): Promise<void> {
    return this.#bound.promise
  }

  get isBroken(): boolean {
    return this.#failure !== undefined
  }

  join(peer: Peer): { client: Client; inTurn: Queue; leave(): void } {
    const key = peerKey(peer)
    const entry = this.#clients.get(key) ?? this.#newEntry(peer)
    this.#clients.set(key, entry)
    entry.users += 1
    return {
      client: entry.client,
      inTurn: entry.inTurn,
      leave: () => {
        entry.users -= 1
        if (entry.users === 0) this.#clients.delete(key)
      },
    }
  }

  #newEntry(peer: Peer): Entry {
    const clock = this.#clock
    const send = (apdu: Uint8Array, expectsReply: boolean) => this.send(toDevice(peer, apdu, expectsReply), peer)
    const inTurn = createQueue({ clock, below: RANK.urgent, afterMs: OVERTAKE_MS })
    return { client: new Client(peer, { clock, send }), inTurn, peer, users: 0 }
  }

  /** Sends a datagram. What is lost on the way is noticed when no answer comes. */
  send(bytes: Uint8Array, { address, port }: { address: string; port: number }): void {
    // The callback takes errors, for example of a network that is down.
    if (!this.#failure) this.#socket.send(bytes, port, address, () => {})
  }

  listen(listener: PortListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    this.#fail(new Failure('offline', 'the connection was closed'))
    this.#socket.close()
  }

  #fail(failure: Failure): void {
    this.#failure ??= failure
    this.#bound.reject(failure)
  }

  #receive(bytes: Buffer, from: { address: string; port: number }): void {
    try {
      this.#take(readDatagram(bytes), from)
    } catch (error) {
      // Whoever sends something else gets no answer; a device that does is silent.
      if (!(error instanceof Malformed)) throw error
    }
  }

  #take(datagram: Datagram, { address, port }: { address: string; port: number }) {
    const sender = { address, port }
    if (datagram.kind === 'result') for (const each of this.#listeners) each.result(datagram.code, sender)
    if (datagram.kind === 'unreachable') return this.#loseNetwork(datagram.network, sender)
    if (datagram.kind !== 'apdu') return
    const { apdu, behind, from } = datagram
    const peer = { ...sender, ...from, behind }
    // Only broadcasts are passed on by others.
    if (!from) this.#clients.get(peerKey(peer))?.client.receive(apdu)
    if (this.#listeners.size === 0) return
    const message = readApdu(apdu)
    if (message.kind !== 'unconfirmed' || message.service !== UNCONFIRMED.iAm) return
    const instance = readIAm(message.data)
    for (const each of this.#listeners) each.iAm(instance, peer)
  }

  #loseNetwork(network: number, router: { address: string; port: number }): void {
    for (const { client, peer } of this.#clients.values()) {
      const isBehind = peer.behind?.network === network && peer.address === router.address && peer.port === router.port
      if (isBehind) client.fail(`the router ${router.address} cannot reach network ${network}`)
    }
  }
}

function portProblem(localPort: number, error: Error & { code?: string }): string {
  if (error.code === 'EADDRINUSE') {
    return `UDP port ${localPort} is in use by another program: stop it, or set another localPort`
  }
  return `UDP port ${localPort} cannot be used: ${excerpt(error.message)}`
}
