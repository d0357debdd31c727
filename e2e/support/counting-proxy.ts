import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A wire tap between a device and its equipment. */
export interface CountingProxy extends AsyncDisposable {
  readonly port: number
  /** How many times the device has asked something. */
  readonly requests: number
  /** How many sockets the device holds. */
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
