import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newAuditKey, openAuditKey } from '@plantroom/base/audit-key'
import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import type {
  AutomaticExport,
  ExportRetention,
  ExportSchedule,
  GivenTarget,
} from '@plantroom/contract/automatic-exports'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { createActivityLog } from '../../../organization/activity/activity-log.ts'
import { openTestDatabase, readChain } from '../../../organization/activity/testing/logs.ts'
import { exportKey, openDiskStore, openScratch } from '../../../platform/files/index.ts'
import { openOutbound } from '../../../platform/outbound/index.ts'
import { createSeal } from '../../../platform/seal/index.ts'
import { runDue } from '../../../platform/work/index.ts'
import { sharedTestDatabase } from '../../../testing/database.ts'
import { createDeliveryStore } from '../delivery-store.ts'
import { createExportStore } from '../export-store.ts'
import { nextRun } from '../next-run.ts'
import { readTargets } from '../read-targets.ts'
import { listRuns } from '../run-list-store.ts'
import { schedule } from '../scheduler.ts'
import { type AutomaticExportDeps, deliveries } from '../work.ts'
import { startWebdav } from './webdav-server.ts'

export const START = Date.parse('2026-05-01T12:00:00.000Z')
const DAILY: ExportSchedule = { every: 'day', at: '02:00' }

/** Two organizations with a site each, real files, and a worker whose clock stands still. Exports end as the test says. */
export async function openAutomaticBench() {
  const clock = createManualClock(START)
  const db = openTestDatabase(await sharedTestDatabase())
  for (const table of ['automatic_export_run', 'automatic_export', 'job', 'api_key', 'site'] as const) {
    await db.deleteFrom(table).execute()
  }
  const activity = createActivityLog({ db, key: openAuditKey(newAuditKey()), clock })
  const folder = temporaryFolder()
  for (const name of ['a', 'b']) {
    await db
      .insertInto('organization')
      .values({ id: `org_${name}`, name })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const site = {
      id: `site_${name}`,
      organization_id: `org_${name}`,
      name: `Maja ${name}`,
      time_zone: 'Europe/Tallinn',
    }
    await db
      .insertInto('site')
      .values({ ...site, maintenance_requests: true })
      .execute()
  }
  const scratch = await openScratch(join(folder, 'scratch'))
  const files = await openDiskStore({
    folder: join(folder, 'files'),
    scratch,
    secret: Buffer.alloc(32),
    baseUrl: () => '',
    clock,
  })
  const { guard, tenants: transport } = openOutbound({ privateNetworks: ['127.0.0.1'], clock })
  const deps = {
    ...{ db, activity, files, clock, log: createLog('test', 'silent') },
    quota: { perSite: 20, perOrganization: 100 },
    ...{ guard, transport },
    exportFolder: join(folder, 'exports'),
    seal: createSeal('a key', 'exports'),
    store: createDeliveryStore(db),
  }

  async function set(
    targets: readonly GivenTarget[],
    own: {
      siteId?: string
      organizationId?: string
      schedule?: ExportSchedule
      retention?: ExportRetention
      keyId?: string
    } = {},
  ): Promise<void> {
    const { siteId = 'site_a', schedule = DAILY, retention = { keep: 3, unit: 'packages' }, keyId = null } = own
    const store = createExportStore(db)
    const known = (await store.find(siteId))?.targets ?? []
    const timeZone = 'Europe/Tallinn'
    const nextAt = new Date(nextRun(schedule, { timeZone, after: clock.now(), last: clock.now() }))
    const stored = readTargets(deps, targets, known)
    const { organizationId = siteId.replace('site', 'org') } = own
    const what = { organizationId, enabled: true, schedule, retention, timeZone, nextAt, keyId, targets: stored }
    await store.save(siteId, what, new Date(clock.now()))
  }

  /** Ends every export job that has not ended. Without a message they succeed, with this content as the package. */
  async function endExports(content: string | Buffer = 'a package', message?: string): Promise<string[]> {
    const jobs = await db.selectFrom('job').where('resolved', '=', false).select(['id', 'site_id']).execute()
    for (const { id, site_id } of jobs) {
      const path = join(folder, newId('file'))
      await writeFile(path, content)
      if (message === undefined) await files.put(exportKey(site_id, id), path)
      const bytes = Buffer.byteLength(content)
      const done = { url: 'x', filename: 'x.fpl', tickets: 7, comments: 0, attachments: 0, bytes }
      await db
        .updateTable('job')
        .where('id', '=', id)
        .set({ resolved: true, status: message === undefined ? 'SUCCESS' : 'ERROR' })
        .set({ output: JSON.stringify(message === undefined ? done : { message }), finished_at: new Date(clock.now()) })
        .execute()
    }
    return jobs.map(({ id }) => id)
  }

  const before = (await readChain(db, 'org_a')).length
  /** What the activity log has since the start. */
  const entries = async () => (await readChain(db, 'org_a')).slice(before)
  /** Looks once, as a worker does, and waits for the deliveries that it started. */
  async function run(own: Partial<AutomaticExportDeps> = {}, stopping?: AbortSignal): Promise<void> {
    const all = { ...deps, ...own }
    await schedule(all)
    await runDue(all, deliveries(all), stopping)
    await schedule(all)
  }

  return {
    ...{ db, clock, folder, deps, files, set, endExports, run, entries },
    /** Lets the next time of the schedule come, exports and delivers. */
    async exportOnce(content?: string | Buffer): Promise<void> {
      clock.step(24 * 3_600_000)
      await run()
      await endExports(content)
      await run()
    },
    runs: async (siteId = 'site_a') => (await listRuns(db, siteId, { limit: 100 })).items,
    shown: async (siteId = 'site_a') =>
      (await createExportStore(db).show(siteId, new Date(clock.now()))) as AutomaticExport,
    actions: async () =>
      (await entries()).map(
        ({ action, actor, outcome }) => `${action} by ${actor.kind}${outcome === 'done' ? '' : ` (${outcome})`}`,
      ),
  }
}

/** The same with a WebDAV folder as the target of the first site. */
export async function openWithWebdav(own: Parameters<Awaited<ReturnType<typeof openAutomaticBench>>['set']>[1] = {}) {
  const bench = await openAutomaticBench()
  const dav = await startWebdav()
  await bench.set([{ webdav: { url: dav.url, user: 'me', password: 'geheim' } }], own)
  return { ...bench, dav }
}
