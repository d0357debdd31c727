import { newId } from '@plantroom/base/ids'
import { eventually } from '@plantroom/testkit/eventually'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createJobStore } from '../../platform/jobs/index.ts'
import { runDue } from '../../platform/work/index.ts'
import { describeWork } from '../../platform/work/testing/describe-work.ts'
import { LEASE_MS } from '../../platform/work/work.ts'
import { JOB_KINDS } from '../packages/index.ts'
import { listSurplusExports } from '../packages/outcome-store.ts'
import { DELAYS_MS, STALL_MS } from './deliver.ts'
import { createDeliveryStore, type LeasedDelivery } from './delivery-store.ts'
import { createExportStore } from './export-store.ts'
import { schedule } from './scheduler.ts'
import { openAutomaticBench } from './testing/export-bench.ts'
import { startWebdav } from './testing/webdav-server.ts'
import { deliveries } from './work.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

async function openWithWebdav(own: Parameters<Awaited<ReturnType<typeof openAutomaticBench>>['set']>[1] = {}) {
  const bench = await openAutomaticBench()
  const dav = await startWebdav()
  await bench.set([{ webdav: { url: dav.url, user: 'me', password: 'geheim' } }], own)
  return { ...bench, dav }
}

describe('an automatic export', () => {
  test('starts at the local time of the site, exports once and delivers the package', async () => {
    const { db, clock, run, runs, endExports, dav, shown, actions } = await openWithWebdav()
    // 02:00 in Tallinn in summer.
    expect((await shown()).nextRunAt).toBe('2026-05-01T23:00:00.000Z')
    await run()
    expect(await runs()).toEqual([])
    clock.step(11 * HOUR_MS)
    await run()
    expect(await runs()).toMatchObject([{ state: 'exporting', dueAt: '2026-05-01T23:00:00.000Z', byHand: false }])
    const { items: jobs } = await createJobStore(db, JOB_KINDS).list({ siteId: 'site_a', limit: 10 })
    expect(jobs).toMatchObject([{ startedBy: { kind: 'schedule', id: null, name: null } }])
    await endExports('all requests')
    await run()
    const [done] = await runs()
    expect(done).toMatchObject({ state: 'done', bytes: 12, tickets: 7, error: null })
    expect([...dav.files.entries()]).toEqual([[done?.deliveries[0]?.filename, Buffer.from('all requests')]])
    expect([...dav.files.keys()][0]).toMatch(/^plantroom-maja-a-20260501T230000Z-[0-9a-z]{8}\.fpl$/)
    expect(await shown()).toMatchObject({ nextRunAt: '2026-05-02T23:00:00.000Z', failingSince: null, lastError: null })
    expect((await shown()).lastSuccessAt).toBe('2026-05-01T23:00:00.000Z')
    expect(await actions()).toEqual(['export-started by schedule', 'automatic-export-delivered by system'])
  })

  test('runs once for each due time when two workers look at the same moment', async () => {
    const { clock, deps, runs, db } = await openWithWebdav()
    for (let day = 1; day <= 3; day += 1) {
      clock.step(DAY_MS)
      await Promise.all([schedule(deps), schedule(deps), schedule(deps)])
      await db.updateTable('job').set({ resolved: true, status: 'ERROR', output: '{"message":"no"}' }).execute()
      await db.updateTable('automatic_export_run').set({ state: 'failed' }).execute()
    }
    const dues = (await runs()).map(({ dueAt }) => dueAt)
    expect([dues.length, new Set(dues).size]).toEqual([3, 3])
    expect(await db.selectFrom('job').select('id').execute()).toHaveLength(3)
  })

  test('makes up for many missed times once, late', async () => {
    const { clock, run, runs, endExports, shown } = await openWithWebdav({ schedule: { every: 'hours', hours: 1 } })
    clock.step(100 * HOUR_MS + 1)
    await run()
    await endExports()
    await run()
    expect(await runs()).toMatchObject([{ state: 'done' }])
    expect((await shown()).nextRunAt).toBe('2026-05-05T17:00:00.000Z')
  })

  test('follows a site that moves to another time zone', async () => {
    const { db, run, shown } = await openWithWebdav()
    await db.updateTable('site').where('id', '=', 'site_a').set({ time_zone: 'America/New_York' }).execute()
    await run()
    expect((await shown()).nextRunAt).toBe('2026-05-02T06:00:00.000Z')
  })

  test('pauses while Maintenance Requests are off, deliveries included, and runs once when they are on again', async () => {
    const { db, clock, run, runs, endExports, dav } = await openWithWebdav()
    const turn = (on: boolean) =>
      db.updateTable('site').where('id', '=', 'site_a').set({ maintenance_requests: on }).execute()
    clock.step(DAY_MS)
    await run()
    await endExports()
    await turn(false)
    clock.step(5 * DAY_MS)
    await run()
    expect([(await runs()).map(({ state }) => state), dav.files.size]).toEqual([['delivering'], 0])
    await turn(true)
    await run()
    expect((await runs()).map(({ state }) => state)).toEqual(['exporting', 'done'])
  })

  test('stops when the key that set it is revoked', async () => {
    const { db, clock, run, runs, shown, dav } = await openWithWebdav({ keyId: 'key_1' })
    const key = { id: 'key_1', organization_id: 'org_a', name: 'Key', secret_hash: Buffer.alloc(32), all_sites: true }
    const never = { last_used_at: null, last_used_from: null, expires_at: null, rotated_at: null, revoked_at: null }
    await db
      .insertInto('api_key')
      .values({ ...key, ...never, permissions: ['ticket:read_write'], previous_hash: null, previous_until: null })
      .execute()
    expect((await shown()).stoppedReason).toBeNull()
    await db.updateTable('api_key').set({ revoked_at: new Date() }).execute()
    clock.step(3 * DAY_MS)
    await run()
    expect([await runs(), dav.asked]).toEqual([[], []])
    expect(await shown()).toMatchObject({ nextRunAt: null, stoppedReason: expect.stringContaining('revoked') })
  })

  test('exports again when an export fails, and says why after the last attempt', async () => {
    const { clock, run, runs, endExports, shown, dav, actions } = await openWithWebdav()
    clock.step(DAY_MS)
    await run()
    for (const minutes of [5, 30]) {
      await endExports('', 'The worker running it died.')
      await run()
      expect(await runs()).toMatchObject([{ state: 'waiting', error: 'The worker running it died.' }])
      expect((await shown()).failingSince).toBe('2026-05-01T23:00:00.000Z')
      clock.step(minutes * 60_000)
      await run()
      expect(await runs()).toMatchObject([{ state: 'exporting' }])
    }
    await endExports('', 'The worker running it died.')
    await run()
    expect(await runs()).toMatchObject([{ state: 'failed', error: 'The worker running it died.' }])
    expect(await shown()).toMatchObject({ lastError: 'The worker running it died.', lastSuccessAt: null })
    expect(dav.asked).toEqual([])
    expect(await actions()).toContain('automatic-export-failed by system')
  })

  test('leaves room for others when many sites of an organization are due', async () => {
    const { db, clock, deps, set } = await openAutomaticBench()
    for (let number = 1; number <= 12; number += 1) {
      const siteId = `site_a${number}`
      const site = { id: siteId, organization_id: 'org_a', name: siteId, time_zone: 'Europe/Tallinn' }
      await db
        .insertInto('site')
        .values({ ...site, maintenance_requests: true })
        .execute()
      await set([{ folder: { path: '' } }], { siteId, organizationId: 'org_a' })
    }
    clock.step(DAY_MS)
    await schedule(deps)
    await schedule(deps)
    expect(await db.selectFrom('job').select('id').execute()).toHaveLength(10)
    expect(await db.selectFrom('automatic_export_run').select('id').execute()).toHaveLength(12)
  })

  test('waits when the site has too many jobs', async () => {
    const { clock, run, runs } = await openWithWebdav()
    clock.step(DAY_MS)
    await run({ quota: { perSite: 0, perOrganization: 0 } })
    expect(await runs()).toMatchObject([{ state: 'waiting', error: expect.stringContaining('limit of 0 unfinished') }])
    clock.step(5 * 60_000)
    await run()
    expect(await runs()).toMatchObject([{ state: 'exporting', error: null }])
  })
})

