import type { EventEmitter } from 'node:events'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
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
import type { BusReceiver, DeviceBus } from './device-bus.ts'
import { createFrameGuard, type FrameGuard, guardSocket } from './frame-guard.ts'
import { publishFrame } from './publish-frame.ts'

const BAD_CREDENTIAL = 4
const CONNECT_LIMIT_MS = 10_000
const STALLED_DEVICE_MS = 5_000
/** A device that lets more than this wait takes nothing any more. */
const MAX_UNSENT_BYTES = 2 * MAX_MESSAGE_BYTES

export interface EmbeddedBroker extends DeviceBus {
  readonly port: number
  /** Ends this device's connection, if there is one: its credential is no longer good. */
  disconnect(deviceId: string): void
}

export interface EmbeddedBrokerOptions {
  host: string
  port: number
  tls: { cert: Buffer; key: Buffer } | undefined
  /** Is this the secret of this device? */
  authenticate(deviceId: string, secret: string): boolean
  log: Log
}

/** One connection: that of a stranger until it has said which device it is. */
interface Link {
  socket: Socket
  guard: FrameGuard
  deviceId?: string
}

type Done = (error?: Error) => void

/** What a device publishes is for the cloud alone: no other device may subscribe to it, so nothing is fanned out or kept. */
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

/** An MQTT broker in this process, for devices only: each with its own credential and its own topics. */
export async function startEmbeddedBroker(options: EmbeddedBrokerOptions): Promise<EmbeddedBroker> {
  const { log } = options
  const links = new Map<Connection, Link>()
  const devices = new Map<string, Socket>()
  let receiver: BusReceiver | undefined

  const aedes = new DeviceBroker((topic, payload) => receiver?.message(topic, payload), {
    // With the default of 100, one stalled device holds up the messages of all the others.
    concurrency: 0,
    drainTimeout: STALLED_DEVICE_MS,
    connectTimeout: CONNECT_LIMIT_MS,
    preConnect: (_client, packet, done) =>
      packet.clean === false
        ? done(new Error('a session is not kept: connect with clean set'), false)
        : done(null, true),
    authenticate(client, username, password, done) {
      const known = username === client.id && options.authenticate(client.id, password?.toString() ?? '')
      const link = links.get(client.conn)
      if (!known || !link) return done(badCredential(), false)
      link.deviceId = client.id
      link.guard.trust(MAX_MESSAGE_BYTES)
      done(null, true)
    },
    authorizePublish: (client, packet, done) =>
      done(client && mayPublish(client.id, packet) ? null : new Error(`not allowed to publish to ${packet.topic}`)),
    authorizeSubscribe: (client, subscription, done) =>
      done(null, deviceSubscribes(client.id, subscription.topic) ? subscription : null),
  })
  await aedes.listen()

  // Not at `clientReady`: that comes later, when the device may have announced itself and been sent a command.
  aedes.on('connackSent', ({ returnCode }, client) => {
    const link = links.get(client.conn)
    if (returnCode === 0 && link) devices.set(client.id, link.socket)
  })
  aedes.on('clientError', (client, error) =>
    log.info({ device: client.id, error: error.message }, 'device link failed'),
  )
  aedes.on('connectionError', (_client, error) => log.info({ error: error.message }, 'broker connection refused'))
  // Its types do not have this one, which it emits all the same; without a listener it would end this process.
  const events: EventEmitter = aedes
  events.on('error', (error: Error) => log.error({ error: error.message }, 'the broker failed'))

  const accept = (socket: Socket) => {
    socket.setNoDelay(true)
    const guard = createFrameGuard()
    const link: Link = { socket, guard }
    links.set(socket, link)
    socket.once('close', () => {
      links.delete(socket)
      if (link.deviceId !== undefined && devices.get(link.deviceId) === socket) devices.delete(link.deviceId)
    })
    guardSocket(socket, guard, () =>
      log.warn({ from: socket.remoteAddress }, 'oversized MQTT frame: connection dropped'),
    )
    aedes.handle(socket)
  }
  const server = options.tls
    ? createTlsServer({ ...options.tls, handshakeTimeout: CONNECT_LIMIT_MS }, accept)
    : createTcpServer(accept)
  // A failed handshake is the stranger's problem; without a listener it would end this process.
  server.on('tlsClientError', () => {})
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
    port,
    send(deviceId, topic, payload) {
      const socket = devices.get(deviceId)
      if (socket) writeDirectly(socket, publishFrame(topic, payload))
    },
    receive(next) {
      receiver = next
      aedes.publish(
        { cmd: 'publish', topic: topics.hello(), payload: Buffer.alloc(0), qos: 0, dup: false, retain: false },
        () => {},
      )
    },
    disconnect(deviceId) {
      for (const [socket, link] of links) if (link.deviceId === deviceId) socket.destroy()
    },
    async close() {
      receiver = undefined
      const closed = new Promise((resolve) => server.close(resolve))
      await closeAedes()
      // Strangers too: whoever has sent nothing yet would keep the server open for as long as it likes.
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/**
 * Straight onto the device's own socket, past the broker's queues: a stalled device delays nobody else. What is sent
 * in one turn of the event loop leaves in one system call.
 */
function writeDirectly(socket: Socket, frame: Buffer): void {
  if (socket.writableLength > MAX_UNSENT_BYTES) return void socket.destroy()
  if (socket.writableCorked === 0) {
    socket.cork()
    setImmediate(() => socket.uncork())
  }
  if (socket.write(frame) || socket.timeout) return
  const drop = () => void socket.destroy()
  socket.setTimeout(STALLED_DEVICE_MS, drop)
  socket.once('drain', () => socket.setTimeout(0, drop))
}

/** Only its own topics, and as any broker would have to carry them: nothing but its status is retained. */
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
    `port ${port} on ${host} is taken (broker): stop what uses it or set PLANTROOM_MQTT_PORT (0 picks a free one)`,
  )
}
