import type { EventEmitter } from 'node:events'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { type Clock, systemClock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { MAX_MESSAGE_BYTES } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import { devicePublishes, deviceSubscribes, topics } from '@plantroom/contract/topics'
import {
  Aedes,
  type AedesOptions,
  type AuthenticateError,
  type Client,
  type Connection,
  type PublishPacket,
} from 'aedes'
import { type ConnectionCaps, capConnections, reportEachMinute } from '../routes/index.ts'
import type { BusReceiver, DeviceBus } from './device-bus.ts'
import { createFrameGuard, type FrameGuard, guardSocket, publishDirectly } from './mqtt-frames.ts'

const BAD_CREDENTIAL = 4
const CONNECT_LIMIT_MS = 10_000
const STALLED_DEVICE_MS = 5_000

export interface EmbeddedBroker extends DeviceBus {
  readonly port: number
  /** Closes this device's connection, if there is one, because its credential is no longer valid. */
  disconnect(deviceId: string): void
}

export interface EmbeddedBrokerOptions {
  host: string
  port: number
  tls: { cert: Buffer; key: Buffer } | undefined
  /** True when this is the secret of this device. */
  authenticate(deviceId: string, secret: string): boolean
  connections?: ConnectionCaps | undefined
  clock?: Clock
  log: Log
}

/** One connection. It has no `deviceId` until it is authenticated. */
interface Link {
  socket: Socket
  guard: FrameGuard
  deviceId?: string
}

interface Links {
  bySocket: Map<Connection, Link>
  /** The sockets of connected devices. */
  byDevice: Map<string, Socket>
}

type Done = (error?: Error) => void

/** Delivers what devices publish to the cloud alone. No device may subscribe to it, so nothing is forwarded or stored. */
class DeviceBroker extends Aedes {
  readonly #deliver: (topic: string, payload: Buffer) => void

  constructor(deliver: (topic: string, payload: Buffer) => void, options: AedesOptions) {
    super(options)
    this.#deliver = deliver
  }

  override publish(packet: PublishPacket, from: Client | Done | null, done?: Done): void {
    if (typeof from === 'function') {
      super.publish(packet, from)
    } else {
      this.#deliver(packet.topic, packet.payload as Buffer)
      done?.()
    }
  }
}

/** An MQTT broker in this process, for devices only. Each device has a credential and may use only its own topics. */
export async function startEmbeddedBroker(options: EmbeddedBrokerOptions): Promise<EmbeddedBroker> {
  const { log } = options
  const links: Links = { bySocket: new Map(), byDevice: new Map() }
  let receiver: BusReceiver | undefined
  const deliver = (topic: string, payload: Buffer) => receiver?.message(topic, payload)
  const aedes = new DeviceBroker(deliver, brokerOptions(links, options))
  await aedes.listen()
  followEvents(aedes, links, log)

  const server = createDeviceServer(options.tls, (socket) => acceptSocket(aedes, links, socket, log))
  if (options.connections) {
    const report = reportEachMinute((options.clock ?? systemClock).monotonic, (address, count) =>
      log.warn({ address, count }, 'refused broker connections: too many are open; see PLANTROOM_MAX_MQTT_CONNECTIONS'),
    )
    capConnections(server, options.connections, report)
  }
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const closeAedes = () => new Promise<void>((resolve) => aedes.close(resolve))
  const port = await listen(server, options.host, options.port).catch(async (error: unknown) => {
    await closeAedes()
    throw error
  })
  server.on('error', (error) => log.warn({ error: error.message }, 'the broker could not accept a connection'))

  return {
    connected: true,
    problem: undefined,
    port,
    send(deviceId, topic, payload) {
      const socket = links.byDevice.get(deviceId)
      if (socket) publishDirectly(socket, topic, payload)
    },
    receive(next) {
      receiver = next
      aedes.publish(
        { cmd: 'publish', topic: topics.hello(), payload: Buffer.alloc(0), qos: 0, dup: false, retain: false },
        () => {},
      )
      next.found?.()
    },
    disconnect(deviceId) {
      for (const [socket, link] of links.bySocket) if (link.deviceId === deviceId) socket.destroy()
    },
    // There is no other process.
    leave: async () => {},
    async close() {
      receiver = undefined
      const closed = new Promise((resolve) => server.close(resolve))
      await closeAedes()
      // Includes connections that have sent nothing yet, which would keep the server open.
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function brokerOptions(links: Links, { authenticate }: EmbeddedBrokerOptions): AedesOptions {
  return {
    // With the default of 100, one stalled device holds up the messages of all the others.
    concurrency: 0,
    drainTimeout: STALLED_DEVICE_MS,
    connectTimeout: CONNECT_LIMIT_MS,
    preConnect: (_client, packet, done) =>
      packet.clean === false
        ? done(new Error('sessions are not stored: connect with clean set'), false)
        : done(null, true),
    authenticate(client, username, password, done) {
      const link = links.bySocket.get(client.conn)
      // The guard may have refused the frame that is being parsed.
      if (!link || link.socket.destroyed) return done(badCredential(), false)
      const isValid = username === client.id && authenticate(client.id, password?.toString() ?? '')
      if (!isValid) return done(badCredential(), false)
      link.deviceId = client.id
      link.guard.trust(MAX_MESSAGE_BYTES)
      done(null, true)
    },
    authorizePublish: (client, packet, done) =>
      done(client && mayPublish(client.id, packet) ? null : new Error(`not allowed to publish to ${packet.topic}`)),
    authorizeSubscribe: (client, subscription, done) =>
      done(null, deviceSubscribes(client.id, subscription.topic) ? subscription : null),
  }
}

function followEvents(aedes: Aedes, links: Links, log: Log): void {
  // `clientReady` would be too late: by then the device may have announced itself and been sent a command.
  aedes.on('connackSent', ({ returnCode }, client) => {
    const link = links.bySocket.get(client.conn)
    if (returnCode === 0 && link) links.byDevice.set(client.id, link.socket)
  })
  aedes.on('clientError', (client, error) =>
    log.info({ device: client.id, error: error.message }, 'the connection to a device failed'),
  )
  aedes.on('connectionError', (_client, error) => log.info({ error: error.message }, 'refused a broker connection'))
  // Missing from the library's types. Without a listener the event would end this process.
  const events: EventEmitter = aedes
  events.on('error', (error: Error) => log.error({ error: error.message }, 'the broker failed'))
}

function acceptSocket(aedes: Aedes, links: Links, socket: Socket, log: Log): void {
  socket.setNoDelay(true)
  const link: Link = { socket, guard: createFrameGuard() }
  links.bySocket.set(socket, link)
  socket.once('close', () => {
    links.bySocket.delete(socket)
    const { deviceId } = link
    if (deviceId !== undefined && links.byDevice.get(deviceId) === socket) links.byDevice.delete(deviceId)
  })
  aedes.handle(socket)
  guardSocket(socket, link.guard, () =>
    log.warn({ from: socket.remoteAddress }, 'oversized MQTT frame: connection dropped'),
  )
}

function createDeviceServer(tls: EmbeddedBrokerOptions['tls'], accept: (socket: Socket) => void): Server {
  const server = tls ? createTlsServer({ ...tls, handshakeTimeout: CONNECT_LIMIT_MS }, accept) : createTcpServer(accept)
  // Without a listener, a failed handshake would end this process.
  server.on('tlsClientError', () => {})
  return server
}

/** A device may publish to its own topics, and only its status may be retained, as every broker supports. */
function mayPublish(deviceId: string, packet: PublishPacket): boolean {
  return (
    devicePublishes(deviceId, packet.topic) &&
    packet.qos < 2 &&
    (!packet.retain || packet.topic === topics.status(deviceId))
  )
}

function badCredential(): AuthenticateError {
  return Object.assign(new Error('unknown device or wrong secret'), { returnCode: BAD_CREDENTIAL })
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenFailure(error, host, port)))
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code !== 'EADDRINUSE') return error
  return new Failure(
    'unavailable',
    `port ${port} on ${host} is taken (broker): stop the program that uses it or set PLANTROOM_MQTT_PORT (0 picks a free one)`,
  )
}
