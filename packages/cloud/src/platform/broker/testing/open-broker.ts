import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Aedes } from 'aedes'
import { onTestFinished } from 'vitest'

/**
 * Starts a broker without accounts and without shared subscriptions, which keeps retained messages. It drops what
 * `forwards` refuses, as a broker does whose queue for a client is full.
 */
export async function startOpenBroker({
  forwards = () => true,
}: {
  forwards?: (clientId: string, topic: string) => boolean
} = {}): Promise<{ url: string }> {
  const aedes = await Aedes.createBroker({
    authorizeSubscribe: (_client, subscription, done) =>
      done(null, subscription.topic.startsWith('$share/') ? null : subscription),
    authorizeForward: (client, packet) => (forwards(client.id, packet.topic) ? packet : null),
    concurrency: 0,
  })
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    aedes.handle(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    const closed = once(server, 'close')
    server.close()
    await new Promise<void>((resolve) => aedes.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  })
  return { url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
