import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../database.ts'

/** A connection to the database that a test can break. */
export interface DatabaseProxy {
  address: DatabaseAddress
  /** Closes all connections and refuses new ones. */
  cut(): Promise<void>
  /** Accepts new connections again. */
  restore(): Promise<void>
  /** Keeps existing connections open but passes nothing on, like a firewall that forgot them. */
  freeze(): void
}

/** Forwards connections to the server at `connectionString` until the test ends. */
export async function startProxy(connectionString: string): Promise<DatabaseProxy> {
  const url = new URL(connectionString)
  const server = join(url.searchParams.get('host') ?? '', `.s.PGSQL.${url.searchParams.get('port')}`)
  const pairs = new Set<[Socket, Socket]>()

  const proxy = createServer((near) => {
    const far = connect(server)
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    near.pipe(far).pipe(near)
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.once('close', () => {
        pairs.delete(pair)
        near.destroy()
        far.destroy()
      })
    }
  })

  async function listen(port: number): Promise<number> {
    proxy.listen(port, '127.0.0.1')
    await once(proxy, 'listening')
    return (proxy.address() as { port: number }).port
  }

  async function cut() {
    const closed = new Promise((resolve) => proxy.close(resolve))
    for (const [near] of pairs) near.destroy()
    await closed
  }

  const port = await listen(0)
  onTestFinished(cut)
  return {
    address: { host: '127.0.0.1', port, user: url.username, database: url.pathname.slice(1) },
    cut,
    restore: async () => void (await listen(port)),
    freeze() {
      for (const [near, far] of pairs) {
        near.unpipe()
        far.unpipe()
        near.pause()
        far.pause()
      }
    },
  }
}
