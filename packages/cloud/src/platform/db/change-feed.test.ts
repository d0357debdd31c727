import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock, type ManualClock } from '@plantroom/testkit/manual-clock'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../testing/database.ts'
import { type ChangeFeed, openChangeFeed, RELOAD_MS } from './change-feed.ts'
import { type Db, openDatabase } from './database.ts'
import { type DatabaseProxy, startProxy } from './testing/proxy.ts'

const log = createLog('test', 'silent')
const PING_MS = 3_000
const ANSWER_MS = 5_000

interface Open {
  feed: ChangeFeed
  clock: ManualClock
  /** Between the feed and the database. */
  proxy: DatabaseProxy
  /** Another connection to the same database. */
  sql(text: string): Promise<Record<string, unknown>[]>
  /** Keeps the feed from sending notifications to itself. */
  stopPings(): Promise<void>
}

function openPool(connectionString: string): Db {
  const db = openDatabase({ connectionString }, log)
  onTestFinished(() => db.destroy())
  return db
}

async function open(): Promise<Open> {
  const connectionString = await createTestDatabase()
  const other = new pg.Client({ connectionString })
  other.on('error', () => {})
  await other.connect()
  onTestFinished(() => other.end())
  const clock = createManualClock()
  const proxy = await startProxy(connectionString)
  const db = openPool(connectionString)
  const feed = await openChangeFeed({ address: proxy.address, db, clock, log })
  onTestFinished(() => feed.close())
  const sql = async (text: string) => (await other.query(text)).rows
  return { feed, clock, proxy, sql, stopPings: () => db.destroy() }
}

function follow(feed: ChangeFeed, table: string): { changed: string[]; missed: number } {
  const seen = { changed: [] as string[], missed: 0 }
  feed.follow(table, {
    changed: (id) => seen.changed.push(id),
    missed: () => {
      seen.missed += 1
    },
  })
  return seen
}

const FEED = "application_name = 'plantroom changes' AND datname = current_database()"
const feedPids = async ({ sql }: Open) =>
  (await sql(`SELECT pid FROM pg_stat_activity WHERE ${FEED}`)).map(({ pid }) => pid)
