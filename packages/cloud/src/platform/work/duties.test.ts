import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { sharedTestDatabase } from '../../testing/database.ts'
import { type Db, openDatabase } from '../db/database.ts'
import { type Duty, startDuties, sweep } from './duties.ts'

const HOUR_MS = 3_600_000

let db: Db
beforeAll(async () => {
  db = openDatabase({ connectionString: await sharedTestDatabase() }, createLog('test', 'silent'))
})
afterAll(() => db.destroy())
beforeEach(() => sql`TRUNCATE duty, work_turn`.execute(db))

/** Starts a duty whose first run ends as the test says. Later ones never end. */
async function start(first: (signal: AbortSignal) => Promise<'more' | undefined>, given: Partial<Duty> = {}) {
  const clock = createManualClock()
  const lines: string[] = []
  const log = createLog('test', 'debug', { write: (line) => void lines.push(line) })
  let runs = 0
  const run = (signal: AbortSignal) => {
    runs += 1
    return runs === 1 ? first(signal) : Promise.withResolvers<undefined>().promise
  }
  const duty = { name: 'sweep', everyMs: HOUR_MS, run, ...given }
  const running = await startDuties({ db, clock, log }, [{ ...duty, name: 'other', run: async () => undefined }, duty])
  const row = () =>
    db
      .selectFrom('duty')
      .where('name', '=', 'sweep')
      .select(['attempts', 'leased_until', 'due_at'])
      .executeTakeFirstOrThrow()
  const settled = () =>
    eventually(async () => {
      // Before the row is read: until its first run it has no lease either.
      expect(runs).toBe(1)
      const { attempts, leased_until, due_at } = await row()
      expect(leased_until).toBeNull()
      return { attempts, inMs: due_at.getTime() - clock.now() }
    })
  const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  return { running, settled, logged }
}

describe('a duty', () => {
  test('is due again after its interval', async () => {
    const { running, settled, logged } = await start(async () => undefined)
    onTestFinished(() => running.stop())
    expect(await settled()).toEqual({ attempts: 0, inMs: HOUR_MS })
    expect(logged()).toEqual([])
    expect(await db.selectFrom('work_turn').select('kind').execute()).toEqual([{ kind: 'duty' }])
  })

  test('is due now when something is left', async () => {
    let runs = 0
    const run = async () => (++runs < 3 ? 'more' : undefined)
    const deps = { db, clock: createManualClock(), log: createLog('test', 'silent') }
    const running = await startDuties(deps, [{ name: 'sweep', everyMs: HOUR_MS, run }])
    onTestFinished(() => running.stop())
    // The clock does not move: the later runs are due in the same moment.
    await eventually(() => expect(runs).toBe(3))
  })

  test('that fails is due again after a second, and the log says why', async () => {
    const cause = new Error('the disk is full')
    const { running, settled, logged } = await start(() => Promise.reject(new Error('cannot sweep', { cause })))
    onTestFinished(() => running.stop())
    expect(await settled()).toEqual({ attempts: 1, inMs: 1_000 })
    expect(logged()).toMatchObject([
      { level: 40, duty: 'sweep', error: 'cannot sweep: the disk is full', msg: 'a duty failed; retrying' },
    ])
  })

  test('waits twice as long after each failure, and logs only the first as a warning', async () => {
    await sql`INSERT INTO duty (name, attempts) VALUES ('sweep', 3)`.execute(db)
    const { running, settled, logged } = await start(() => Promise.reject(new Error('cannot sweep')))
    onTestFinished(() => running.stop())
    expect(await settled()).toEqual({ attempts: 4, inMs: 8_000 })
    expect(logged()).toMatchObject([{ level: 20, error: 'cannot sweep' }])
  })

  test('is retried no later than it would be due anyway', async () => {
    await sql`INSERT INTO duty (name, attempts) VALUES ('sweep', 1000)`.execute(db)
    const { running, settled, logged } = await start(() => Promise.reject('no reason'))
    onTestFinished(() => running.stop())
    expect(await settled()).toEqual({ attempts: 1001, inMs: HOUR_MS })
    expect(logged()).toMatchObject([{ error: 'no reason' }])
  })

  test('is retried no later than its longest wait', async () => {
    await sql`INSERT INTO duty (name, attempts) VALUES ('sweep', 1000)`.execute(db)
    const { running, settled } = await start(() => Promise.reject(new Error('busy')), { longestRetryMs: 5_000 })
    onTestFinished(() => running.stop())
    expect((await settled()).inMs).toBe(5_000)
  })

  test('that its process stops is due now, for another one', async () => {
    const begun = Promise.withResolvers<void>()
    const { running, settled, logged } = await start(async (signal) => {
      begun.resolve()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      throw signal.reason
    })
    await begun.promise
    await running.stop()
    expect((await settled()).inMs).toBe(0)
    expect(logged()).toEqual([])
  })

  test('of another program is left alone', async () => {
    await sql`INSERT INTO duty (name) VALUES ('unknown')`.execute(db)
    const { running, settled } = await start(async () => undefined)
    onTestFinished(() => running.stop())
    await settled()
    const unknown = db.selectFrom('duty').where('name', '=', 'unknown').select(['attempts', 'claim'])
    expect(await unknown.executeTakeFirst()).toEqual({ attempts: 0, claim: 0 })
  })
})

test('a sweep logs how much it removed, if anything', async () => {
  const lines: string[] = []
  const log = createLog('test', 'info', { write: (line) => void lines.push(line) })
  const removed = [0, 1]
  const duty = sweep({ log }, { name: 'sweep', everyMs: 1, what: 'uploads', remove: async () => removed.shift() ?? 0 })
  const { signal } = new AbortController()
  expect(await duty.run(signal)).toBeUndefined()
  expect(lines).toEqual([])
  expect(await duty.run(signal)).toBeUndefined()
  expect(JSON.parse(lines.join())).toMatchObject({ removed: 1, msg: 'removed uploads' })
})
