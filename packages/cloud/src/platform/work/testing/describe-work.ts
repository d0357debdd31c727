import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import type { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Db } from '../../db/database.ts'
import { LEASE_MS, type WorkKind } from '../kind.ts'
import { type Lease, type LeasedRows, settle, type WorkTable } from '../leased-rows.ts'
import { runDue, startWork } from '../work.ts'

interface Bench<Table extends WorkTable, Key extends string> {
  db: Db
  clock: ReturnType<typeof createManualClock>
  kind: WorkKind<Table, Key>
  /** Adds a row of one of two organizations that is due. Each is in a group of its own. */
  add(organization: 'org_1' | 'org_2'): Promise<unknown>
}

const log = createLog('test', 'silent')
const identity = <Key extends string>({ rows }: { rows: LeasedRows<WorkTable, Key> }, lease: Lease<Key>) =>
  rows.key.map((name) => lease[name]).join()

async function leasedUntil(db: Db, table: WorkTable): Promise<number> {
  const row = await db
    .selectFrom(table as 'job')
    .where('leased_until', 'is not', null)
    .select('leased_until')
    .executeTakeFirst()
  return row?.leased_until?.getTime() ?? 0
}

/** What holds for every kind of work, whichever processes die. Each feature that has one runs these on its own rows. */
export function describeWork<Table extends WorkTable, Key extends string>(
  name: string,
  open: () => Promise<Bench<Table, Key>>,
): void {
  describe(`${name}, as work`, () => {
    test('is run once, however many processes look', async () => {
      const { db, clock, kind, add } = await open()
      for (let count = 0; count < 12; count += 1) await add(count % 2 === 0 ? 'org_1' : 'org_2')
      const ran: string[] = []
      const counting = { ...kind, run: async (lease: Lease<Key>) => void ran.push(identity(kind, lease)) }
      await Promise.all([1, 2, 3].map(() => runDue({ db, clock, log }, counting)))
      expect(ran).toHaveLength(12)
      expect(new Set(ran).size).toBe(12)
    })

    test('is run again by another process when one died, which then records nothing', async () => {
      const { db, clock, kind, add } = await open()
      await add('org_1')
      const dead: Lease<Key>[] = []
      await runDue({ db, clock, log }, { ...kind, run: async (lease) => void dead.push(lease) })
      const alive: Lease<Key>[] = []
      const next = { ...kind, run: async (lease: Lease<Key>) => void alive.push(lease) }
      expect(await runDue({ db, clock, log }, next)).toBe(0)
      clock.step((kind.leaseMs ?? LEASE_MS) + 1)
      expect(await runDue({ db, clock, log }, next)).toBe(1)
      const [first, second] = [dead[0], alive[0]]
      if (!first || !second) throw new Error('nothing was run')
      expect([first.attempts, second.attempts]).toEqual([1, 2])
      expect(identity(kind, first)).toBe(identity(kind, second))
      expect(await settle(db, kind.rows, first, {} as never)).toBe(false)
      expect(await settle(db, kind.rows, second, {} as never)).toBe(true)
    })

    test('keeps its lease while it runs, and learns when it is lost', async () => {
      const { db, clock, kind, add } = await open()
      await add('org_1')
      let signal: AbortSignal | undefined
      const end = Promise.withResolvers<void>()
      const running = startWork(
        { db, clock, log },
        {
          ...kind,
          run(_lease, { lost }) {
            signal = lost
            return end.promise
          },
        },
      )
      onTestFinished(() => running.stop())
      onTestFinished(() => end.resolve())
      await eventually(() => expect(signal).toBeDefined())
      const leaseMs = kind.leaseMs ?? LEASE_MS
      for (let third = 0; third < 6; third += 1) {
        await clock.advance(leaseMs / 3)
        const until = clock.now() + (2 / 3) * leaseMs
        await eventually(async () => expect(await leasedUntil(db, kind.rows.table)).toBeGreaterThan(until))
      }
      expect(await runDue({ db, clock, log }, kind)).toBe(0)
      await db
        .updateTable(kind.rows.table as 'job')
        .set(({ eb }) => ({ claim: eb('claim', '+', 1) }))
        .execute()
      await eventually(async () => {
        await clock.advance(leaseMs / 3)
        expect(signal?.aborted).toBe(true)
      })
    })

    test('of one organization does not keep that of another waiting', async () => {
      const { db, clock, kind, add } = await open()
      for (let count = 0; count < 2 * kind.atOnce + 2; count += 1) await add('org_1')
      await add('org_2')
      const begun: string[] = []
      const end = Promise.withResolvers<void>()
      const running = startWork(
        { db, clock, log },
        {
          ...kind,
          async run({ organizationId }) {
            begun.push(organizationId)
            await end.promise
          },
        },
      )
      onTestFinished(() => running.stop())
      onTestFinished(() => end.resolve())
      const counts = () => Object.values(Object.groupBy(begun, (id) => id)).map((list) => list?.length)
      await eventually(() => expect(counts().sort()).toEqual([1, kind.perOrganization].sort()))
      expect(kind.perOrganization).toBeLessThanOrEqual(Math.max(1, kind.atOnce / 2))
    })

    test('is looked for again after a database error, and not after it was stopped', async () => {
      const { db, clock, kind, add } = await open()
      let failures = 1
      const failing = new Proxy(db, {
        get(target, name) {
          if (name === 'transaction' && failures-- > 0) throw new Error('the connection was lost')
          const found: unknown = Reflect.get(target, name)
          return typeof found === 'function' ? found.bind(target) : found
        },
      })
      // What is not settled is run again when its lease ends: the row counts once.
      const ran = new Set<string>()
      const counting = { ...kind, run: async (lease: Lease<Key>) => void ran.add(identity(kind, lease)) }
      const running = startWork({ db: failing, clock, log }, counting)
      await add('org_1')
      await eventually(async () => {
        await clock.advance(1_000)
        expect(ran.size).toBe(1)
      })
      expect(failures).toBeLessThan(1)
      await running.stop()
      await add('org_1')
      await clock.advance(5_000)
      expect(ran.size).toBe(1)
    })
  })
}
