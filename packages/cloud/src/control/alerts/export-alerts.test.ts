import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createLog } from '@plantroom/base/log'
import { DEFAULT_ALERT_RULES } from '@plantroom/contract/alerts'
import { describe, expect, test } from 'vitest'
import { exportTroubles } from '../../maintenance/automatic-exports/index.ts'
import { openAutomaticBench } from '../../maintenance/automatic-exports/testing/export-bench.ts'
import { startWebdav } from '../../maintenance/automatic-exports/testing/webdav-server.ts'
import { alertMail } from './alert-mail.ts'
import { createAlertStore } from './alert-store.ts'
import { SETTLE_MS, startEvaluator } from './evaluator.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** A site that exports every day to a WebDAV folder, and the process that decides about alerts. */
async function open(own: Parameters<Awaited<ReturnType<typeof openAutomaticBench>>['set']>[1] = {}) {
  const bench = await openAutomaticBench()
  const { db, clock } = bench
  for (const table of ['alert', 'alert_rules'] as const) await db.deleteFrom(table).execute()
  await db
    .updateTable('automatic_export_look')
    .set({ looked_at: new Date(clock.now()) })
    .execute()
  await mkdir(join(bench.folder, 'exports'))
  const dav = await startWebdav()
  const target = { webdav: { url: dav.url, user: 'me', password: 'geheim' } }
  await bench.set([target], own)
  const none = { all: () => [], get: () => undefined }
  const start = () =>
    startEvaluator({
      ...{
        db,
        clock,
        cloudId: 'cloud_1',
        devices: none,
        presence: { wasHeard: () => false, isOnline: () => false },
        exports: exportTroubles,
      },
      ...{ bus: { connected: true }, sendsMail: true, mailsPerHour: 100, baseUrl: () => '' },
      log: createLog('test', 'silent'),
    })
  let evaluator = start()
  const all = async (organizationId = 'org_a') =>
    (await createAlertStore(db).list({ organizationId, siteIds: undefined, limit: 100 })).alerts
  const settle = async () => {
    await evaluator.tick()
    clock.advanceNow(SETTLE_MS)
    await evaluator.tick()
  }
  await settle()
  return {
    ...{ ...bench, dav, all },
    /** What is open after a decision. */
    async alerts(organizationId?: string) {
      clock.advanceNow(40_000)
      await evaluator.tick()
      return (await all(organizationId)).filter(({ closedAt }) => closedAt === null)
    },
    /** The process dies and another one takes over. */
    async restart() {
      await evaluator.close()
      evaluator = start()
      await settle()
    },
    /** A day of a target that is down. */
    async fail() {
      dav.fault = (_request, response) => Boolean(response.writeHead(503).end())
      await bench.exportOnce()
    },
    async succeed() {
      dav.fault = undefined
      await bench.exportOnce()
    },
    switchTo: (enabled: boolean) =>
      db
        .updateTable('automatic_export')
        .where('site_id', '=', 'site_a')
        .set({ enabled, changed_at: new Date(clock.now()) })
        .execute(),
    /** What the worker does when an export fails three times. */
    async failExports() {
      clock.step(DAY_MS)
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await bench.run()
        await bench.endExports('', 'The package is too large.')
        await bench.run()
        if (attempt < 2) clock.step(HOUR_MS)
      }
    },
  }
}