describe('a delivery', () => {
  test('is retried with growing delays while the target is down, and then given up', async () => {
    const { clock, run, runs, endExports, dav, shown, actions } = await openWithWebdav({
      schedule: { every: 'month', day: 2, at: '02:00' },
    })
    dav.fault = (_request, response) => Boolean(response.writeHead(503).end())
    clock.step(DAY_MS)
    await run()
    await endExports()
    await run()
    const tries = () => dav.asked.filter((line) => line === 'PROPFIND ').length
    for (const [index, delay] of DELAYS_MS.entries()) {
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
    expect((await actions()).filter((line) => line.startsWith('automatic-export-failed'))).toHaveLength(2)
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
    await clock.advance(STALL_MS)
    await running
    expect(await runs()).toMatchObject([{ deliveries: [{ error: expect.stringContaining('took no data') }] }])
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
    clock.step(8 * DAY_MS)
    await run()
    expect((await runs())[0]).toMatchObject({ state: 'failed', error: expect.stringContaining('within 7 days') })
    expect(await surplus()).toHaveLength(2)
  })
})

describe('the retention', () => {
  const names = (files: Map<string, Buffer>) => [...files.values()].map(String)

  test('keeps the last packages, and removes nothing that is not ours', async () => {
    const { dav, exportOnce, runs } = await openWithWebdav({ retention: { keep: 2, unit: 'packages' } })
    dav.files.set('plantroom-maja-a-20200101T000000Z-aaaaaaaa.fpl', Buffer.from('a stranger'))
    for (const content of ['1', '2', '3', '4']) await exportOnce(content)
    expect(names(dav.files)).toEqual(['a stranger', '3', '4'])
    expect((await runs()).map(({ deliveries }) => deliveries[0]?.removedAt !== null)).toEqual([
      false,
      false,
      true,
      true,
    ])
  })

  test('keeps packages for days, and the newest for ever', async () => {
    const { dav, exportOnce, clock, run } = await openWithWebdav({ retention: { keep: 2, unit: 'days' } })
    for (const content of ['1', '2', '3', '4']) await exportOnce(content)
    expect(names(dav.files)).toEqual(['2', '3', '4'])
    clock.step(100 * DAY_MS)
    await run()
    expect(names(dav.files)).toEqual(['2', '3', '4'])
  })

  test('removes nothing when an export or a delivery fails, and tells when it cannot remove', async () => {
    const { dav, exportOnce, shown } = await openWithWebdav({ retention: { keep: 1, unit: 'packages' } })
    await exportOnce('1')
    dav.fault = ({ method }, response) => method === 'PUT' && Boolean(response.writeHead(507).end())
    await exportOnce('2')
    expect(names(dav.files)).toEqual(['1'])
    expect((await shown()).lastError).toContain('the server has no space left')
    dav.fault = ({ method, url }, response) =>
      method === 'DELETE' && !url?.includes('part') && Boolean(response.writeHead(403).end())
    await exportOnce('3')
    expect(names(dav.files)).toEqual(['1', '2', '3'])
    expect(await shown()).toMatchObject({
      failingSince: null,
      targets: [{ cleanupError: expect.stringContaining('the user may not do this') }],
    })
    dav.fault = undefined
    await exportOnce('4')
    expect(names(dav.files)).toEqual(['4'])
    expect(await shown()).toMatchObject({ targets: [{ cleanupError: null }] })
  })

  test('leaves the files of a target alone when it moves elsewhere', async () => {
    const { db, dav, exportOnce, set, shown } = await openWithWebdav({ retention: { keep: 1, unit: 'packages' } })
    await exportOnce('1')
    const [target] = (await shown()).targets
    const other = await startWebdav()
    await set([{ id: target?.id ?? '', webdav: { url: other.url, user: 'me', password: 'geheim' } }])
    await exportOnce('2')
    expect([names(dav.files), names(other.files)]).toEqual([['1'], ['2']])
    expect((await createExportStore(db).find('site_a'))?.targets[0]?.id).not.toBe(target?.id)
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
