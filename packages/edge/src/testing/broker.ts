import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { eventually } from '@plantroom/testkit/eventually'
import { Aedes } from 'aedes'
import { onTestFinished } from 'vitest'

interface Message {
  topic: string
  text: string
  retain: boolean
}

/** A real broker, seen from the cloud's side. Stops after the test. */
export interface TestBroker {
  readonly url: string
  readonly port: number
  /** The messages from devices, last wills included. */
  readonly heard: readonly Message[]
  send(topic: string, payload: string): void
  /** Waits for a matching message from a device. */
  hears(matches: (message: Message) => boolean): Promise<Message>
  /** From now on accepts and acknowledges nothing from devices. */
  stall(): void
  /** Drops every connection, as a cut cable does. */
  cut(): void
  stop(): Promise<void>
}

export async function startBroker(options: { port?: number; secret?: string } = {}): Promise<TestBroker> {
  const { port = 0, secret } = options
  const heard: Message[] = []
  let stalled = false
  const sockets = new Set<Socket>()
  const aedes = await Aedes.createBroker({
    authenticate: (_client, _username, password, done) =>
      done(null, secret === undefined || password?.toString() === secret),
    authorizePublish: (_client, _packet, done) => {
      if (!stalled) done(null)
    },
    published(packet, client, done) {
      if (client) heard.push({ topic: packet.topic, text: packet.payload.toString(), retain: packet.retain })
      done()
    },
  })
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    aedes.handle(socket)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo

  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= (async () => {
      const closed = once(server, 'close')
      server.close()
      await new Promise<void>((resolve) => aedes.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    })()
    return stopped
  }
  onTestFinished(stop)

  return {
    url: `mqtt://127.0.0.1:${address.port}`,
    port: address.port,
    heard,
    send: (topic, payload) =>
      aedes.publish({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false }, () => {}),
    hears: (matches) =>
      eventually(() => {
        const found = heard.find(matches)
        if (!found) throw new Error(`not heard; heard so far: ${JSON.stringify(heard)}`)
        return found
      }),
    stall() {
      stalled = true
    },
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    stop,
  }
}
