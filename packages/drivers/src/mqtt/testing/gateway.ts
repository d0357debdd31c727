import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** What stands between the driver and its broker: cables, switches, a firewall. */
export interface Gateway {
  readonly port: number
  /** How many links of the driver stand. */
  links(): number
  /** Whatever is sent from now on gets lost; nobody is told. */
  silence(): void
  /** Ends all links, and takes no new ones. */
  drop(): void
  /** Links that are made from now on work. Those that were silent stay dead. */
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
