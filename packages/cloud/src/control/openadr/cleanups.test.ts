import { newAuditKey, openAuditKey } from '@plantroom/base/audit-key'
import { createLog } from '@plantroom/base/log'
import { describe, expect, test } from 'vitest'
import { createActivityLog } from '../../organization/activity/activity-log.ts'
import { runDue } from '../../platform/work/index.ts'
import { createCleanupStore } from './cleanup-store.ts'
import { type CleanupDeps, cleanups } from './cleanups.ts'
import { openBench } from './testing/bench.ts'

const log = createLog('test', 'silent')
const HERE = 'http://127.0.0.1:1'
const SOON_MS = 30_001
const DAY_MS = 86_400_000

type Bench = Awaited<ReturnType<typeof openBench>>

/** A program that has subscribed and registered its resource at the VTN. */
async function open({
  version = '3.1',
  prepare = (_vtn: Bench['vtn']) => {},
}: {
  version?: '3.0' | '3.1'
  prepare?(vtn: Bench['vtn']): void
} = {}) {
  const profile = version === '3.0' ? 'alliance-3.0' : 'alliance-3.1'
  const bench = await openBench({ version, profile, baseUrl: HERE })
  const { db, clock, vtn, programId, session } = bench
  prepare(vtn)
  await bench.poll()
  const there = () => ({
    subscriptions: vtn.subscriptions.list().length,
    resources: vtn.resources.list().length,
    vens: vtn.vens.list().length,
  })
  expect(there()).toEqual({ subscriptions: 1, resources: 1, vens: 1 })
  const activity = createActivityLog({ db, key: openAuditKey(newAuditKey()), clock })
  const startWorker = (own: Partial<CleanupDeps> = {}) => cleanups({ db, activity, ...session, log, ...own })
  const waiting = () => db.selectFrom('openadr_cleanup').select('due_at').execute()
  return {
    ...bench,
    there,
    startWorker,
    waiting,
    /** What a program leaves at the VTN is to be deleted. */
    async leave({ alsoResources = true } = {}) {
      const program = await bench.store.read('org', programId)
      if (!program) throw new Error('there is no program')
      await createCleanupStore(db).add(program, { alsoResources }, new Date(clock.now()))
    },
    async clean(worker = startWorker()) {
      clock.step(SOON_MS)
      await runDue({ db, clock, log }, worker)
    },
  }
}

describe.each(['3.0', '3.1'] as const)('at a VTN of %s', (version) => {
  test('a program that is removed deletes its subscriptions and the resources that it made, and leaves the VEN', async () => {
    const { leave, clean, there, waiting, store, programId } = await open({ version })
    await leave()
    await store.remove(programId)
    await clean()
    expect(there()).toEqual({ subscriptions: 0, resources: 0, vens: 1 })
    expect(await waiting()).toEqual([])
  })
})

describe('what a program leaves at a VTN', () => {
  test('is not deleted where the VTN had it before', async () => {
    const prepare = (vtn: Bench['vtn']) => {
      const { id } = vtn.vens.add({ venName: 'us', objectType: 'VEN' })
      vtn.resources.add({ resourceName: 'battery', venID: id, objectType: 'RESOURCE' })
    }
    const { leave, clean, there, store, programId } = await open({ prepare })
    await leave()
    await store.remove(programId)
    await clean()
    expect(there()).toEqual({ subscriptions: 0, resources: 1, vens: 1 })
  })

  test('includes a subscription whose answer was lost', async () => {
    const { leave, clean, there, store, programId, db } = await open()
    await db
      .updateTable('openadr_program')
      .set({ found: JSON.stringify({ webhookProblem: 'no answer' }) })
      .execute()
    await leave({ alsoResources: false })
    await store.remove(programId)
    await clean()
    expect(there()).toMatchObject({ subscriptions: 0, resources: 1 })
  })

  test('stays while the program is active there again, and while another program uses it', async () => {
    const { leave, clean, there, waiting } = await open()
    await leave()
    await clean()
    expect(there()).toEqual({ subscriptions: 1, resources: 1, vens: 1 })
    expect(await waiting()).toEqual([])
  })

  test('is deleted when a VTN that was away is back', async () => {
    const { leave, clean, there, waiting, store, programId, vtn, clock } = await open()
    await leave()
    await store.remove(programId)
    vtn.faults.isDown = true
    await clean()
    const [{ due_at } = { due_at: new Date(0) }] = await waiting()
    expect(due_at.getTime() - clock.now()).toBe(60_000)
    vtn.faults.isDown = false
    clock.step(60_000)
    await clean()
    expect(there()).toMatchObject({ subscriptions: 0, resources: 0 })
    expect(await waiting()).toEqual([])
  })

  test('is given up after seven days, which the activity log says', async () => {
    const { leave, clean, waiting, store, programId, vtn, clock, db } = await open()
    await leave()
    await store.remove(programId)
    vtn.faults.isDown = true
    for (let day = 0; day < 7; day += 1) {
      clock.step(DAY_MS)
      expect(await waiting()).toHaveLength(1)
      await clean()
    }
    expect(await waiting()).toEqual([])
    const [entry] = await db.selectFrom('activity').select('entry').execute()
    expect(JSON.parse(String(entry?.entry))).toMatchObject({
      action: 'openadr-cleanup-failed',
      actor: { kind: 'system' },
      details: { problem: expect.stringContaining('does not answer') },
    })
  })

  test.each([
    [
      'refuses to show or delete it',
      (vtn: Bench['vtn']) => {
        vtn.faults.lacks = ['subscriptions', 'resources']
      },
    ],
    [
      'has forgotten it',
      (vtn: Bench['vtn']) => vtn.subscriptions.list().forEach(({ id }) => void vtn.subscriptions.remove(id)),
    ],
  ])('is done with when the VTN %s', async (_name, prepare) => {
    const { leave, clean, waiting, store, programId, vtn } = await open()
    await leave()
    await store.remove(programId)
    prepare(vtn)
    await clean()
    expect(await waiting()).toEqual([])
  })

  test('is deleted by another worker when one was killed between two deletions', async () => {
    const { leave, clean, there, waiting, startWorker, store, programId, session, clock, db } = await open()
    await leave()
    await store.remove(programId)
    const killed = Promise.withResolvers<never>()
    const deleted = Promise.withResolvers<void>()
    const dying = startWorker({
      transport: {
        async send(url, outgoing) {
          const answer = await session.transport.send(url, outgoing)
          if (outgoing.method !== 'DELETE') return answer
          deleted.resolve()
          return killed.promise
        },
      },
    })
    clock.step(SOON_MS)
    void runDue({ db, clock, log }, dying)
    await deleted.promise
    expect(there()).toMatchObject({ subscriptions: 0, resources: 1 })
    await clean()
    expect(there()).toMatchObject({ resources: 1 })
    clock.step(60_000)
    await clean()
    expect(there()).toMatchObject({ subscriptions: 0, resources: 0 })
    expect(await waiting()).toEqual([])
  })
})
