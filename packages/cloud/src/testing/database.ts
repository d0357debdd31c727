import { newId } from '@plantroom/base/ids'
import pg from 'pg'
import { inject } from 'vitest'

/** Creates an empty database whose locale knows no letters but ASCII, and returns its address. */
export async function createPlainDatabase(): Promise<string> {
  const { host, port, user } = inject('postgres')
  const name = newId('plain')
  const client = new pg.Client({ host, port, user, database: 'template1' })
  await client.connect()
  try {
    const locale = "ENCODING 'UTF8' LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C'"
    await client.query(`CREATE DATABASE ${name} TEMPLATE template0 ${locale}`)
  } finally {
    await client.end()
  }
  return `postgresql://${user}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`
}

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
