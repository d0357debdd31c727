import { globSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { startPostgres } from './postgres.ts'
import { startRelay } from './relay.ts'

/** A PostgreSQL that programs in another root reach by TCP: the file of its socket is not in theirs. */
export interface TcpPostgres extends AsyncDisposable {
  readonly databaseUrl: string
}

export async function startTcpPostgres(folder: string): Promise<TcpPostgres> {
  await using cleanup = new AsyncDisposableStack()
  const postgres = cleanup.use(await startPostgres(folder))
  const url = new URL(postgres.databaseUrl)
  const [socketFile = ''] = globSync(join(url.searchParams.get('host') ?? '', '.s.PGSQL.*')).filter(
    (path) => !path.endsWith('.lock'),
  )
  const server = await startRelay({ port: 0 }, () => connect(socketFile))
  cleanup.defer(() => void server.close())
  const { port } = server.address() as AddressInfo
  const parts = cleanup.move()
  return {
    databaseUrl: `postgres://${url.username}@127.0.0.1:${port}${url.pathname}`,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}
