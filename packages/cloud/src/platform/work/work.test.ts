import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { sharedTestDatabase } from '../../testing/database.ts'
import { type Db, openDatabase } from '../db/database.ts'
import { DUTIES } from './duties.ts'
import { LEASE_MS, type WorkKind } from './kind.ts'
import { settle } from './leased-rows.ts'
import { describeWork } from './testing/describe-work.ts'
import { runDue, startWork } from './work.ts'

const silent = createLog('test', 'silent')

let db: Db
beforeAll(async () => {
  db = openDatabase({ connectionString: await sharedTestDatabase() }, silent)
})
afterAll(() => db.destroy())
beforeEach(() => sql`TRUNCATE duty, work_turn`.execute(db))

type Kind = WorkKind<'duty', 'name'>

const add = (...names: string[]) =>
  sql`INSERT INTO duty (name, organization_id) SELECT unnest(${names}::text[]), 'org_1'`.execute(db)
const rowOf = (name: string) => db.selectFrom('duty').where('name', '=', name).selectAll().executeTakeFirstOrThrow()
const finish = async (lease: Parameters<Kind['run']>[0]) =>
  void (await settle(db, DUTIES, lease, { due_at: new Date('9999-01-01') }))

/** Rows of the simplest table, which a run settles unless the test has another one. */
const kindOf = (given: Partial<Kind> = {}): Kind => ({
  name: 'chore',
  rows: DUTIES,
  atOnce: 4,
  perOrganization: 2,
  run: finish,
  ...given,
})

function begin(given: Partial<Kind> = {}, deps: Partial<Parameters<typeof startWork>[0]> = {}) {
  const clock = createManualClock()
  const lines: string[] = []
  const log = createLog('test', 'warn', { write: (line) => void lines.push(line) })
  const running = startWork({ db, clock, log, ...deps }, kindOf(given))
  onTestFinished(() => running.stop())
  const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  return { clock, running, logged }
}

describeWork('the simplest row', async () => {
  const clock = createManualClock()
  let added = 0
  const addTo = (organization: string) => {
    added += 1
    return sql`INSERT INTO duty (name, organization_id) VALUES (${`row ${added}`}, ${organization})`.execute(db)
  }
  return { db, clock, kind: kindOf(), add: addTo }
})

