import { eventually } from '@plantroom/testkit/eventually'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startFleet } from './testing/fleet.ts'

type Fleet = Awaited<ReturnType<typeof startFleet>>

/** The number of connections that wait for a lock. */
async function waiting({ db }: Fleet): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.count ?? 0
}

/** Runs `meanwhile` in a transaction that holds what `lock` locks, and commits. */
async function holding({ db }: Fleet, lock: ReturnType<typeof sql>, meanwhile: () => Promise<void>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lock.execute(tx)
    await meanwhile()
  })
}

test('a refusal that a process stores after it lost its lease does not end what another process is placing', async () => {
  const fleet = await startFleet(1)
  const device = fleet.device(0)
  device.refuses = 'the controller starts'
  const first = fleet.startProcess()
  const id = await fleet.add({ deadlineS: 300 })
  // The result of the first process waits until its lease is over and a second process has sent the target again.
  await holding(fleet, sql`SELECT FROM fleet_dispatch WHERE id = ${id} FOR UPDATE`, async () => {
    first.engine.wake()
    await eventually(async () => expect(await waiting(fleet)).toBe(1))
    first.kill()
    await fleet.pass(31)
    Object.assign(device, { mood: 'lost', refuses: undefined })
    fleet.startProcess().engine.wake()
    await eventually(() => expect(fleet.placements(device)).toHaveLength(2))
  })
  await eventually(async () => expect(await waiting(fleet)).toBe(0))
  // The commit of the first process comes before this lock.
  await sql`SELECT FROM fleet_dispatch WHERE id = ${id} FOR UPDATE`.execute(fleet.db)
  expect((await fleet.dispatch(id)).counts).toMatchObject({ pending: 1 })
  device.mood = 'answers'
  await fleet.within(15, async () => expect((await fleet.dispatch(id)).counts).toMatchObject({ accepted: 1 }))
  expect(device.overrides.size).toBe(1)
})

test('a dispatch ends when two processes store the outcomes of its last targets at the same moment', async () => {
  const fleet = await startFleet(2)
  await waitAtCommit(fleet)
  const [first, second] = [fleet.startProcess(), fleet.startProcess()]
  fleet.device(1).isOnline = false
  const id = await fleet.add()
  await holding(fleet, sql`SELECT pg_advisory_xact_lock(28)`, async () => {
    first.engine.wake()
    await eventually(async () => expect(await waiting(fleet)).toBe(1))
    fleet.device(1).isOnline = true
    second.engine.wake()
    await eventually(async () => expect(await waiting(fleet)).toBe(2))
  })
  await eventually(async () => expect(await fleet.dispatch(id)).toMatchObject({ state: 'completed' }))
  expect(fleet.ended).toMatchObject([{ id, counts: { accepted: 2 } }])
})

/** Lets every transaction that settles a target wait for the advisory lock 28 when it commits. */
async function waitAtCommit({ db }: Fleet): Promise<void> {
  await sql`CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN PERFORM pg_advisory_xact_lock_shared(28); RETURN NULL; END'`.execute(db)
  await sql`CREATE CONSTRAINT TRIGGER wait_at_commit AFTER UPDATE ON fleet_target DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.outcome <> 'pending') EXECUTE FUNCTION wait_at_commit()`.execute(db)
}
