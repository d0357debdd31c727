import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sharedTestDatabase } from '../../testing/database.ts'
import { type Db, openDatabase } from '../db/database.ts'
import { askedWork } from './asked-work.ts'
import { settle } from './leased-rows.ts'
import { runDue } from './work.ts'

const CHECKS = askedWork<'openadr_check', { ok: boolean }>({
  ...{ table: 'openadr_check', name: 'check', what: 'check', waitMs: 10_000 },
})

let db: Db
beforeAll(async () => {
  db = openDatabase({ connectionString: await sharedTestDatabase() }, createLog('test', 'silent'))
  // The feature that has the table tests what its rows refer to.
  await sql`ALTER TABLE openadr_check DROP CONSTRAINT openadr_check_program_id_fkey`.execute(db)
})
afterAll(() => db.destroy())
beforeEach(() => sql`TRUNCATE openadr_check, work_turn`.execute(db))

/** Asks for work, and waits for it as a request does. */
async function ask(id = 'check_1') {
  const clock = createManualClock()
  const row = { id, program_id: 'program', organization_id: 'org', due_at: new Date(clock.now()) }
  await db.insertInto('openadr_check').values(row).execute()
  return { clock, waiting: CHECKS.wait(db, id, clock) }
}
const left = async () => (await db.selectFrom('openadr_check').select('id').execute()).map(({ id }) => id)

describe('asked work', () => {
  test('is done by a worker while the request looks four times a second, and then returned and removed', async () => {
    const { clock, waiting } = await ask()
    const kind = CHECKS.kind(async (lease) => {
      await settle(db, CHECKS.rows, lease, { outcome: JSON.stringify({ ok: true }) })
    })
    await eventually(() => expect(clock.waiting()).toEqual([250]))
    expect(await CHECKS.outcomeOf(db, 'check_1')).toBeUndefined()
    expect(await runDue({ db, clock, log: createLog('test', 'silent') }, kind)).toBe(1)
    clock.advanceNow(250)
    expect(await waiting).toEqual({ ok: true })
    expect(await left()).toEqual([])
  })

  test('that no worker does in time is given up, and says whom to ask', async () => {
    const { clock, waiting } = await ask()
    let refusal: unknown
    const refused = waiting.catch((error: unknown) => {
      refusal = error
    })
    for (let looks = 0; looks < 40; looks += 1) {
      await eventually(() => expect(clock.waiting()).toEqual([250]))
      expect(refusal).toBeUndefined()
      clock.advanceNow(250)
    }
    await refused
    const message = 'no worker finished the check within 10 s: try again, or ask the operator whether a worker runs'
    expect(refusal).toMatchObject({ kind: 'unavailable', message })
    expect(await left()).toEqual([])
  })

  test('of a request whose process died is forgotten after an hour', async () => {
    const { clock, waiting } = await ask()
    void waiting.catch(() => {})
    const duty = CHECKS.forget({ db, clock })
    expect(duty).toMatchObject({ name: 'checks', everyMs: 3_600_000 })
    const { signal } = new AbortController()
    clock.step(3_600_000)
    await duty.run(signal)
    expect(await left()).toEqual(['check_1'])
    clock.step(1)
    expect(await duty.run(signal)).toBeUndefined()
    expect(await left()).toEqual([])
    // The request ends, too.
    await eventually(() => expect(clock.waiting()).toEqual([250]))
    clock.advanceNow(10_000)
    await expect(waiting).rejects.toThrow('no worker finished')
  })
})
