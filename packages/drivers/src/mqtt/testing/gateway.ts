import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** The network between the driver and its broker, which the test can break. */
export interface Gateway {
  readonly port: number
  /** Returns the number of open links. */
  links(): number
  /** Drops all data from now on, and keeps the connections open. */
  silence(): void
  /** Closes all links and refuses new ones. */
  drop(): void
  /** Accepts new links again. Links that were silenced stay dead. */
  heal(): void
  stop(): Promise<void>
}

export async function startGateway(to: { port: number }): Promise<Gateway> {
  const sockets = new Set<Socket>()
  let links = 0
  let state: 'works' | 'is silent' | 'is down' = 'works'

  function keep(socket: Socket): Socket {
    sockets.add(socket)
    socket.on('error', () => {})
    return socket.on('close', () => sockets.delete(socket)).setNoDelay(true)
  }

  const server = createServer((near) => {
    keep(near)
    if (state === 'is down') near.destroy()
    if (state !== 'works') return
    links += 1
    near.on('close', () => {
      links -= 1
    })
    const far = keep(connect(to.port, '127.0.0.1'))
    near.pipe(far)
    far.pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function drop() {
    state = 'is down'
    for (const socket of sockets) socket.destroy()
  }

  return {
    port: (server.address() as { port: number }).port,
    links: () => links,
    silence() {
      state = 'is silent'
      for (const socket of sockets) {
        socket.unpipe()
        socket.resume()
      }
    },
    drop,
    heal() {
      state = 'works'
    },
    async stop() {
      drop()
      server.close()
      await once(server, 'close')
    },
  }
}
