import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { correlate } from '@plantroom/base/correlation'
import { createLog } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { eventually } from '@plantroom/testkit/eventually'
import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../testing/database.ts'
import { type DatabaseOptions, type Db, explainConflicts, isTimeout, isUnreachable, openDatabase } from './database.ts'

async function open(connectionString?: string, options?: DatabaseOptions): Promise<Db> {
  const db = openDatabase(
    { connectionString: connectionString ?? (await createTestDatabase()) },
    createLog('test', 'silent'),
    options,
  )
  onTestFinished(() => db.destroy())
  return db
}

const pidOf = async (db: Db) => (await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db)).rows[0]?.pid
const terminate = (db: Db, pid: number | undefined) => sql`SELECT pg_terminate_backend(${pid}, 5000)`.execute(db)

test('a transaction that is idle for too long releases its locks', async () => {
  const address = await createTestDatabase()
  const [frozen, other] = [await open(address, { idleInTransactionMs: 50 }), await open(address)]
  await frozen.connection().execute(async (connection) => {
    // In one message: this transaction may be idle for too long before a second one arrives.
    await sql`BEGIN; LOCK TABLE organization`.execute(connection)
    await other.insertInto('organization').values({ id: 'org', name: 'Organization' }).execute()
    await expect(sql`COMMIT`.execute(connection)).rejects.toThrow()
  })
  expect(await other.selectFrom('organization').select('id').execute()).toEqual([{ id: 'org' }])
})

test('an organization whose transactions wait for each other does not keep another one waiting', async () => {
  const db = await open()
  const held = Promise.withResolvers<void>()
  const first = Promise.withResolvers<void>()
  const holder = db.transaction().execute(async (tx) => {
    await tx.insertInto('organization').values({ id: 'one', name: 'One' }).execute()
    first.resolve()
    await held.promise
  })
  await first.promise
  // Each waits for the row of the open transaction.
  const greedy = Array.from({ length: 60 }, () =>
    correlate({ organizationId: 'greedy' }, () =>
      db
        .insertInto('organization')
        .values({ id: 'one', name: 'One' })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    ),
  )
  await correlate({ organizationId: 'ordinary' }, () => db.selectFrom('organization').select('id').execute())
  held.resolve()
  await Promise.all([holder, ...greedy])
})

describe('a server that ends idle connections', () => {
  const FATAL = 'SFATAL\0C57P01\0Mterminating connection\0\0'
  /** Passes everything on to the server, and answers the end of a connection as a server does that is being stopped. */
  async function startEndingServer(): Promise<{
    port: number
    database: string
    endAll(): void
    ended: Promise<void>
  }> {
    const { pathname, searchParams } = new URL(await createTestDatabase())
    const ended = Promise.withResolvers<void>()
    const sockets = new Set<Socket>()
    const end = (socket: Socket) => {
      const message = Buffer.from(`E....${FATAL}`)
      message.writeUInt32BE(message.length - 1, 1)
      socket.end(message)
    }
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}).on('close', () => ended.resolve()))
      const real = connect(`${searchParams.get('host')}/.s.PGSQL.${searchParams.get('port')}`).on('error', () => {})
      real.pipe(socket, { end: false })
      socket.on('data', (bytes) => (bytes[0] === 0x58 ? end(socket) : real.write(bytes)))
      socket.on('close', () => real.destroy())
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    return { port, database: pathname.slice(1), endAll: () => sockets.forEach(end), ended: ended.promise }
  }

  test.each([
    ['is reported', false],
    ['is not reported while this process stops', true],
  ])('%s', async (_what, stops) => {
    const { port, database, endAll, ended } = await startEndingServer()
    const logged: string[] = []
    const log = createLog('test', 'warn', { write: (line) => void logged.push(line) })
    const address = { host: '127.0.0.1', port, user: inject('postgres').user, database }
    const db = openDatabase(address, log)
    await sql`SELECT 1`.execute(db)
    if (stops) await db.destroy()
    else endAll()
    await ended
    expect(logged).toEqual(stops ? [] : [expect.stringContaining('lost an idle database connection')])
    await db.destroy()
  })
})

