import { describe, expect, test } from 'vitest'
import { createJobStore } from '../../platform/jobs/index.ts'
import { JOB_KINDS } from '../packages/index.ts'
import { createExportStore } from './export-store.ts'
import { lockDue } from './schedule-store.ts'
import { schedule } from './scheduler.ts'
import { openAutomaticBench, openWithWebdav } from './testing/export-bench.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe('an automatic export', () => {
  test('starts at the local time of the site, exports once and delivers the package', async () => {
    const { db, clock, run, runs, endExports, dav, shown, actions, entries } = await openWithWebdav()
    // 02:00 in Tallinn in summer.
    expect((await shown()).nextRunAt).toBe('2026-05-01T23:00:00.000Z')
    await run()
    expect(await runs()).toEqual([])
    clock.step(11 * HOUR_MS)
    await run()
    expect(await runs()).toMatchObject([{ state: 'exporting', dueAt: '2026-05-01T23:00:00.000Z', byHand: false }])
    const { items: jobs } = await createJobStore(db, JOB_KINDS).list({ siteId: 'site_a', limit: 10 })
    expect(jobs).toMatchObject([{ startedBy: { kind: 'schedule', id: null, name: null } }])
    const [id] = await endExports('all requests')
    await run()
    const [done] = await runs()
    expect(done).toMatchObject({ state: 'done', bytes: 12, tickets: 7, error: null })
    expect([...dav.files.entries()]).toEqual([[done?.deliveries[0]?.filename, Buffer.from('all requests')]])
    expect([...dav.files.keys()][0]).toMatch(/^plantroom-maja-a-20260501T230000Z-[0-9a-z]{8}\.fpl$/)
    expect(await shown()).toMatchObject({ nextRunAt: '2026-05-02T23:00:00.000Z', failingSince: null, lastError: null })
    expect((await shown()).lastSuccessAt).toBe('2026-05-01T23:00:00.000Z')
    expect(await actions()).toEqual(['export-started by schedule', 'automatic-export-delivered by system'])
    expect((await entries())[1]).toMatchObject({
      siteId: 'site_a',
      subject: { kind: 'job', id, name: done?.deliveries[0]?.filename },
      details: { target: `WebDAV ${new URL(dav.url).host}${new URL(dav.url).pathname}`, bytes: 12 },
    })
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

  test('has one run while it exports, however many times pass', async () => {
    const { clock, run, runs } = await openWithWebdav({ schedule: { every: 'hours', hours: 1 } })
    clock.step(HOUR_MS)
    await run()
    clock.step(HOUR_MS)
    await run()
    expect(await runs()).toMatchObject([{ state: 'exporting', dueAt: '2026-05-01T13:00:00.000Z' }])
  })

  test('delivers the package of a time that was missed weeks ago', async () => {
    const { clock, run, runs, endExports, dav } = await openWithWebdav()
    clock.step(30 * DAY_MS)
    await run()
    await endExports()
    await run()
    expect([await runs(), dav.files.size]).toMatchObject([[{ state: 'done' }], 1])
  })

  test('follows a site that moves to another time zone', async () => {
    const { db, run, shown } = await openWithWebdav()
    await db.updateTable('site').where('id', '=', 'site_a').set({ time_zone: 'America/New_York' }).execute()
    await run()
    expect((await shown()).nextRunAt).toBe('2026-05-02T06:00:00.000Z')
  })

  test('keeps its next time in another time zone when it counts hours, or when that time has come', async () => {
    const { db, clock, run, runs, set, shown } = await openWithWebdav({ schedule: { every: 'hours', hours: 6 } })
    const moveTo = (zone: string) =>
      db.updateTable('site').where('id', '=', 'site_a').set({ time_zone: zone }).execute()
    await moveTo('America/New_York')
    await run()
    expect((await shown()).nextRunAt).toBe('2026-05-01T18:00:00.000Z')
    await set([{ folder: { path: '' } }])
    clock.step(DAY_MS)
    await moveTo('Asia/Tokyo')
    await run()
    expect(await runs()).toMatchObject([{ dueAt: '2026-05-01T23:00:00.000Z' }])
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
    const { clock, run, runs, endExports, shown, dav, entries } = await openWithWebdav()
    clock.step(DAY_MS)
    await run()
    for (const minutes of [5, 30]) {
      await endExports('', 'The worker running it died.')
      await run()
      expect(await runs()).toMatchObject([{ state: 'waiting', error: 'The worker running it died.' }])
      expect((await shown()).failingSince).toBe('2026-05-01T23:00:00.000Z')
      clock.step(minutes * 60_000 - 1)
      await run()
      expect(await runs()).toMatchObject([{ state: 'waiting' }])
      clock.step(1)
      await run()
      expect(await runs()).toMatchObject([{ state: 'exporting' }])
    }
    const [id] = await endExports('', 'The worker running it died.')
    await run()
    expect(await runs()).toMatchObject([{ state: 'failed', error: 'The worker running it died.' }])
    expect(await shown()).toMatchObject({ lastError: 'The worker running it died.', lastSuccessAt: null })
    expect(dav.asked).toEqual([])
    expect((await entries()).at(-1)).toMatchObject({
      ...{ action: 'automatic-export-failed', outcome: 'failed', actor: { kind: 'system' }, siteId: 'site_a' },
      ...{ subject: { kind: 'job', id }, details: { step: 'export' } },
    })
  })

  test('that is saved again keeps what is known of its targets, and removes the others', async () => {
    const { exportOnce, set, shown, dav } = await openWithWebdav()
    await exportOnce()
    const [known] = (await shown()).targets
    const webdav = { webdav: { url: dav.url, user: 'me' } }
    await set([{ folder: { path: '' } }, { id: known?.id ?? '', ...webdav }])
    expect(known?.lastSuccessAt).toEqual(expect.any(String))
    expect((await shown()).targets).toMatchObject([{ lastSuccessAt: null }, known])
    await set([{ id: known?.id ?? '', ...webdav }])
    expect((await shown()).targets).toMatchObject([known])
  })

  test('that is due is taken by one worker, while another takes the next', async () => {
    const { db, clock, set } = await openAutomaticBench()
    for (const siteId of ['site_a', 'site_b']) await set([{ folder: { path: '' } }], { siteId })
    clock.step(DAY_MS)
    const lock = (tx: typeof db) => lockDue(tx, new Date(clock.now()))
    await db.transaction().execute(async (first) => {
      const taken = [await lock(first), await db.transaction().execute(lock)]
      expect(taken.map((due) => due?.siteId).toSorted()).toEqual(['site_a', 'site_b'])
      expect(await db.transaction().execute(lock)).toBeDefined()
    })
  })

  test('is locked by its own site', async () => {
    const { db } = await openAutomaticBench()
    const names = ['site_a', 'site_b'].map((id) => createExportStore(db).lockSite(id))
    expect(await Promise.all(names)).toMatchObject([{ name: 'Maja a' }, { name: 'Maja b' }])
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

  test('is looked after with all others that are due, moved, or have ended, at every look', async () => {
    const { db, clock, deps, set, runs, shown, endExports } = await openAutomaticBench()
    const both = async <Found>(find: (siteId: string) => Promise<Found>) => [await find('site_a'), await find('site_b')]
    const states = () => both(async (siteId) => (await runs(siteId))[0]?.state)
    for (const siteId of ['site_a', 'site_b']) await set([{ folder: { path: '' } }], { siteId })
    await db.updateTable('site').set({ time_zone: 'America/New_York' }).execute()
    await schedule(deps)
    const moved = '2026-05-02T06:00:00.000Z'
    expect(await both(async (siteId) => (await shown(siteId)).nextRunAt)).toEqual([moved, moved])
    clock.step(DAY_MS)
    await schedule(deps)
    expect(await states()).toEqual(['exporting', 'exporting'])
    await endExports('', 'The worker running it died.')
    await schedule(deps)
    expect(await states()).toEqual(['waiting', 'waiting'])
    clock.step(HOUR_MS)
    await schedule(deps)
    await endExports()
    await schedule(deps)
    expect(await states()).toEqual(['delivering', 'delivering'])
  })

  test('starts while a person is changing the automatic export of the site', async () => {
    const { db, clock, deps, runs } = await openWithWebdav()
    clock.step(DAY_MS)
    await db.transaction().execute(async (tx) => {
      await createExportStore(tx).lockSite('site_a')
      await schedule(deps)
      expect(await runs()).toMatchObject([{ state: 'exporting' }])
    })
  })

  test('waits when the site has too many jobs', async () => {
    const { clock, run, runs } = await openWithWebdav()
    clock.step(DAY_MS)
    await run({ quota: { perSite: 0, perOrganization: 0 } })
    expect(await runs()).toMatchObject([{ state: 'waiting', error: expect.stringContaining('limit of 0 unfinished') }])
    clock.step(5 * 60_000 - 1)
    await run()
    expect(await runs()).toMatchObject([{ state: 'waiting' }])
    clock.step(1)
    await run()
    expect(await runs()).toMatchObject([{ state: 'exporting', error: null }])
  })

  test('exports again when its job is gone', async () => {
    const { db, clock, run, runs } = await openWithWebdav()
    clock.step(DAY_MS)
    await run()
    await db.deleteFrom('job').execute()
    await run()
    expect(await runs()).toMatchObject([{ state: 'waiting', error: 'The export ended without a result.' }])
  })
})
