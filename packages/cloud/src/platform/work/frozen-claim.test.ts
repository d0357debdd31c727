import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { type KyselyPlugin, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../testing/database.ts'
import { openDatabase } from '../db/database.ts'
import { DUTIES } from './duties.ts'
import type { WorkKind } from './kind.ts'
import { runDue } from './work.ts'

/** Never gives the answer to the first statement of a claim back, as a process that is halted there. */
function halted(): KyselyPlugin {
  let answers = 0
  return {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      answers += 1
      // The first one says that something is due.
      return answers === 1 ? Promise.resolve(result) : new Promise(() => {})
    },
  }
}

test('a process that is halted in the middle of a claim does not keep the others from theirs', async () => {
  const log = createLog('test', 'silent')
  const url = await createTestDatabase()
  const [db, other] = [openDatabase({ connectionString: url }, log), openDatabase({ connectionString: url }, log)]
  onTestFinished(() => other.destroy())
  await sql`INSERT INTO duty (name) VALUES ('sweep')`.execute(other)
  const ran: string[] = []
  const kind: WorkKind<'duty', 'name'> = {
    name: 'duty',
    rows: DUTIES,
    atOnce: 1,
    perOrganization: 1,
    run: async ({ name }) => void ran.push(name),
  }
  const clock = createManualClock()
  void runDue({ db: db.withPlugin(halted()), clock, log }, kind)
  const holdsLock = sql<{
    held: boolean
  }>`SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted) AS held`
  await expect.poll(async () => (await holdsLock.execute(other)).rows[0]?.held, { timeout: 30_000 }).toBe(true)
  expect(await runDue({ db: other, clock, log }, kind)).toBe(1)
  expect(ran).toEqual(['sweep'])
})
