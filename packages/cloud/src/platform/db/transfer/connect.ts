import { Failure } from '@plantroom/contract/failure'
import pg from 'pg'
import type { DatabaseAddress } from '../database.ts'

/** Opens one connection, outside of any pool. */
export async function connect(address: DatabaseAddress, name: string): Promise<pg.Client> {
  const client = new pg.Client({ ...address, application_name: name, connectionTimeoutMillis: 10_000 })
  // Without a listener, a connection that breaks between queries would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    throw new Failure('unavailable', `the database cannot be reached (${reasonOf(error)}): check DATABASE_URL`)
  }
}

/** An error for several addresses of a host has no message of its own. */
function reasonOf(error: unknown): string {
  const { message, code } = error as Partial<NodeJS.ErrnoException>
  return message || code || String(error)
}
