import { Client, escapeIdentifier } from 'pg'
import type { Connection } from './layout.ts'
import { codeOf, messageOf } from './unavailable.ts'

/** `silent` when nothing listens; `notYet` while a server is starting or stopping. */
type Answer =
  | { readonly kind: 'ready'; readonly dataFolder: string }
  | { readonly kind: 'silent' | 'notYet' | 'noDatabase' }
  | { readonly kind: 'refused'; readonly reason: string }

/** Tries to connect once. Never rejects. */
export async function ask(connection: Connection): Promise<Answer> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 5000 })
  // Without a listener, a connection that breaks between queries would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory')
    return { kind: 'ready', dataFolder: rows[0]?.data_directory ?? '' }
  } catch (error) {
    return answerFor(error)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Does nothing when the database exists. */
export async function createDatabase(connection: Connection): Promise<void> {
  const client = new Client({ ...connection, database: 'postgres' })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(`CREATE DATABASE ${escapeIdentifier(connection.database)}`)
  } catch (error) {
    if (codeOf(error) !== DUPLICATE_DATABASE) throw error
  } finally {
    await client.end().catch(() => {})
  }
}

const DUPLICATE_DATABASE = '42P04'
const ANSWERS: Record<string, Answer['kind'] & ('silent' | 'notYet' | 'noDatabase')> = {
  ENOENT: 'silent',
  ENOTDIR: 'silent',
  ECONNREFUSED: 'silent',
  ECONNRESET: 'notYet',
  EPIPE: 'notYet',
  '57P01': 'notYet', // the server is stopping
  '57P02': 'notYet', // another session crashed and ended all sessions
  '57P03': 'notYet', // starting, recovering or stopping
  '53300': 'notYet', // all connections are in use, so the server works
  '3D000': 'noDatabase',
}

function answerFor(error: unknown): Answer {
  const kind = ANSWERS[codeOf(error) ?? '']
  if (kind) return { kind }
  const reason = messageOf(error)
  return /timeout|terminated unexpectedly/i.test(reason) ? { kind: 'notYet' } : { kind: 'refused', reason }
}
