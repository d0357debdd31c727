import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { sharedTestDatabase } from '../../testing/database.ts'
import { type Db, openDatabase } from '../db/database.ts'
import { DUTIES } from './duties.ts'
import type { WorkKind } from './kind.ts'
import { settle } from './leased-rows.ts'
import { startWork } from './work.ts'

const log = createLog('test', 'silent')
const LATER = { due_at: new Date('9999-01-01') }
const SLOW_MS = 2_000

let db: Db
beforeAll(async () => {
  db = openDatabase({ connectionString: await sharedTestDatabase() }, log)
})
afterAll(() => db.destroy())
beforeEach(() => sql`TRUNCATE duty, work_turn`.execute(db))

const add = (organization: string, ...names: string[]) =>
  sql`INSERT INTO duty (name, organization_id) SELECT unnest(${names}::text[]), ${organization}`.execute(db)
const dueNow = (name: string) => sql`UPDATE duty SET due_at = 'epoch' WHERE name = ${name}`.execute(db)

/** Rows whose name begins with `slow` wait for a server that never answers, until the test ends them or they give way. */
function begin({ heeds = true } = {}) {
  const clock = createManualClock()
  const slow = new Set<string>()
  const begun: string[] = []
  const done: string[] = []
  const waiting = new Map<string, () => void>()
  const kind: WorkKind<'duty', 'name'> = {
    name: 'chore',
    rows: {
      ...DUTIES,
      slow: {
        is: () => sql`item.name = ANY(${[...slow]}::text[])`,
        async remember(_db, { name }, isSlow) {
          if (isSlow) slow.add(name)
          else slow.delete(name)
        },
      },
    },
    atOnce: 4,
    perOrganization: 2,
    slow: { afterMs: SLOW_MS, atOnce: 3, perOrganization: 2 },
    async run(lease, { giveWay }) {
      begun.push(lease.name)
      const answered = Promise.withResolvers<boolean>()
      waiting.set(lease.name, () => answered.resolve(true))
      if (heeds) giveWay.addEventListener('abort', () => answered.resolve(false))
      if (!lease.name.startsWith('slow')) answered.resolve(true)
      const isAnswered = await answered.promise
      await settle(db, DUTIES, lease, isAnswered ? LATER : {})
      if (isAnswered) done.push(lease.name)
    },
  }
  const running = startWork({ db, clock, log }, kind)
  onTestFinished(async () => {
    const stopped = running.stop()
    for (const answer of waiting.values()) answer()
    await stopped
  })
  return { clock, slow, begun, done, running, answer: (name: string) => waiting.get(name)?.() }
}

test('work that takes long leaves its place to the others, and continues', async () => {
  await add('org_1', 'slow 1', 'slow 2')
  await add('org_2', 'slow 3')
  await add('org_3', 'slow 4')
  const { clock, begun, done, answer } = begin()
  await eventually(() => expect(begun).toHaveLength(4))
  await add('org_4', 'quick')
  await clock.advance(SLOW_MS)
  await eventually(() => expect(done).toContain('quick'))
  // Three continue where they are; there is no room for the fourth, which begins again when there is.
  expect(begun.toSorted()).toEqual(['quick', 'slow 1', 'slow 2', 'slow 3', 'slow 4'])
  for (const name of ['slow 1', 'slow 2', 'slow 3']) answer(name)
  await eventually(async () => {
    await clock.advance(1_000)
    expect(begun.filter((name) => name === 'slow 4')).toHaveLength(2)
  })
  answer('slow 4')
  await eventually(() => expect(done.toSorted()).toEqual(['quick', 'slow 1', 'slow 2', 'slow 3', 'slow 4']))
})

test('any number of organizations with slow work keep no other one waiting', async () => {
  for (let index = 0; index < 12; index += 1) await add(`org_${index}`, `slow ${index} a`, `slow ${index} b`)
  const { clock, slow, done, running } = begin()
  await eventually(async () => {
    await clock.advance(SLOW_MS)
    expect(slow.size).toBe(24)
  })
  for (let round = 0; round < 5; round += 1) {
    await add('ordinary', `quick ${round}`)
    await clock.advance(1_000)
    await eventually(() => expect(done).toContain(`quick ${round}`))
    expect(running.running).toBe(3)
  }
})

test('what was slow begins among the slow ones, and what is quick again among the others', async () => {
  await add('org_1', 'slow 1')
  const { clock, slow, begun, answer } = begin()
  await eventually(() => expect(begun).toHaveLength(1))
  await clock.advance(SLOW_MS)
  expect([...slow]).toEqual([])
  await clock.advance(SLOW_MS)
  await eventually(() => expect([...slow]).toEqual(['slow 1']))
  answer('slow 1')
  for (const expected of [[], []]) {
    await eventually(async () => {
      await dueNow('slow 1')
      await clock.advance(1_000)
      expect(begun.length).toBeGreaterThan(1)
    })
    begun.splice(1)
    answer('slow 1')
    await eventually(() => expect([...slow]).toEqual(expected))
  }
})

test('what cannot give way keeps its place', async () => {
  await add('org_1', 'slow 1', 'slow 2')
  await add('org_2', 'slow 3', 'slow 4')
  const { clock, done, running, answer } = begin({ heeds: false })
  await eventually(() => expect(running.running).toBe(4))
  await clock.advance(SLOW_MS)
  await eventually(() => expect(running.running).toBe(4))
  answer('slow 4')
  await eventually(() => expect(done).toEqual(['slow 4']))
})
