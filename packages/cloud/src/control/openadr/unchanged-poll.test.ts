import { createLog } from '@plantroom/base/log'
import type { KyselyPlugin } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Lease, runDue, timeOf } from '../../platform/work/index.ts'
import { createPlacementStore } from './placement-store.ts'
import { createPollStore } from './poll-store.ts'
import { openBench } from './testing/bench.ts'

const log = createLog('test', 'silent')
const values = (held: readonly { value: number }[]) => held.map(({ value }) => value)

/** Counts statements. */
function counter(): KyselyPlugin & { taken(): number } {
  let count = 0
  return {
    transformQuery({ node }) {
      count += 1
      return node
    },
    transformResult: async ({ result }) => result,
    taken() {
      const before = count
      count = 0
      return before
    },
  }
}

/** Polls as the worker does on its own: nothing but the poll is due. */
async function pollOnly(bench: Awaited<ReturnType<typeof openBench>>, worker = bench.worker): Promise<void> {
  await bench.wakeAt(bench.clock.now())
  await runDue({ ...bench, log }, worker)
}

describe('programs whose VTN says nothing new', () => {
  test('share their statements, however many they are', async () => {
    const bench = await openBench()
    bench.vtn.addEvent(bench.event(-5, 30, [10]))
    const statements = counter()
    const db = bench.db.withPlugin(statements)
    const worker = bench.startWorker({ db })
    await bench.poll(worker)
    const count = async () => {
      await bench.wakeAt(bench.clock.now())
      statements.taken()
      expect(await runDue({ ...bench, db, log }, worker)).toBeGreaterThan(0)
      return statements.taken()
    }
    const ofOne = await count()
    for (let more = 0; more < 7; more += 1) await bench.addProgram()
    await bench.poll(worker)
    expect(await count()).toBe(ofOne)
    // Look, claim, open, find the equipment, record, and look again.
    expect(ofOne).toBeLessThanOrEqual(9)
  })

  test('are shown as polled', async () => {
    const bench = await openBench()
    await bench.poll()
    bench.clock.step(61_000)
    await pollOnly(bench)
    const state = await bench.state()
    expect(Date.parse(state?.polledAt ?? '')).toBe(bench.clock.now())
    expect(Date.parse(state?.nextPollAt ?? '')).toBe(bench.clock.now() + 60_000)
    expect(state).toMatchObject({ state: 'connected', problem: null })
  })

  test('are polled at the same VTN over one connection and with one token', async () => {
    const bench = await openBench()
    await bench.poll()
    const before = bench.vtn.requests.length
    await pollOnly(bench)
    const asked = bench.vtn.requests.slice(before)
    expect(asked.map(({ method }) => method)).toEqual(asked.map(() => 'GET'))
    expect(asked.length).toBeGreaterThan(0)
  })
})

describe('after polls that found nothing new', () => {
  /** An event that holds 10, polled twice. */
  async function open() {
    const bench = await openBench()
    const { id } = bench.vtn.addEvent(bench.event(-5, 30, [10]))
    await bench.poll()
    await pollOnly(bench)
    expect(values(bench.held())).toEqual([10])
    const change = (value: number) => bench.vtn.changeEvent(id, bench.event(-5, 30, [value]))
    return { ...bench, bench, change }
  }

  test('a change counts with the next poll', async () => {
    const { bench, change, held } = await open()
    change(12)
    await pollOnly(bench)
    await bench.settle()
    expect(values(held())).toEqual([12])
  })

  test('a change counts for a worker that was just started, and nothing is placed twice', async () => {
    const { bench, change, held, placements, device } = await open()
    const next = bench.startWorker()
    await pollOnly(bench, next)
    await bench.settle(next)
    expect(placements(device(0))).toHaveLength(1)
    change(12)
    await pollOnly(bench, next)
    await bench.settle(next)
    expect(values(held())).toEqual([12])
  })

  test('a list that is as this worker heard it last, but not as another one did, is recorded', async () => {
    const { bench, change, held } = await open()
    const other = bench.startWorker()
    change(12)
    await bench.poll(other)
    expect(values(held())).toEqual([12])
    change(10)
    await bench.poll()
    expect(values(held())).toEqual([10])
  })

  test('equipment that is commissioned with other bounds counts with the next poll', async () => {
    const { bench, db, programId, clock } = await open()
    await db.updateTable('writable_datapoint').set({ max: 5 }).execute()
    await pollOnly(bench)
    // Without more rounds of the worker, which reconcile in any case.
    expect(values(await createPlacementStore(db).open(programId, new Date(clock.now())))).toEqual([5])
  })

  test('the next interval of a long event is placed in time', async () => {
    const { bench, clock, vtn, program } = await open()
    const endless = { start: bench.time(0), duration: 'P9999Y' }
    vtn.addEvent({ ...bench.event(0, 1, [20]), programID: program.id, intervalPeriod: endless, priority: 0 })
    await bench.poll()
    const latest = () => Math.max(...bench.held().map(({ to }) => Date.parse(to)))
    const before = latest()
    await pollOnly(bench)
    clock.step(25 * 3_600_000)
    await pollOnly(bench)
    await bench.settle()
    expect(latest()).toBeGreaterThan(before)
  })

  test('what woke the program while its VTN was asked stays due, and a lost lease records nothing', async () => {
    const { bench, db, clock, programId } = await open()
    const leases: Lease<'id'>[] = []
    await bench.wakeAt(clock.now())
    await runDue({ ...bench, log }, { ...bench.worker, run: async (lease) => void leases.push(lease) })
    const [lease] = leases
    if (!lease) throw new Error('nothing was claimed')
    const begun = clock.now()
    clock.step(1_000)
    await createPollStore(db).wake(programId, timeOf(clock))
    const pollAt = new Date(begun + 60_000)
    const ended = { lease, startedAt: new Date(begun), pollAt, polledAt: pollAt, problem: null, found: {} }
    const row = () =>
      db.selectFrom('openadr_program').select(['poll_at', 'due_at', 'reconcile_at']).executeTakeFirstOrThrow()
    const store = createPollStore(db)
    expect(await store.settleUnchanged([{ ...ended, lease: { ...lease, claim: lease.claim - 1 } }])).toEqual([false])
    expect(await store.settleUnchanged([ended])).toEqual([true])
    const woken = new Date(begun + 1_000)
    expect(await row()).toEqual({ poll_at: pollAt, due_at: woken, reconcile_at: woken })
    expect(await store.settleUnchanged([ended])).toEqual([false])
  })
})
