import { type EventEmitter, once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Log } from '@plantroom/base/log'
import { Aedes } from 'aedes'

const STALLED_CLIENT_MS = 5000

/** An open MQTT broker on which simulated equipment publishes. */
export interface Broker {
  host: string
  /** The port it listens on, even if 0 was requested. */
  port: number
  /** Publishes a retained state. */
  publish(topic: string, payload: string | Buffer): Promise<void>
  subscribe(topic: string, receive: (payload: string | Buffer) => void): Promise<void>
  stop(): Promise<void>
}

/** Rejects if the port is in use. */
export async function startBroker({ host, port, log }: { host: string; port: number; log: Log }): Promise<Broker> {
  // With the default concurrency, one client that does not read would delay all others.
  const aedes = await Aedes.createBroker({ concurrency: 0, drainTimeout: STALLED_CLIENT_MS })
  aedes.on('clientError', (_client, error) => log.debug({ error: error.message }, 'an MQTT client went away'))
  aedes.on('connectionError', (_client, error) => log.debug({ error: error.message }, 'an MQTT client was refused'))
  // Aedes emits this event although its types lack it; without a listener it would end the process.
  const events: EventEmitter = aedes
  events.on('error', (error: Error) => log.error({ error: error.message }, 'the broker failed'))

  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', (error) => log.debug({ error: error.message }, 'an MQTT client went away'))
    aedes.handle(socket)
  })
  const close = () => new Promise<void>((resolve) => aedes.close(resolve))
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    await close()
    throw error
  }
  const listening = server.address() as AddressInfo
  return {
    host: listening.address,
    port: listening.port,
    publish: (topic, payload) =>
      new Promise((resolve) =>
        aedes.publish({ cmd: 'publish', topic, payload, qos: 1, retain: true, dup: false }, () => resolve()),
      ),
    subscribe: (topic, receive) =>
      new Promise((resolve) =>
        aedes.subscribe(
          topic,
          ({ payload }, done) => {
            receive(payload)
            done()
          },
          resolve,
        ),
      ),
    async stop() {
      const closed = once(server, 'close')
      server.close()
      await close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
