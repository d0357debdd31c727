import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import pg from 'pg'
import type { DatabaseAddress } from './database.ts'

const RECONNECT_MS = 1_000
/** A connection that a firewall forgot says nothing: it is asked this often. */
const ALIVE_CHECK_MS = 20_000

export interface ChangeListener {
  /** This row was inserted, updated or deleted. */
  changed(id: string): void
  /** Changes may have been missed: everything has to be read again. */
  missed(): void
}

/** Tells which rows change, through LISTEN/NOTIFY on a connection of its own. */
export interface ChangeFeed {
  follow(table: string, listener: ChangeListener): void
  close(): Promise<void>
}

/** Listens before it resolves, so that what is read afterwards misses no change. */
export async function openChangeFeed(deps: { address: DatabaseAddress; clock: Clock; log: Log }): Promise<ChangeFeed> {
  const { address, clock, log } = deps
  const listeners = new Map<string, ChangeListener>()
  let closed = false
  let client = await listen()
  let cancelRetry = () => {}
  let cancelCheck = clock.after(ALIVE_CHECK_MS, checkAlive)

  async function listen(): Promise<pg.Client> {
    const next = new pg.Client({ ...address, application_name: 'plantroom changes', connectionTimeoutMillis: 10_000 })
    next.on('notification', ({ payload = '' }) => {
      const separator = payload.indexOf(':')
      listeners.get(payload.slice(0, separator))?.changed(payload.slice(separator + 1))
    })
    next.on('error', () => {})
    next.once('end', () => {
      if (next === client) reconnect()
    })
    try {
      await next.connect()
      await next.query('LISTEN plantroom_change')
    } catch (error) {
      await next.end().catch(() => {})
      throw error
    }
    return next
  }

  function reconnect() {
    if (closed) return
    cancelCheck()
    log.warn('the connection that tells of changes was lost; connecting again')
    cancelRetry = clock.after(RECONNECT_MS, async () => {
      try {
        const next = await listen()
        if (closed) return void next.end()
        client = next
        cancelCheck = clock.after(ALIVE_CHECK_MS, checkAlive)
        for (const listener of listeners.values()) listener.missed()
      } catch {
        reconnect()
      }
    })
  }

  function checkAlive() {
    const asked = client
    const giveUp = clock.after(RECONNECT_MS * 10, () => void asked.end().catch(() => {}))
    asked
      .query('SELECT 1')
      .then(() => {
        cancelCheck = clock.after(ALIVE_CHECK_MS, checkAlive)
      })
      // Its `end` event connects again.
      .catch(() => {})
      .finally(giveUp)
  }

  return {
    follow: (table, listener) => void listeners.set(table, listener),
    async close() {
      closed = true
      cancelRetry()
      cancelCheck()
      await client.end().catch(() => {})
    },
  }
}