describe('started work', () => {
  test('uses a place as soon as it is free', async () => {
    await add('a', 'b', 'c')
    const ran: string[] = []
    const run: Kind['run'] = async (lease) => {
      ran.push(lease.name)
      await finish(lease)
    }
    // The clock does not move: nothing waits for the next look.
    const { running, logged } = begin({ atOnce: 1, perOrganization: 1, run })
    await eventually(() => expect(ran.toSorted()).toEqual(['a', 'b', 'c']))
    await eventually(() => expect(running.running).toBe(0))
    expect(logged()).toEqual([])
  })

  test('looks for rows once a second, or as often as its kind says', async () => {
    const { clock } = begin()
    await eventually(() => expect(clock.waiting()).toEqual([1_000]))
    const other = begin({ lookMs: 7_000 })
    await eventually(() => expect(other.clock.waiting()).toEqual([7_000]))
    await add('a')
    clock.advanceNow(1_000)
    await eventually(async () => expect(await rowOf('a')).toMatchObject({ attempts: 1, leased_until: null }))
  })

  test.each(['changed', 'missed'] as const)('looks when the feed has %s rows', async (event) => {
    const followed: { table: string; news(): void }[] = []
    const follow: NonNullable<Parameters<typeof startWork>[0]['feed']>['follow'] = (table, handlers) => {
      followed.push({ table, news: () => (handlers[event] as () => void)() })
      return () => {}
    }
    const { clock } = begin({}, { feed: { follow } })
    await eventually(() => expect(clock.waiting()).toHaveLength(1))
    await add('a')
    followed[0]?.news()
    await eventually(async () => expect(await rowOf('a')).toMatchObject({ attempts: 1, leased_until: null }))
    expect(followed.map(({ table }) => table)).toEqual(['duty'])
    // The wait that the news ended leaves no timer behind.
    await eventually(() => expect(clock.waiting()).toHaveLength(1))
  })

  test('looks again when news come while it looks', async () => {
    let news = () => {}
    let asked = 0
    const isOpen = () => {
      asked += 1
      if (asked === 1) news()
      return true
    }
    const follow = (_table: string, { changed }: { changed(): void }) => {
      news = changed
      return () => {}
    }
    const { clock } = begin({ isOpen }, { feed: { follow } as never })
    await eventually(() => expect(clock.waiting()).toHaveLength(1))
    expect(asked).toBe(2)
  })

  test('leaves rows alone while its kind is closed', async () => {
    await add('a')
    let isOpen = false
    const { clock } = begin({ isOpen: () => isOpen })
    await eventually(() => expect(clock.waiting()).toHaveLength(1))
    expect(await rowOf('a')).toMatchObject({ attempts: 0 })
    isOpen = true
    clock.advanceNow(1_000)
    await eventually(async () => expect(await rowOf('a')).toMatchObject({ attempts: 1 }))
  })

  test('says that it could not look, and looks again after a second', async () => {
    await add('a')
    let isBroken = true
    const isOpen = () => {
      if (isBroken) throw new Error('the connection was lost')
      return true
    }
    const { clock, logged } = begin({ isOpen })
    await eventually(() => expect(clock.waiting()).toEqual([1_000]))
    expect(logged()).toMatchObject([
      { kind: 'chore', error: 'the connection was lost', msg: 'could not look for work; retrying' },
    ])
    isBroken = false
    clock.advanceNow(1_000)
    await eventually(async () => expect(await rowOf('a')).toMatchObject({ attempts: 1 }))
  })

  test('asks its runs to stop, and waits for them', async () => {
    await add('a')
    let reason: unknown
    const end = Promise.withResolvers<void>()
    const run: Kind['run'] = async (_lease, { stopping }) => {
      stopping.addEventListener('abort', () => {
        reason = stopping.reason
      })
      await end.promise
    }
    const { running } = begin({ run })
    await eventually(() => expect(running.running).toBe(1))
    let hasStopped = false
    const stopped = running.stop().then(() => {
      hasStopped = true
    })
    expect(reason).toEqual(new Error('the process is stopping'))
    await rowOf('a')
    expect([hasStopped, running.running]).toEqual([false, 1])
    end.resolve()
    await stopped
    expect(running.running).toBe(0)
  })
})

