import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Log } from '@plantroom/base/log'
import { MAX_MESSAGE_BYTES } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import { devicePublishes, deviceSubscribes, topics } from '@plantroom/contract/topics'
import { Aedes, type AuthenticateError, type Client, type PublishPacket } from 'aedes'
import type { BusReceiver, DeviceBus } from './device-bus.ts'
import { createFrameGuard, type FrameGuard, guardSocket } from './frame-guard.ts'

const BAD_CREDENTIAL = 4
const CONNECT_LIMIT_MS = 10_000
const STALLED_DEVICE_MS = 5_000

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

/** An MQTT broker in this process, for devices only: each with its own credential and its own topics. */
export async function startEmbeddedBroker(options: EmbeddedBrokerOptions): Promise<EmbeddedBroker> {
  const { log } = options
  const guards = new WeakMap<object, FrameGuard>()
  const clients = new Map<string, Client>()
  let receiver: BusReceiver | undefined

  const aedes = await Aedes.createBroker({
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
      if (!known) return done(badCredential(), false)
      guards.get(client.conn)?.trust(MAX_MESSAGE_BYTES)
      done(null, true)
    },
    authorizePublish: (client, packet, done) =>
      done(client && mayPublish(client.id, packet) ? null : new Error(`not allowed to publish to ${packet.topic}`)),
    authorizeSubscribe: (client, subscription, done) =>
      done(null, deviceSubscribes(client.id, subscription.topic) ? subscription : null),
    published(packet, client, done) {
      if (client) receiver?.message(packet.topic, packet.payload as Buffer)
      done()
    },
  })

  aedes.on('clientReady', (client) => clients.set(client.id, client))
  aedes.on('clientDisconnect', (client) => {
    if (clients.get(client.id) === client) clients.delete(client.id)
  })
  aedes.on('clientError', (client, error) =>
    log.info({ device: client.id, error: error.message }, 'device link failed'),
  )
  aedes.on('connectionError', (_client, error) => log.info({ error: error.message }, 'broker connection refused'))

  const accept = (socket: Socket) => {
    socket.setNoDelay(true)
    const guard = createFrameGuard()
    guards.set(socket, guard)
    guardSocket(socket, guard, () =>
      log.warn({ from: socket.remoteAddress }, 'oversized MQTT frame: connection dropped'),
    )
    aedes.handle(socket)
  }
  const server = options.tls ? createTlsServer(options.tls, accept) : createTcpServer(accept)
  // A failed handshake is the stranger's problem; without a listener it would end this process.
  server.on('tlsClientError', () => {})
  const port = await listen(server, options.host, options.port)

  return {
    connected: true,
    port,
    // Straight to the device's own socket: a stalled one delays nobody else.
    send: (deviceId, topic, payload) =>
      clients.get(deviceId)?.publish({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false }, () => {}),
    receive(next) {
      receiver = next
      aedes.publish(
        { cmd: 'publish', topic: topics.hello(), payload: Buffer.alloc(0), qos: 0, dup: false, retain: false },
        () => {},
      )
    },
    disconnect: (deviceId) => clients.get(deviceId)?.close(),
    async close() {
      receiver = undefined
      const closed = new Promise((resolve) => server.close(resolve))
      await new Promise<void>((resolve) => aedes.close(resolve))
      await closed
    },
  }
}

/** Only its own topics; only the status is kept by the broker, so that no device can fill its memory. */
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
