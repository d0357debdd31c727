import { Socket } from 'node:net'
import { type Clock, every } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import type { Log } from '@plantroom/base/log'
import { sql } from 'kysely'
import pg from 'pg'
import type { DatabaseAddress, Db } from './database.ts'

const RECONNECT_MS = 1_000
/** How often to send a notification to ourselves: nothing else shows that notifications arrive. */
const PING_MS = 3_000
const ANSWER_MS = 5_000
/** How often everything is read again while notifications may be lost. */
export const RELOAD_MS = 5_000

const NOT_YET = 'not yet sure that changes in the database are announced'
const LOST = 'lost the connection that announces changes in the database; reconnecting'
const SILENT =
  'the database does not announce changes on this connection: behind PgBouncer in transaction mode, set PLANTROOM_LISTEN_URL to the address of PostgreSQL itself, or use session mode'

interface ChangeListener {
  /** This row was inserted, updated or deleted. */
  changed(id: string): void
  /** Changes may have been missed, so everything must be read again. */
  missed(): void
}

/** Announces which rows change, with LISTEN/NOTIFY on a separate connection. */
export interface ChangeFeed {
  readonly closed: boolean
  /** Why changes may be missed, with the remedy; `undefined` while notifications demonstrably arrive. */
  readonly doubt: string | undefined
  follow(table: string, listener: ChangeListener): void
  close(): Promise<void>
}

interface FeedDeps {
  address: DatabaseAddress
  /** Sends the notifications to ourselves, on the way that the changes of other processes take. */
  db: Db
  clock: Clock
  log: Log
}

interface FeedState {
  readonly listeners: Map<string, ChangeListener[]>
  closed: boolean
  listener: Listener | undefined
  doubt: string | undefined
  /** Cancel the next step with the current connection, and the reloads while in doubt. */
  cancelNext(): void
  stopReloads(): void
}

/**
 * Resolves once it listens, so that later reads miss no change. While notifications do not come back, it reconnects and
 * announces every few seconds that changes may have been missed.
 */
export async function openChangeFeed(deps: FeedDeps): Promise<ChangeFeed> {
  const state: FeedState = {
    listeners: new Map(),
    closed: false,
    listener: undefined,
    doubt: NOT_YET,
    cancelNext: () => {},
    stopReloads: () => {},
  }
  await connect(state, deps)
  return {
    get closed() {
      return state.closed
    },
    get doubt() {
      return state.doubt
    },
    follow: (table, listener) => void state.listeners.set(table, [...(state.listeners.get(table) ?? []), listener]),
    async close() {
      state.closed = true
      state.cancelNext()
      state.stopReloads()
      await state.listener?.close()
    },
  }
}

async function connect(state: FeedState, deps: FeedDeps): Promise<void> {
  const next = await openListener(deps.address, {
    changed(table, id) {
      for (const listener of state.listeners.get(table) ?? []) listener.changed(id)
    },
    answered(listener) {
      if (listener === state.listener) trust(state, deps, listener)
    },
    ended(listener) {
      if (listener === state.listener) reconnect(state, deps, LOST)
    },
  })
  if (state.closed) return void next.close()
  state.listener = next
  ping(state, deps, next)
}

/** Sends a notification over the pool and expects it on the listening connection. */
function ping(state: FeedState, deps: FeedDeps, listener: Listener): void {
  const { db, clock } = deps
  state.cancelNext = clock.after(ANSWER_MS, () => reconnect(state, deps, SILENT))
  // Over another connection: PgBouncer in transaction mode would return our own notification with the statement. A
  // failure to send counts as silence.
  sql`SELECT pg_notify(${listener.channel}, '')`.execute(db).catch(() => {})
}

function trust(state: FeedState, deps: FeedDeps, listener: Listener): void {
  state.cancelNext()
  state.cancelNext = deps.clock.after(PING_MS, () => ping(state, deps, listener))
  const { doubt } = state
  if (doubt === undefined) return
  state.doubt = undefined
  state.stopReloads()
  // The first connection listens before anything is read.
  if (doubt === NOT_YET) return
  deps.log.info('changes in the database are announced again')
  reload(state)
}

function reconnect(state: FeedState, deps: FeedDeps, reason: string): void {
  if (state.closed) return
  state.cancelNext()
  state.listener?.drop()
  state.listener = undefined
  doubt(state, deps, reason)
  state.cancelNext = deps.clock.after(RECONNECT_MS, () => {
    connect(state, deps).catch((error: Error) =>
      reconnect(state, deps, `cannot listen for changes in the database: ${error.message || String(error)}`),
    )
  })
}

function doubt(state: FeedState, { clock, log }: FeedDeps, reason: string): void {
  const before = state.doubt
  // A connection that is lost while notifications do not arrive says nothing new.
  if (before === SILENT && reason === LOST) return
  state.doubt = reason
  if (before !== reason) log.warn(`${reason}; everything is read again every ${RELOAD_MS / 1000} s`)
  if (before !== undefined && before !== NOT_YET) return
  if (reason === SILENT) reload(state)
  state.stopReloads = every(clock, RELOAD_MS, () => reload(state))
}

function reload(state: FeedState): void {
  for (const listener of [...state.listeners.values()].flat()) listener.missed()
}

/** One connection that listens for changes and for notifications to itself. */
interface Listener {
  channel: string
  close(): Promise<void>
  /** Ends the connection without waiting for the other side. */
  drop(): void
}

async function openListener(
  address: DatabaseAddress,
  on: { changed(table: string, id: string): void; answered(listener: Listener): void; ended(listener: Listener): void },
): Promise<Listener> {
  const socket = new Socket()
  const client = new pg.Client({
    ...address,
    application_name: 'plantroom changes',
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
    stream: () => socket,
  })
  const listener: Listener = {
    channel: newId('plantroom_alive').toLowerCase(),
    // Destroyed, because the other side of a frozen connection never confirms the end.
    async close() {
      const ended = client.end().catch(() => {})
      socket.destroy()
      await ended
    },
    drop: () => void socket.destroy(),
  }
  client.on('notification', ({ channel, payload = '' }) => {
    if (channel === listener.channel) return on.answered(listener)
    const separator = payload.indexOf(':')
    on.changed(payload.slice(0, separator), payload.slice(separator + 1))
  })
  client.on('error', () => {})
  client.once('end', () => on.ended(listener))
  try {
    await client.connect()
    await client.query(`LISTEN plantroom_change; LISTEN ${client.escapeIdentifier(listener.channel)}`)
  } catch (error) {
    socket.destroy()
    throw error
  }
  return listener
}
