import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import pg from 'pg'
import type { DatabaseAddress } from './database.ts'

const RECONNECT_MS = 1_000
/** How often to check the connection: one dropped by a firewall reports nothing. */
const ALIVE_CHECK_MS = 20_000
const ANSWER_MS = 10_000

interface ChangeListener {
  /** This row was inserted, updated or deleted. */
  changed(id: string): void
  /** Changes may have been missed, so everything must be read again. */
  missed(): void
}

/** Announces which rows change, with LISTEN/NOTIFY on a separate connection. */
export interface ChangeFeed {
  readonly closed: boolean
  follow(table: string, listener: ChangeListener): void
  close(): Promise<void>
}

/** Resolves once it listens, so that later reads miss no change. */
export async function openChangeFeed(deps: { address: DatabaseAddress; clock: Clock; log: Log }): Promise<ChangeFeed> {
  const { address, clock, log } = deps
  const listeners = new Map<string, ChangeListener>()
  let closed = false
  let client: pg.Client | undefined
  let cancelRetry = () => {}
  let cancelCheck = () => {}

  const listen = () =>
    openListener(address, {
      changed: (table, id) => listeners.get(table)?.changed(id),
      ended: (ended) => {
        if (ended === client) reconnect()
      },
    })

  function use(next: pg.Client) {
    client = next
    cancelCheck = clock.after(ALIVE_CHECK_MS, () => checkAlive(next))
  }

  function reconnect() {
    if (closed) return
    cancelCheck()
    log.warn('lost the connection that announces changes; reconnecting')
    cancelRetry = clock.after(RECONNECT_MS, async () => {
      try {
        const next = await listen()
        if (closed) return void next.end()
        use(next)
        for (const listener of listeners.values()) listener.missed()
      } catch {
        reconnect()
      }
    })
  }

  function checkAlive(current: pg.Client) {
    // The `end` event reconnects.
    const giveUp = () => void current.end().catch(() => {})
    const cancelGiveUp = clock.after(ANSWER_MS, giveUp)
    current
      .query('SELECT 1')
      .then(() => {
        cancelCheck = clock.after(ALIVE_CHECK_MS, () => checkAlive(current))
      })
      .catch(giveUp)
      .finally(cancelGiveUp)
  }

  use(await listen())
  return {
    get closed() {
      return closed
    },
    follow: (table, listener) => void listeners.set(table, listener),
    async close() {
      closed = true
      cancelRetry()
      cancelCheck()
      await client?.end().catch(() => {})
    },
  }
}

/** Opens a connection that listens for changes. */
async function openListener(
  address: DatabaseAddress,
  on: { changed(table: string, id: string): void; ended(client: pg.Client): void },
): Promise<pg.Client> {
  const client = new pg.Client({
    ...address,
    application_name: 'plantroom changes',
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  })
  client.on('notification', ({ payload = '' }) => {
    const separator = payload.indexOf(':')
    on.changed(payload.slice(0, separator), payload.slice(separator + 1))
  })
  client.on('error', () => {})
  client.once('end', () => on.ended(client))
  try {
    await client.connect()
    await client.query('LISTEN plantroom_change')
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  return client
}
