import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import { MAX_TARGET_TESTS_PER_HOUR } from '@plantroom/contract/automatic-exports'
import { Failure, quotaReached } from '@plantroom/contract/failure'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Guard } from '../../platform/outbound/index.ts'
import { addRoute } from '../../platform/routes/index.ts'
import type { Seal } from '../../platform/seal/index.ts'
import { TESTS } from './asked-test-store.ts'
import { askForTest } from './asked-tests.ts'
import { createDeliveryStore } from './delivery-store.ts'
import { createExportStore, KEY_ENDED, type StoredExport } from './export-store.ts'
import { nextRun, problemOfSchedule } from './next-run.ts'
import { readTarget, readTargets } from './read-targets.ts'
import { listRuns } from './run-list-store.ts'
import { addRun, endRuns, findUnexported, startNow } from './run-store.ts'
import { offeredKinds, type TargetDeps } from './targets/open-target.ts'

export interface ExportRouteDeps extends Pick<TargetDeps, 'exportFolder'> {
  guard: Pick<Guard, 'check'>
  db: Db
  activity: ActivityLog
  seal: Seal
  clock: Clock
}

/** Shows, sets and removes the automatic export of a site, and starts it. */
export function exportRoutes(app: FastifyInstance, deps: ExportRouteDeps): void {
  const { db, activity, clock } = deps
  const now = () => new Date(clock.now())
  const shown = async (from: Db, siteId: string) => ({
    automaticExport: await createExportStore(from).show(siteId, now()),
    offered: offeredKinds(deps),
  })

  addRoute(app, API.getAutomaticExport, ({ params }) => shown(db, params.propertyId))

  addRoute(app, API.setAutomaticExport, async (request) => {
    const { orgId: organizationId, propertyId: siteId } = request.params
    const { enabled, schedule, retention, targets: given } = request.body
    const problem = problemOfSchedule(schedule)
    if (problem) throw new Failure('invalid', problem.problem, problem.field)
    return activity.change(request, async (tx, note) => {
      const store = createExportStore(tx)
      const site = await store.lockSite(siteId)
      const known = await store.find(siteId)
      const targets = readTargets(deps, given, known?.targets ?? [])
      const nextAt = nextTime(known, { enabled, schedule }, { timeZone: site.timeZone, now: clock.now() })
      const keyId = request.keyId ?? null
      const { timeZone } = site
      const set = { organizationId, enabled, schedule, retention, timeZone, nextAt, keyId, targets }
      await store.save(siteId, set, now())
      await endRemoved(tx, now())
      await createDeliveryStore(tx).retryNow(
        targets.map(({ id }) => id),
        now(),
      )
      const subject = { kind: 'site', id: siteId, name: site.name } as const
      const details = { enabled, every: schedule.every, targets: targets.map(({ label }) => label) }
      note({ organizationId, siteId, action: 'automatic-export-changed', subject, details })
      return shown(tx, siteId)
    })
  })

  addRoute(app, API.removeAutomaticExport, async (request) => {
    const { orgId: organizationId, propertyId: siteId } = request.params
    await activity.change(request, async (tx, note) => {
      const store = createExportStore(tx)
      const { name } = await store.lockSite(siteId)
      if (!(await store.remove(siteId))) throw noExport()
      await endRuns(tx, siteId, 'the automatic export was removed', now())
      const subject = { kind: 'site', id: siteId, name } as const
      note({ organizationId, siteId, action: 'automatic-export-removed', subject })
    })
  })

  addRoute(app, API.startAutomaticExport, async (request) => {
    const { orgId: organizationId, propertyId: siteId } = request.params
    const runId = await activity.change(request, async (tx, note) => {
      const store = createExportStore(tx)
      const { name: siteName } = await store.lockSite(siteId)
      const known = await store.find(siteId)
      if (!known) throw noExport()
      if (!known.enabled) throw new Failure('conflict', 'the automatic export is switched off: switch it on first')
      if (!(await store.isValid(siteId, now()))) throw new Failure('conflict', KEY_ENDED)
      const waiting = await findUnexported(tx, siteId)
      if (waiting !== undefined) {
        await startNow(tx, waiting, now())
        return waiting
      }
      const { kind, id, name } = request.actor
      const subject = { kind: 'site', id: siteId, name: siteName } as const
      note({ organizationId, siteId, action: 'automatic-export-started', subject })
      return addRun(tx, { organizationId, siteId, dueAt: now(), startedBy: { kind, id, name }, now: now() })
    })
    return { runId }
  })

  addRoute(app, API.listExportRuns, async ({ params, query }) => {
    const { items: runs, next } = await listRuns(db, params.propertyId, query)
    return { runs, nextCursor: next }
  })

  testRoute(app, deps)
}

/** Tests a target that is stored or being entered. A worker connects to it, so that no server can hurt this process. */
function testRoute(app: FastifyInstance, deps: ExportRouteDeps): void {
  const { db, activity, clock } = deps

  addRoute(app, API.testExportTarget, async (request) => {
    const { orgId: organizationId, propertyId: siteId } = request.params
    const id = await activity.change(request, async (tx, note) => {
      const store = createExportStore(tx)
      const { name } = await store.lockSite(siteId)
      const known = await store.find(siteId)
      const read = readTarget(deps, request.body.target, known?.targets ?? [], 'target')
      await requireTests(store.countTest(siteId, new Date(clock.now())))
      const subject = { kind: 'site', id: siteId, name } as const
      note({ organizationId, siteId, action: 'automatic-export-tested', subject, details: { target: read.label } })
      return askForTest(
        tx,
        { organizationId, siteId, targetId: read.id, place: read.place, secret: read.secret },
        clock,
      )
    })
    return TESTS.wait(db, id, clock)
  })
}

async function requireTests(counted: Promise<number>): Promise<void> {
  const waitS = Math.ceil((await counted) / 1000)
  if (waitS === 0) return
  throw quotaReached(
    `a site takes ${MAX_TARGET_TESTS_PER_HOUR} tests of targets an hour: try again in ${Math.ceil(waitS / 60)} minutes`,
    waitS,
  )
}

async function endRemoved(tx: Db, now: Date): Promise<void> {
  const store = createDeliveryStore(tx)
  for (const runId of await store.endWithoutTarget()) await store.finishRun(runId, now)
}

/** The next time of a schedule. It stays as it is while the schedule does. */
function nextTime(
  known: StoredExport | undefined,
  set: Pick<StoredExport, 'enabled' | 'schedule'>,
  { timeZone, now }: { timeZone: string; now: number },
): Date {
  const isSame = known?.enabled && set.enabled && known.timeZone === timeZone
  if (isSame && sameSchedule(known.schedule, set.schedule)) return known.nextAt
  return new Date(nextRun(set.schedule, { timeZone, after: now, last: now }))
}

const sameSchedule = (one: StoredExport['schedule'], other: StoredExport['schedule']) =>
  (['every', 'hours', 'at', 'weekday', 'day'] as const).every((name) => one[name] === other[name])

const noExport = () => new Failure('notFound', 'this site has no automatic export: set one first')
