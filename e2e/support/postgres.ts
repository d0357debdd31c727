import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@plantroom/cloud/db/embedded/start'
import { isRunning } from '@plantroom/testkit/child-program'
import { copyDatabase } from './database-template.ts'
import { eventually } from './eventually.ts'

/** A PostgreSQL that several programs use by `DATABASE_URL`, with a migrated database. */
export interface Postgres extends AsyncDisposable {
  readonly databaseUrl: string
  /** Ends the server without a checkpoint, as a crash of the machine does. */
  crash(): Promise<void>
  start(): Promise<void>
}

export async function startPostgres(folder: string): Promise<Postgres> {
  await copyDatabase(folder)
  const options = { folder: join(folder, 'postgres'), clock: systemClock, log: createLog('postgres', 'warn') }
  let server: EmbeddedPostgres = await startEmbeddedPostgres(options)
  const { host, user, database } = server.connection
  return {
    databaseUrl: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
    async crash() {
      const { pid } = server
      process.kill(pid, 'SIGQUIT')
      await eventually(() => {
        if (isRunning(pid)) throw new Error('the database server is still running')
      })
    },
    async start() {
      server = await startEmbeddedPostgres(options)
    },
    [Symbol.asyncDispose]: () => server.stop(),
  }
}
