import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy between a controller and its equipment that counts requests. */
export interface CountingProxy extends AsyncDisposable {
  readonly port: number
  /** Number of requests by the controller. */
  readonly requests: number
  /** Number of open sockets of the controller. */
  readonly clients: number
}

export async function countingProxy(target: () => number): Promise<CountingProxy> {
  const sockets = new Set<Socket>()
  let requests = 0
  let clients = 0
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: '127.0.0.1', port: target(), noDelay: true })
    clients += 1
    near.on('data', () => {
      requests += 1
    })
    near.once('close', () => {
      clients -= 1
    })
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.pipe(other)
      socket.on('error', () => other.destroy())
      socket.once('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    get requests() {
      return requests
    },
    get clients() {
      return clients
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
