import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'

/** Listens where `listen` says, and carries each connection on to another one. */
export async function startRelay(listen: { port: number } | { path: string }, upstream: () => Socket): Promise<Server> {
  const server = createServer((client) => {
    const other = upstream()
    for (const [from, to] of [
      [client, other],
      [other, client],
    ] as const)
      from.on('error', () => to.destroy()).pipe(to)
  })
  server.listen('port' in listen ? { ...listen, host: '127.0.0.1' } : listen)
  await once(server, 'listening')
  return server
}