const endFeedConnection = ({ sql }: Open) =>
  sql(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE ${FEED}`)

describe('a change in the database', () => {
  test('is announced with the id of its row once it is committed', async () => {
    const { feed, sql } = await open()
    const seen = follow(feed, 'device')
    await sql("INSERT INTO organization (id, name) VALUES ('org', 'Organization')")
    await sql("INSERT INTO site (id, organization_id, name) VALUES ('site', 'org', 'Site')")
    const device = (id: string) => `('${id}', 'org', 'site', '${id}', sha256('first'))`
    const insert = 'INSERT INTO device (id, organization_id, site_id, name, secret_hash) VALUES'
    await sql(`BEGIN; ${insert} ${device('undone')}; ROLLBACK`)
    await sql(`${insert} ${device('a')}, ${device('b:c')}`)
    await sql("UPDATE device SET secret_hash = sha256('second') WHERE id = 'a'")
    await sql("DELETE FROM device WHERE id = 'b:c'")
    await eventually(() => expect(seen.changed).toEqual(['a', 'b:c', 'a', 'b:c']))
  })

  test('is announced only to followers of its table', async () => {
    const { feed, sql } = await open()
    const [devices, keys] = [follow(feed, 'device'), follow(feed, 'api_key')]
    await sql("SELECT pg_notify('plantroom_change', 'nobody_follows:1')")
    await sql("SELECT pg_notify('plantroom_change', 'api_key:key_1')")
    await sql("SELECT pg_notify('plantroom_change', '')")
    await sql("SELECT pg_notify('plantroom_change', 'device:dev_1')")
    await eventually(() => expect(devices.changed).toEqual(['dev_1']))
    expect(keys.changed).toEqual(['key_1'])
  })
})

/** Waits until the feed has seen its own notification. */
const confirmed = ({ feed, clock }: Open) =>
  eventually(() => expect([feed.doubt, clock.waiting()]).toEqual([undefined, [PING_MS]]))

describe('a feed that loses its connection', () => {
  test('reconnects, and then reports that changes may have been missed', async () => {
    const opened = await open()
    const { feed, clock, sql } = opened
    const seen = follow(feed, 'device')
    await confirmed(opened)
    await endFeedConnection(opened)
    // Reported only after it listens again, so that a read misses nothing.
    await eventually(() => expect(clock.waiting()).toEqual([1_000, RELOAD_MS]))
    expect(seen.missed).toBe(0)
    expect(feed.doubt).toMatch(/^lost the connection/)
    await clock.advance(1_000)
    await eventually(() => expect(seen.missed).toBe(1))
    await confirmed(opened)
    await sql("SELECT pg_notify('plantroom_change', 'device:dev_1')")
    await eventually(() => expect(seen.changed).toEqual(['dev_1']))
    expect(await feedPids(opened)).toHaveLength(1)
  })

  test('retries until it succeeds, and has everything read again every 5 s meanwhile', async () => {
    const opened = await open()
    const { feed, clock, proxy } = opened
    const seen = follow(feed, 'device')
    await confirmed(opened)
    await proxy.cut()
    for (let times = 0; times < 5; times += 1) {
      await eventually(() => expect(clock.waiting()[0]).toBe(1_000))
      await clock.advance(1_000)
    }
    await eventually(() => expect(clock.waiting()[0]).toBe(1_000))
    expect(feed.doubt).toMatch(/^cannot listen for changes in the database: .*ECONNREFUSED/)
    expect(seen.missed).toBe(1)
    await proxy.restore()
    await clock.advance(1_000)
    await eventually(() => expect(seen.missed).toBe(2))
    await confirmed(opened)
  })

  test('leaves no timer behind when it is closed before it reconnects', async () => {
    const opened = await open()
    await confirmed(opened)
    await endFeedConnection(opened)
    await eventually(() => expect(opened.clock.waiting()[0]).toBe(1_000))
    await opened.feed.close()
    expect(opened.clock.waiting()).toEqual([])
  })

  test('closes a new connection when it is closed while connecting', async () => {
    const opened = await open()
    const seen = follow(opened.feed, 'device')
    await confirmed(opened)
    await endFeedConnection(opened)
    await eventually(() => expect(opened.clock.waiting()[0]).toBe(1_000))
    const connecting = opened.clock.advance(1_000)
    await opened.feed.close()
    await connecting
    await eventually(async () => expect(await feedPids(opened)).toEqual([]))
    expect(seen.missed).toBe(0)
    expect(opened.clock.waiting()).toEqual([])
  })
})

describe('a feed with a connection that stays open', () => {
  test('sends a notification to itself every 3 s', async () => {
    const opened = await open()
    const [pid] = await feedPids(opened)
    for (let times = 0; times < 3; times += 1) {
      await confirmed(opened)
      await opened.clock.advance(PING_MS)
    }
    await confirmed(opened)
    expect(await feedPids(opened)).toEqual([pid])
  })

  test('reconnects when the connection is frozen', async () => {
    const opened = await open()
    const { feed, clock, sql, proxy } = opened
    const seen = follow(feed, 'device')
    await confirmed(opened)
    proxy.freeze()
    await clock.advance(PING_MS)
    await clock.advance(ANSWER_MS)
    expect(feed.doubt).toMatch(/^the database does not announce changes/)
    expect(seen.missed).toBe(1)
    await clock.advance(1_000)
    await eventually(() => expect(seen.missed).toBe(2))
    await confirmed(opened)
    await sql("SELECT pg_notify('plantroom_change', 'device:dev_1')")
    await eventually(() => expect(seen.changed).toEqual(['dev_1']))
  })

  test('reconnects when the connection answers queries but no longer listens', async () => {
    const opened = await open()
    const { feed, clock } = opened
    const seen = follow(feed, 'device')
    await confirmed(opened)
    await opened.stopPings()
    await clock.advance(PING_MS)
    await clock.advance(ANSWER_MS)
    expect(feed.doubt).toMatch(/PLANTROOM_LISTEN_URL/)
    expect(seen.missed).toBe(1)
    await clock.advance(RELOAD_MS)
    expect(seen.missed).toBe(2)
  })

  test('can still be closed', async () => {
    const opened = await open()
    const { feed, clock, proxy } = opened
    await confirmed(opened)
    proxy.freeze()
    await clock.advance(PING_MS)
    await feed.close()
    await eventually(() => expect(clock.waiting()).toEqual([]))
  })
})

describe('a feed that cannot be opened', () => {
  test.each([
    ['nothing listens', { host: '127.0.0.1', port: 1, user: 'nobody', database: 'none' }, /ECONNREFUSED/],
    ['there is no socket', { host: '/nowhere', port: 5432, user: 'nobody', database: 'none' }, /ENOENT/],
  ])('rejects with the reason: %s', async (_what, address, reason) => {
    const clock = createManualClock()
    const db = openPool(await createTestDatabase())
    await expect(openChangeFeed({ address, db, clock, log })).rejects.toThrow(reason)
    expect(clock.waiting()).toEqual([])
  })

  test('rejects with the reason: the server refuses it', async () => {
    const existing = await createTestDatabase()
    const address = { connectionString: existing.replace(/test_\w+/, 'no_such_database') }
    const opening = openChangeFeed({ address, db: openPool(existing), clock: createManualClock(), log })
    await expect(opening).rejects.toThrow(/"no_such_database" does not exist/)
  })
})
