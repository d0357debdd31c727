import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { runDue } from '../../platform/work/index.ts'
import { LEASE_MS } from '../../platform/work/kind.ts'
import { describeWork } from '../../platform/work/testing/describe-work.ts'
import { listSurplusExports } from '../packages/outcome-store.ts'
import { createDeliveryStore, type LeasedDelivery } from './delivery-store.ts'
import { schedule } from './scheduler.ts'
import type { Target } from './targets/target.ts'
import { openAutomaticBench, openWithWebdav, START } from './testing/export-bench.ts'
import { startWebdav } from './testing/webdav-server.ts'
import { deliveries } from './work.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

describe('a delivery', () => {
  test('is retried with growing delays while the target is down, and then given up', async () => {
    const { clock, run, runs, endExports, dav, shown, actions, entries } = await openWithWebdav({
      schedule: { every: 'month', day: 2, at: '02:00' },
    })
    dav.fault = (_request, response) => Boolean(response.writeHead(503).end())
    clock.step(DAY_MS)
    await run()
    const [id] = await endExports()
    await run()
    const tries = () => dav.asked.filter((line) => line === 'PROPFIND ').length
    const minutes = [1, 5, 15, 30, 60, 2 * 60, 4 * 60, 6 * 60, 12 * 60, 24 * 60, 24 * 60]
    for (const [index, delay] of minutes.map((count) => count * MINUTE_MS).entries()) {
      expect(tries()).toBe(index + 1)
      clock.step(delay - 1)
      if (index < 2) await run()
      expect(tries()).toBe(index + 1)
      clock.step(1)
      await run()
    }
    expect(await runs()).toMatchObject([{ state: 'failed', deliveries: [{ state: 'failed', attempts: 12 }] }])
    expect(await shown()).toMatchObject({
      failingSince: '2026-05-01T23:00:00.000Z',
      targets: [{ lastError: expect.stringContaining('answered 503'), failingSince: '2026-05-02T12:00:00.000Z' }],
    })
    // Once when it began and once when it was given up.
    const failed = 'automatic-export-failed by system (failed)'
    expect(await actions()).toEqual(['export-started by schedule', failed, failed])
    const subject = { kind: 'job', id, name: (await runs())[0]?.deliveries[0]?.filename }
    const details = { step: 'delivery', target: `WebDAV ${new URL(dav.url).host}${new URL(dav.url).pathname}` }
    expect((await entries()).slice(1)).toMatchObject(
      [1, 12].map((attempts) => ({ siteId: 'site_a', subject, details: { ...details, attempts } })),
    )
    dav.fault = undefined
    clock.step(31 * DAY_MS)
    await run()
    await endExports()
    await run()
    expect(await shown()).toMatchObject({ failingSince: null, lastError: null, targets: [{ failingSince: null }] })
  })

  test('to the last of several targets ends the run, also when two end at the same moment', async () => {
    const { db, clock, deps, run, runs, endExports, set } = await openAutomaticBench()
    await set([{ folder: { path: 'a' } }, { folder: { path: 'b' } }])
    clock.step(DAY_MS)
    await run()
    await endExports()
    await schedule(deps)
    const now = new Date(clock.now())
    const taken: LeasedDelivery[] = []
    await runDue(deps, { ...deliveries(deps), run: async (lease) => void taken.push(await deps.store.open(lease)) })
    const [first, second] = taken
    const end = (delivery: LeasedDelivery | undefined, beforeCommit: () => Promise<void>) =>
      db.transaction().execute(async (tx) => {
        if (!delivery) throw new Error('nothing to deliver')
        const store = createDeliveryStore(tx)
        await store.markDelivered(delivery, now)
        await store.finishRun(delivery.runId, now)
        await beforeCommit()
      })
    let isSecondDone = false
    const waiting = sql`SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'`
    await end(first, async () => {
      void end(second, async () => {
        isSecondDone = true
      })
      await eventually(async () => {
        expect(isSecondDone || (await waiting.execute(db)).rows.length > 0).toBe(true)
      })
    })
    await eventually(() => expect(isSecondDone).toBe(true))
    await db.selectFrom('automatic_export_run').select('id').forUpdate().execute()
    expect(await runs()).toMatchObject([{ state: 'done' }])
  })

  test('is taken over when its worker dies in the middle, and leaves nothing behind', async () => {
    const { clock, run, runs, endExports, dav, deps } = await openWithWebdav()
    clock.step(DAY_MS)
    await run()
    await endExports('x'.repeat(100_000))
    await schedule(deps)
    // It dies before it has recorded anything.
    await runDue(deps, { ...deliveries(deps), run: async () => {} })
    // What the dead worker had written.
    const name = (await runs())[0]?.deliveries[0]?.filename ?? ''
    dav.files.set(`.${name}.1.part`, Buffer.from('half'))
    await run()
    expect(await runs()).toMatchObject([{ state: 'delivering', deliveries: [{ attempts: 1 }] }])
    clock.step(LEASE_MS)
    await run()
    expect(await runs()).toMatchObject([{ state: 'done', deliveries: [{ attempts: 2 }] }])
    expect([...dav.files].map(([file, bytes]) => [file, bytes.length])).toEqual([[name, 100_000]])
  })

  test('that another worker has by now, or that has ended, is not recorded again', async () => {
    const { clock, run, endExports, deps, shown } = await openWithWebdav()
    clock.step(DAY_MS)
    await run()
    await endExports()
    await schedule(deps)
    const taken: LeasedDelivery[] = []
    const taking = {
      ...deliveries(deps),
      run: async (lease) => void taken.push(await deps.store.open(lease)),
    } as ReturnType<typeof deliveries>
    await runDue(deps, taking)
    clock.step(LEASE_MS)
    await runDue(deps, taking)
    const [lost, own] = taken
    if (!lost || !own) throw new Error('nothing was taken')
    const at = new Date(clock.now())
    expect(await deps.store.markDelivered(lost, at)).toBe(false)
    expect(await deps.store.markFailed(lost, { at, error: 'late', next: undefined })).toBe(false)
    expect(await shown()).toMatchObject({ targets: [{ lastSuccessAt: null, lastError: null }] })
    expect(await deps.store.markDelivered(own, at)).toBe(true)
    expect(await deps.store.markDelivered(own, at)).toBe(false)
    expect(await shown()).toMatchObject({ targets: [{ lastSuccessAt: at.toISOString() }] })
  })

  test('waits while another package is sent to the same target, and not for other targets', async () => {
    const hourly = { every: 'hours', hours: 1 } as const
    const { db, clock, run, runs, endExports, dav, set } = await openWithWebdav({ schedule: hourly })
    clock.step(HOUR_MS)
    await run()
    await endExports('first')
    const answers: (() => void)[] = []
    dav.fault = (_request, response) => Boolean(answers.push(() => response.writeHead(503).end()))
    clock.step(HOUR_MS - 30_000)
    const sending = run()
    await eventually(() => expect(answers).toHaveLength(1))
    // The lease of the first delivery lasts longer than this.
    clock.step(30_000)
    await run()
    await endExports('second')
    const other = await startWebdav()
    await set([{ webdav: { url: other.url, user: 'me', password: 'geheim' } }], { siteId: 'site_b', schedule: hourly })
    await db
      .updateTable('automatic_export')
      .where('site_id', '=', 'site_b')
      .set({ next_at: new Date(START) })
      .execute()
    await run()
    await endExports('of another site')
    await run()
    expect([dav.asked, (await runs('site_b')).map(({ state }) => state)]).toEqual([['PROPFIND '], ['done']])
    expect((await runs()).map(({ state }) => state)).toEqual(['delivering', 'delivering'])
    dav.fault = undefined
    answers[0]?.()
    await sending
    clock.step(60_000)
    await run()
    expect([...dav.files.values()].map(String)).toEqual(['second'])
  })

  test('is given back when its worker stops', async () => {
    const { clock, run, runs, endExports, dav } = await openWithWebdav()
    clock.step(DAY_MS)
    await run()
    await endExports()
    dav.fault = () => true
    const stopping = new AbortController()
    const running = run({}, stopping.signal)
    await eventually(() => expect(dav.asked).toHaveLength(1))
    stopping.abort(new Error('the worker is stopping'))
    await running
    expect(await runs()).toMatchObject([{ state: 'delivering', deliveries: [{ attempts: 0, error: null }] }])
    dav.fault = undefined
    await run()
    expect(await runs()).toMatchObject([{ state: 'done' }])
  })

  test('fails when the target takes nothing for minutes', async () => {
    const { clock, run, runs, endExports, dav } = await openWithWebdav()
    clock.step(DAY_MS)
    await run()
    await endExports()
    dav.fault = () => true
    const running = run()
    await eventually(() => expect(dav.asked).toHaveLength(1))
    await clock.advance(5 * MINUTE_MS)
    await running
    const error = 'the target took no data for 5 minutes: check the server'
    expect(await runs()).toMatchObject([{ deliveries: [{ error }] }])
  })

  test('may take long while the target takes data', async () => {
    const { clock, run, runs, endExports } = await openWithWebdav()
    clock.step(DAY_MS)
    await run()
    await endExports()
    const slow: Target = {
      async put(_name, _file, { progress, signal }) {
        for (let part = 0; part < 3; part += 1) {
          await clock.advance(4 * MINUTE_MS)
          progress()
        }
        signal.throwIfAborted()
      },
      read: async () => Buffer.alloc(0),
      async remove() {},
      close() {},
    }
    await run({ open: async () => slow })
    expect(await runs()).toMatchObject([{ state: 'done' }])
  })

  test('that an unexpected error stops says where to look, and quotes nothing of it', async () => {
    const { clock, run, runs, endExports } = await openWithWebdav()
    clock.step(DAY_MS)
    await run()
    await endExports()
    const lines: string[] = []
    const log = createLog('test', 'warn', { write: (line) => void lines.push(line) })
    const open = () => Promise.reject(new Error('a bug'))
    await run({ log, open })
    const error = 'an unexpected error stopped the delivery: the log of the worker has it'
    const [{ id, deliveries } = { id: '', deliveries: [] }] = await runs()
    expect(deliveries).toMatchObject([{ state: 'waiting', error }])
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ run: id, error: 'a bug', msg: 'delivery failed' }])
  })

  test('fails when the target confirms a file that it does not have in full', async () => {
    const { clock, run, runs, endExports, dav } = await openWithWebdav()
    clock.step(DAY_MS)
    await run()
    await endExports()
    dav.fault = ({ method }, response) =>
      method === 'HEAD' && Boolean(response.writeHead(200, { 'content-length': '3' }).end())
    await run()
    const error = expect.stringContaining('has 3 bytes after an upload of 9 bytes')
    expect(await runs()).toMatchObject([{ state: 'delivering', deliveries: [{ state: 'waiting', error }] }])
    expect([...dav.files.keys()]).toEqual([])
  })

  test('gives way to a newer package when a target was down for long', async () => {
    const { dav, exportOnce, runs, run, clock, endExports } = await openWithWebdav()
    dav.fault = (_request, response) => Boolean(response.writeHead(503).end())
    await exportOnce('first')
    await exportOnce('second')
    clock.step(DAY_MS)
    await run()
    dav.fault = undefined
    await endExports('third')
    await run()
    expect((await runs()).map(({ state }) => state)).toEqual(['done', 'failed', 'failed'])
    expect((await runs())[2]).toMatchObject({ error: expect.stringContaining('a newer package replaced this one') })
    expect([...dav.files.values()].map(String)).toEqual(['third'])
  })

  test('keeps its package from the sweep until it is over, for a week at most', async () => {
    const { db, clock, run, runs, endExports, exportOnce, dav } = await openWithWebdav()
    dav.fault = (_request, response) => Boolean(response.writeHead(503).end())
    clock.step(DAY_MS)
    await run()
    const [jobId] = await endExports()
    const surplus = () => listSurplusExports(db, { kept: 0, limit: 10 })
    expect(await surplus()).toEqual([])
    await run()
    expect(await surplus()).toEqual([])
    dav.fault = undefined
    clock.step(HOUR_MS)
    await run()
    expect(await surplus()).toEqual([{ siteId: 'site_a', jobId }])
    dav.fault = (_request, response) => Boolean(response.writeHead(503).end())
    await exportOnce()
    await db.updateTable('automatic_export').set({ enabled: false }).execute()
    clock.step(7 * DAY_MS)
    await run()
    expect((await runs())[0]).toMatchObject({ state: 'delivering' })
    clock.step(1)
    await run()
    expect((await runs())[0]).toMatchObject({ state: 'failed', error: expect.stringContaining('within 7 days') })
    expect(await surplus()).toHaveLength(2)
  })
})

