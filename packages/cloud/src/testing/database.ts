import { newId } from '@plantroom/base/ids'
import pg from 'pg'
import { inject } from 'vitest'

/** What the tests of this file have created. Five hundred files would leave 6 GB, in memory if there is enough. */
const created = new Set<string>()

async function onServer<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const { host, port, user } = inject('postgres')
  const client = new pg.Client({ host, port, user, database: 'template1' })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function addressOf(name: string): string {
  const { host, port, user } = inject('postgres')
  created.add(name)
  return `postgresql://${user}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`
}

/** On a slow disk each takes seconds. The next file removes what this one left. */
const DROPPING_MS = 15_000

/** Removes the databases that no test uses any more, as many as the time allows. */
export async function dropTestDatabases(): Promise<void> {
  shared = undefined
  if (created.size === 0) return
  await onServer(async (client) => {
    const unused = `SELECT name FROM unnest($1::text[]) AS name WHERE name NOT IN (
      SELECT datname FROM pg_stat_activity WHERE datname IS NOT NULL)`
    const { rows } = await client.query<{ name: string }>(unused, [[...created]])
    const end = performance.now() + DROPPING_MS
    for (const { name } of rows) {
      if (performance.now() > end) return
      await client.query(`DROP DATABASE ${name}`)
      created.delete(name)
    }
  })
}

/** Creates an empty database whose locale knows no letters but ASCII, and returns its address. */
export async function createPlainDatabase(encoding = 'UTF8'): Promise<string> {
  const name = newId('plain')
  const locale = `ENCODING '${encoding}' LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C'`
  await onServer((client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0 ${locale}`))
  return addressOf(name)
}

/** Creates a database with all tables and returns its address in the form of `DATABASE_URL`. */
export async function createTestDatabase(): Promise<string> {
  const { template } = inject('postgres')
  const name = newId('test')
  await onServer((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`))
  return addressOf(name)
}

let shared: Promise<string> | undefined

/** Returns one database for all tests of a file, where a copy for each would cost more than the tests. */
export function sharedTestDatabase(): Promise<string> {
  shared ??= createTestDatabase()
  return shared
}