describe('a run', () => {
  /** Starts a run that lasts until the end of the test. */
  async function beginRun(given: Partial<Kind> = {}, deps: Parameters<typeof begin>[1] = {}) {
    await add('a')
    const begun = Promise.withResolvers<Parameters<Kind['run']>[1]>()
    const end = Promise.withResolvers<void>()
    const run: Kind['run'] = (_lease, tools) => {
      begun.resolve(tools)
      return end.promise
    }
    const started = begin({ run, ...given }, deps)
    onTestFinished(() => end.resolve())
    return { ...started, end, tools: await begun.promise }
  }

  test('has the row for a minute, and renews that every 20 seconds with what it also stores', async () => {
    const { clock, tools } = await beginRun()
    const leasedAt = clock.now()
    expect((await rowOf('a')).leased_until).toEqual(new Date(leasedAt + 60_000))
    tools.alsoStore(() => ({ attempts: 7 }))
    expect(clock.waiting()).toContain(20_000)
    clock.advanceNow(20_000)
    const renewed = { attempts: 7, leased_until: new Date(leasedAt + 80_000) }
    await eventually(async () => expect(await rowOf('a')).toMatchObject(renewed))
    expect(tools.lost.aborted).toBe(false)
  })

  test.each([
    [{ leaseMs: 9_000 }, 3_000],
    [{ leaseMs: 9_000, renewMs: 2_000 }, 2_000],
  ])('has the row for as long as its kind says: %j', async (given, renewMs) => {
    const { clock } = await beginRun(given)
    expect((await rowOf('a')).leased_until).toEqual(new Date(clock.now() + 9_000))
    expect(clock.waiting()).toContain(renewMs)
  })

  test('learns that another process has the row', async () => {
    const { clock, tools } = await beginRun()
    await sql`UPDATE duty SET claim = claim + 1`.execute(db)
    clock.advanceNow(20_000)
    await eventually(() => expect(tools.lost.aborted).toBe(true))
    expect(tools.lost.reason).toEqual(new Error('another process has this work'))
    expect(tools.stopping.aborted).toBe(false)
  })

  test('goes on when its lease cannot be renewed, with one renewal at a time', async () => {
    const renewals: { reject(error: Error): void }[] = []
    const slow = new Proxy(db, {
      get(target, name) {
        if (name === 'updateTable') {
          const answer = Promise.withResolvers<never>()
          renewals.push(answer)
          const query = { set: () => query, where: () => query, executeTakeFirst: () => answer.promise }
          return () => query
        }
        const found: unknown = Reflect.get(target, name)
        return typeof found === 'function' ? found.bind(target) : found
      },
    })
    const { clock, tools, logged, end, running } = await beginRun({}, { db: slow })
    await clock.advance(40_000)
    expect(renewals).toHaveLength(1)
    renewals[0]?.reject(new Error('the connection was lost'))
    const warning = { kind: 'chore', error: 'the connection was lost', msg: 'could not renew a lease' }
    await eventually(() => expect(logged()).toMatchObject([warning]))
    await clock.advance(20_000)
    expect([renewals.length, tools.lost.aborted]).toEqual([2, false])
    // It ends with its renewal, and renews no more.
    end.resolve()
    await clock.advance(20_000)
    expect([renewals.length, running.running]).toEqual([2, 1])
    renewals[1]?.reject(new Error('the connection was lost'))
    await eventually(() => expect(running.running).toBe(0))
  })

  test('that throws is logged with its row, which is run again', async () => {
    await add('a')
    const run = () => Promise.reject(new Error('the disk is full'))
    const { running, logged, clock } = begin({ run })
    const warning = {
      kind: 'chore',
      name: 'a',
      err: { message: 'the disk is full' },
      msg: 'work was not recorded; it is done again',
    }
    await eventually(() => expect(logged()).toMatchObject([warning]))
    await eventually(() => expect(running.running).toBe(0))
    clock.step(LEASE_MS)
    await eventually(async () => {
      await clock.advance(1_000)
      expect(logged().length).toBeGreaterThan(1)
    })
  })
})

describe('what is due', () => {
  const deps = () => ({ db, clock: createManualClock(), log: silent })

  test('is done before its number is returned', async () => {
    await add('a', 'b', 'c', 'd', 'e')
    let ended = 0
    const run: Kind['run'] = async (lease) => {
      await finish(lease)
      ended += 1
    }
    expect(await runDue(deps(), kindOf({ run }))).toBe(5)
    expect(ended).toBe(5)
    expect(await runDue(deps(), kindOf({ run }))).toBe(0)
  })

  test('is run with at most so many at once, in all and of one organization', async () => {
    await sql`INSERT INTO duty (name, organization_id) SELECT n, 'org_' || (n % 4) FROM generate_series(1, 16) AS n`.execute(
      db,
    )
    const running: string[] = []
    const most = { all: 0, ofOne: 0 }
    const run: Kind['run'] = async (lease) => {
      running.push(lease.organizationId)
      most.all = Math.max(most.all, running.length)
      most.ofOne = Math.max(most.ofOne, running.filter((id) => id === lease.organizationId).length)
      await finish(lease)
      running.splice(running.indexOf(lease.organizationId), 1)
    }
    expect(await runDue(deps(), kindOf({ run, atOnce: 3, perOrganization: 1 }))).toBe(16)
    expect(most).toEqual({ all: 3, ofOne: 1 })
  })

  test('is left when the process stops', async () => {
    await add('a')
    expect(await runDue(deps(), kindOf(), AbortSignal.abort())).toBe(0)
    const stopping = new AbortController()
    const isOpen = () => {
      // From now on, also between the look and the claim.
      stopping.abort()
      return true
    }
    expect(await runDue(deps(), kindOf({ isOpen }), stopping.signal)).toBe(0)
    expect(await rowOf('a')).toMatchObject({ attempts: 0 })
  })
})