const rejection = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('a database that cannot be reached', () => {
  test.each([
    ['has no server', 'postgresql://127.0.0.1:9/none'],
    ['has no socket', 'postgresql:///none?host=/nowhere'],
  ])('%s', async (_what, address) => {
    const error = await rejection(sql`SELECT 1`.execute(await open(address)))
    expect(isUnreachable(error)).toBe(true)
    expect(isTimeout(error)).toBe(false)
  })

  test('ended the connection in the middle of a statement', async () => {
    const address = await createTestDatabase()
    const [db, other] = [await open(address), await open(address)]
    const { promise: running, resolve } = Promise.withResolvers<number | undefined>()
    const transaction = db.transaction().execute(async (tx) => {
      resolve(await pidOf(tx))
      await sql`SELECT pg_sleep(60)`.execute(tx)
    })
    const failed = rejection(transaction)
    await terminate(other, await running)
    expect(isUnreachable(await failed)).toBe(true)
  })

  test('is no error of a statement, and none of another peer', async () => {
    expect(isUnreachable(await rejection(sql`SELECT 1 / 0`.execute(await open())))).toBe(false)
    expect(isUnreachable(Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' }))).toBe(false)
  })
})

describe('a statement that takes too long', () => {
  test('is ended, and counts as a timeout', async () => {
    const db = await open(undefined, { statementMs: 50 })
    expect(isTimeout(await rejection(sql`SELECT pg_sleep(60)`.execute(db)))).toBe(true)
    expect((await sql`SELECT 1`.execute(db)).rows).toHaveLength(1)
  })

  test('is ended while it waits for a lock', async () => {
    const address = await createTestDatabase()
    const [waiting, holder] = [await open(address, { lockMs: 50 }), await open(address)]
    await holder.transaction().execute(async (trx) => {
      await sql`LOCK TABLE organization`.execute(trx)
      expect(isTimeout(await rejection(waiting.selectFrom('organization').select('id').execute()))).toBe(true)
    })
  })

  test('is no other error', async () => {
    const db = await open()
    expect(isTimeout(await rejection(sql`SELECT 1 / 0`.execute(db)))).toBe(false)
    expect(isTimeout(new Error('something else'))).toBe(false)
  })
})

describe('a connection closed by the server', () => {
  test('is replaced when it was idle', async () => {
    const address = await createTestDatabase()
    const [db, other] = [await open(address), await open(address)]
    const pid = await pidOf(db)
    await terminate(other, pid)
    await eventually(async () => expect(await pidOf(db)).not.toBe(pid))
  })

  test('fails only the transaction that used it', async () => {
    const address = await createTestDatabase()
    const [db, other] = [await open(address), await open(address)]
    const transaction = db.transaction().execute(async (tx) => {
      await tx.insertInto('organization').values({ id: 'org', name: 'Organization' }).execute()
      await terminate(other, await pidOf(tx))
      // No query is running, as when a transaction waits for a device: the connection reports its end as an event.
      await eventually(() =>
        expect(tx.selectFrom('organization').execute()).rejects.toThrow(/terminated|closed|queryable/i),
      )
      await tx.selectFrom('organization').execute()
    })
    await expect(transaction).rejects.toThrow()
    expect(await db.selectFrom('organization').selectAll().execute()).toEqual([])
  })
})

describe('a violated constraint', () => {
  const add = (db: Db, id: string, name: string) => db.insertInto('organization').values({ id, name }).execute()
  const taken = new Failure('conflict', 'this name is already in use')

  test('is explained when it is known', async () => {
    const db = await open()
    await add(db, 'org_1', 'Organization')
    const explained = explainConflicts(add(db, 'org_2', 'Organization'), { organization_name_key: taken })
    await expect(explained).rejects.toBe(taken)
  })

  test('is passed on when it is unknown', async () => {
    const db = await open()
    await add(db, 'org_1', 'Organization')
    const unexplained = explainConflicts(add(db, 'org_1', 'Other'), { organization_name_key: taken })
    await expect(unexplained).rejects.toMatchObject({ constraint: 'organization_pkey' })
  })

  test.each([
    ['another error of the database', (db: Db) => sql`SELECT 1 / 0`.execute(db), /division by zero/],
    ['an error from elsewhere', async () => Promise.reject(new Error('of our own')), /of our own/],
  ])('does not hide %s', async (_what, write, message) => {
    await expect(explainConflicts(write(await open()), { organization_name_key: taken })).rejects.toThrow(message)
  })

  test('does not occur: the result is passed on', async () => {
    await expect(explainConflicts(Promise.resolve(7), { organization_name_key: taken })).resolves.toBe(7)
  })
})
