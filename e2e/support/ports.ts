import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/** Returns free ports, for programs that cannot pick one. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = await Promise.all(
    servers.map(async (server) => {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      return (server.address() as AddressInfo).port
    }),
  )
  for (const server of servers) server.close()
  return ports
}

/** Rejects while nothing accepts connections on a port. */
export async function accepts(port: number): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port })
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}
