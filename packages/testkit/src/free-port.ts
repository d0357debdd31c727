import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** Below the ports that systems give to outgoing connections: one of those may take the port before a program listens on it. */
const LEAST = 12_000
const MOST = 32_000

/** Returns a port on which nothing listens, for a program that cannot pick one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LEAST, MOST)
    if (await isFree(port)) return port
  }
}

/** Returns different ports. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await freePort())
  return [...ports]
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return true
  } catch {
    return false
  }
}

/** Rejects while nothing accepts connections on a port. */
export async function canConnect(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}