describeWork('a delivery of a package', async () => {
  const { db, clock, deps, set } = await openAutomaticBench()
  const targets = { org_1: 0, org_2: 0 }
  return {
    db,
    clock,
    kind: deliveries(deps),
    async add(name: keyof typeof targets) {
      const site = name === 'org_1' ? 'site_a' : 'site_b'
      const organizationId = site.replace('site', 'org')
      targets[name] += 1
      await set(
        Array.from({ length: targets[name] }, (_, place) => ({ folder: { path: `folder-${place}` } })),
        { siteId: site },
      )
      const id = newId('run')
      const now = new Date(clock.now())
      const dueAt = new Date(clock.now() - targets[name])
      const run = { id, organization_id: organizationId, site_id: site, due_at: dueAt, start_at: now, started_by: null }
      await db
        .insertInto('automatic_export_run')
        .values({ ...run, state: 'delivering' })
        .execute()
      const target = await db
        .selectFrom('automatic_export_target')
        .where('site_id', '=', site)
        .select('id')
        .orderBy('place', 'desc')
        .executeTakeFirstOrThrow()
      const about = { organization_id: organizationId, run_id: id, target_id: target.id, label: 'x', filename: 'x.fpl' }
      await db
        .insertInto('automatic_export_delivery')
        .values({ ...about, due_at: now })
        .execute()
    },
  }
})