describe('an automatic export that fails', () => {
  test('has one alert however many runs fail, with target, reason and no secret, until a package arrives', async () => {
    const { alerts, fail, succeed, all, restart } = await open()
    await fail()
    // The package still waits for another attempt.
    expect(await alerts()).toEqual([])
    await fail()
    const [first, ...more] = await alerts()
    expect(more).toEqual([])
    expect(first).toMatchObject({
      kind: 'export-failed',
      siteId: 'site_a',
      deviceId: null,
      details: { cause: 'failed' },
    })
    expect(first?.subject).toEqual({
      kind: 'automatic-export',
      id: 'site_a',
      name: expect.stringMatching(/^WebDAV 127\.0\.0\.1:\d+$/),
    })
    expect(first?.details.reason).toMatch(/answered 503 to the folder: try again/)
    expect(JSON.stringify(first)).not.toMatch(/dav\/|geheim/)
    await restart()
    await fail()
    expect((await alerts()).map(({ id }) => id)).toEqual([first?.id])
    await succeed()
    expect(await alerts()).toEqual([])
    expect(await all()).toHaveLength(1)
    // The next trouble is another alert.
    await fail()
    await fail()
    expect((await alerts()).length).toBe(1)
    expect(await all()).toHaveLength(2)
    expect(await all('org_b')).toEqual([])
  })

  test('stays open when a target is corrected, with the reason of now, and ends when it is switched off or removed', async () => {
    const { alerts, fail, failExports, set, switchTo, db, dav } = await open()
    await fail()
    await fail()
    await alerts()
    await set([{ webdav: { url: dav.url, user: 'me', password: 'richtig' } }])
    expect(await alerts()).toMatchObject([{ details: { reason: expect.stringContaining('503') } }])
    await failExports()
    expect(await alerts()).toMatchObject([{ details: { reason: 'The package is too large.' } }])
    await switchTo(false)
    expect(await alerts()).toEqual([])
    // What failed before is known.
    await switchTo(true)
    expect(await alerts()).toEqual([])
    await failExports()
    expect(await alerts()).toHaveLength(1)
    await db.deleteFrom('automatic_export').execute()
    expect(await alerts()).toEqual([])
    // A new schedule begins without the failures of the removed one.
    await set([{ folder: { path: '' } }])
    expect(await alerts()).toEqual([])
  })

  test('has no alert when a target was removed, a newer package overtook one, or the rule is off', async () => {
    const { alerts, fail, failExports, set, db, clock, deps, run, endExports } = await open()
    await fail()
    await set([{ folder: { path: '' } }])
    await run()
    expect(await alerts()).toEqual([])
    // Two packages wait, and the first was never tried.
    const { schedule } = await import('../../maintenance/automatic-exports/scheduler.ts')
    for (let day = 0; day < 2; day += 1) {
      clock.step(DAY_MS)
      await schedule(deps)
      await endExports()
      await schedule(deps)
    }
    expect(
      await db.selectFrom('automatic_export_delivery').select('state').where('state', '=', 'superseded').execute(),
    ).toHaveLength(1)
    expect(await alerts()).toEqual([])
    const off = { ...DEFAULT_ALERT_RULES.rules['export-failed'], enabled: false }
    await createAlertStore(db).setRules('org_a', {
      ...DEFAULT_ALERT_RULES,
      rules: { ...DEFAULT_ALERT_RULES.rules, 'export-failed': off },
    })
    await failExports()
    expect(await alerts()).toEqual([])
    await db.deleteFrom('alert_rules').execute()
    expect(await alerts()).toHaveLength(1)
  })

  test('names only the targets that failed, in the mail with the reason and what to do', async () => {
    const { alerts, fail, set, dav } = await open()
    const webdav = { url: dav.url, user: 'me', password: 'geheim' }
    await set([{ folder: { path: 'a' } }, { webdav }])
    await fail()
    await fail()
    const unsent = (await alerts()).map((alert) => ({ alert, siteName: 'Maja' }))
    const { subject, body } = alertMail({ organization: 'Org', unsent, link: 'https://plantroom.example' })
    expect(subject).toMatch(/^The automatic export to WebDAV 127\.0\.0\.1:\d+ failed$/)
    expect(body).toMatch(
      /Why: 127\.0\.0\.1:\d+ answered 503 .*\. Open Import \/ Export of the site, correct it and run it/,
    )
  })
})

describe('an automatic export that misses its time', () => {
  test.each([
    ['before it starts', async () => {}],
    ['after its run was added', async ({ run }: Awaited<ReturnType<typeof open>>) => run()],
    [
      'before it delivers',
      async ({ run, endExports, deps }: Awaited<ReturnType<typeof open>>) => {
        await run()
        await endExports()
        await (await import('../../maintenance/automatic-exports/scheduler.ts')).schedule(deps)
      },
    ],
  ])('because all workers died %s has an alert until the late package arrives', async (_when, before) => {
    const bench = await open({ schedule: { every: 'month', day: 2, at: '02:00' } })
    const { alerts, clock, run, endExports } = bench
    clock.step(11 * HOUR_MS - SETTLE_MS)
    await before(bench)
    clock.step(10 * MINUTE_MS)
    expect(await alerts()).toEqual([])
    clock.step(5 * MINUTE_MS)
    expect(await alerts()).toMatchObject([
      {
        details: { cause: 'missed', reason: expect.stringContaining('no worker') },
        beganAt: '2026-05-01T23:00:00.000Z',
      },
    ])
    // A worker is back, and the package is under way.
    await run()
    if (_when !== 'before it delivers') {
      expect(await alerts()).toHaveLength(1)
      await endExports()
      await run()
    }
    expect(await alerts()).toEqual([])
  })

  test('because workers have much to do has none for 6 hours, nor one that is paused', async () => {
    const { alerts, clock, run, db } = await open()
    clock.step(11 * HOUR_MS)
    await run()
    clock.step(5 * HOUR_MS)
    await run()
    expect(await alerts()).toEqual([])
    clock.step(HOUR_MS)
    await run()
    expect(await alerts()).toMatchObject([{ details: { cause: 'queued' } }])
    await db.updateTable('site').set({ maintenance_requests: false }).execute()
    expect(await alerts()).toEqual([])
  })

  test('because its site has too many jobs says so', async () => {
    const { alerts, clock, run } = await open()
    clock.step(11 * HOUR_MS)
    for (let hour = 0; hour < 7; hour += 1) {
      await run({ quota: { perSite: 0, perOrganization: 0 } })
      clock.step(HOUR_MS)
    }
    await run({ quota: { perSite: 0, perOrganization: 0 } })
    expect(await alerts()).toMatchObject([
      { details: { cause: 'late', reason: expect.stringContaining('limit of 0') } },
    ])
  })

  test('because its key has ended says so until it is saved again and has run', async () => {
    const { alerts, clock, run, set, succeed } = await open({ keyId: 'key_gone' })
    clock.step(11 * HOUR_MS)
    await run()
    expect(await alerts()).toEqual([])
    clock.step(20 * MINUTE_MS)
    await run()
    expect(await alerts()).toMatchObject([
      { details: { cause: 'stopped', reason: expect.stringContaining('API key') } },
    ])
    await set([{ folder: { path: '' } }])
    expect(await alerts()).toHaveLength(1)
    await succeed()
    expect(await alerts()).toEqual([])
  })
})
