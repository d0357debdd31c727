import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock, type ManualClock } from '@plantroom/testkit/manual-clock'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'
import { type ChangeFeed, openChangeFeed } from './change-feed.ts'
import { type DatabaseProxy, startProxy } from './testing/proxy.ts'

const log = createLog('test', 'silent')

interface Open {
  feed: ChangeFeed
  clock: ManualClock
  /** Between the feed and the database. */
  proxy: DatabaseProxy
  /** Another connection to the same database. */
  sql(text: string): Promise<Record<string, unknown>[]>
}

async function open(): Promise<Open> {
  const connectionString = await createTestDatabase()
  const other = new pg.Client({ connectionString })
  other.on('error', () => {})
  await other.connect()
  onTestFinished(() => other.end())
  const clock = createManualClock()
  const proxy = await startProxy(connectionString)
  const feed = await openChangeFeed({ address: proxy.address, clock, log })
  onTestFinished(() => feed.close())
  return { feed, clock, proxy, sql: async (text) => (await other.query(text)).rows }
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

describe('a feed that loses its connection', () => {
  test('reconnects, and then reports that changes may have been missed', async () => {
    const opened = await open()
    const { feed, clock, sql } = opened
    const seen = follow(feed, 'device')
    await endFeedConnection(opened)
    // Reported only after it listens again, so that a read misses nothing.
    await eventually(() => expect(clock.waiting()).toEqual([1_000]))
    expect(seen.missed).toBe(0)
    await clock.advance(1_000)
    await eventually(() => expect(seen.missed).toBe(1))
    await sql("SELECT pg_notify('plantroom_change', 'device:dev_1')")
    await eventually(() => expect(seen.changed).toEqual(['dev_1']))
    expect(await feedPids(opened)).toHaveLength(1)
  })

  test('retries until it succeeds', async () => {
    const { feed, clock, proxy } = await open()
    const seen = follow(feed, 'device')
    await proxy.cut()
    for (let times = 0; times < 3; times += 1) {
      await eventually(() => expect(clock.waiting()).toEqual([1_000]))
      await clock.advance(1_000)
    }
    await eventually(() => expect(clock.waiting()).toEqual([1_000]))
    expect(seen.missed).toBe(0)
    await proxy.restore()
    await clock.advance(1_000)
    await eventually(() => expect(seen.missed).toBe(1))
  })

  test('leaves no timer behind when it is closed before it reconnects', async () => {
    const opened = await open()
    await endFeedConnection(opened)
    await eventually(() => expect(opened.clock.waiting()).toEqual([1_000]))
    await opened.feed.close()
    expect(opened.clock.waiting()).toEqual([])
  })

  test('closes a new connection when it is closed while connecting', async () => {
    const opened = await open()
    const seen = follow(opened.feed, 'device')
    await endFeedConnection(opened)
    await eventually(() => expect(opened.clock.waiting()).toEqual([1_000]))
    const connecting = opened.clock.advance(1_000)
    await opened.feed.close()
    await connecting
    await eventually(async () => expect(await feedPids(opened)).toEqual([]))
    expect(seen.missed).toBe(0)
    expect(opened.clock.waiting()).toEqual([])
  })
})

describe('a feed with a frozen connection', () => {
  test('checks its connection every 20 s', async () => {
    const opened = await open()
    const [pid] = await feedPids(opened)
    for (let times = 0; times < 3; times += 1) {
      await eventually(() => expect(opened.clock.waiting()).toEqual([20_000]))
      await opened.clock.advance(20_000)
    }
    await eventually(() => expect(opened.clock.waiting()).toEqual([20_000]))
    expect(await feedPids(opened)).toEqual([pid])
  })

  test('reconnects after 10 s without an answer', async () => {
    const { feed, clock, sql, proxy } = await open()
    const seen = follow(feed, 'device')
    proxy.freeze()
    await clock.advance(20_000)
    expect(clock.waiting()).toEqual([10_000])
    await clock.advance(10_000)
    await eventually(() => expect(clock.waiting()).toEqual([1_000]))
    await clock.advance(1_000)
    await eventually(() => expect(seen.missed).toBe(1))
    await sql("SELECT pg_notify('plantroom_change', 'device:dev_1')")
    await eventually(() => expect(seen.changed).toEqual(['dev_1']))
  })

  test('can still be closed', async () => {
    const { feed, clock, proxy } = await open()
    proxy.freeze()
    await clock.advance(20_000)
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
    await expect(openChangeFeed({ address, clock, log })).rejects.toThrow(reason)
    expect(clock.waiting()).toEqual([])
  })

  test('rejects with the reason: the server refuses it', async () => {
    const connectionString = (await createTestDatabase()).replace(/test_\w+/, 'no_such_database')
    const opening = openChangeFeed({ address: { connectionString }, clock: createManualClock(), log })
    await expect(opening).rejects.toThrow(/"no_such_database" does not exist/)
  })
})
