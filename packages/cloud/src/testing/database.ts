import { newId } from '@plantroom/base/ids'
import pg from 'pg'
import { inject } from 'vitest'

/** Creates a database with all tables and returns its address in the form of `DATABASE_URL`. */
export async function createTestDatabase(): Promise<string> {
  const { host, port, user, template } = inject('postgres')
  const name = newId('test')
  const client = new pg.Client({ host, port, user, database: 'template1' })
  await client.connect()
  try {
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  } finally {
    await client.end()
  }
  return `postgresql://${user}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`
}
