import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import { type ActivityLog, type Note, SCHEDULE, SYSTEM } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { JobQuota } from '../../platform/jobs/index.ts'
import { acceptExport } from '../packages/index.ts'
import { createDeliveryStore } from './delivery-store.ts'
import { nextRun } from './next-run.ts'
import { packageNameAt } from './package-name.ts'
import {
  addRun,
  type EndedExport,
  findUnexported,
  lockEnded,
  lockWaiting,
  markDelivering,
  markExporting,
  markFailed,
  postponeRun,
} from './run-store.ts'
import { lockDue, lockMoved, noteLook, setNextRun } from './schedule-store.ts'

export interface SchedulerDeps {
  db: Db
  activity: ActivityLog
  quota: JobQuota
  clock: Clock
}

const MINUTE_MS = 60_000
/** Of one kind, at one look. */
const MOST_STEPS = 100
/** How long a package waits for a target. Longer, for example while it is paused, would keep personal data for too long. */
const UNDELIVERED_MS = 7 * 24 * 60 * MINUTE_MS
/** Between the exports of one run. */
const EXPORT_DELAYS_MS = [5 * MINUTE_MS, 30 * MINUTE_MS] as const
/** When a site has too many jobs. */
const QUOTA_DELAY_MS = 5 * MINUTE_MS

/**
 * Looks once at all automatic exports: adds a run for each that is due, starts exports, and hands ended ones over to
 * delivery. The duty keeps other workers away. Each step is still a transaction that locks one row: people change the same
 * rows, and a worker whose lease has ended may still be looking.
 */
export async function schedule(deps: SchedulerDeps): Promise<void> {
  await untilNone(() => followZone(deps))
  await untilNone(() => addDueRun(deps))
  await untilNone(() => startExport(deps))
  await untilNone(() => settleExport(deps))
  await endOvertaken(deps)
  await noteLook(deps.db, new Date(deps.clock.now()))
}

async function untilNone(step: () => Promise<boolean>): Promise<void> {
  // Ten thousand sites that are due at the same minute must not keep deliveries waiting.
  for (let steps = 0; steps < MOST_STEPS && (await step()); steps += 1);
}

/** Computes the next time again for a site that moved to another time zone. */
function followZone({ db, clock }: SchedulerDeps): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const moved = await lockMoved(tx)
    if (!moved) return false
    const { siteId, schedule, timeZone } = moved
    // A time that has passed is still to run, once.
    const isDue = moved.nextAt.getTime() <= clock.now()
    const keeps = isDue || schedule.every === 'hours'
    const next = () => new Date(nextRun(schedule, { timeZone, after: clock.now(), last: clock.now() }))
    await setNextRun(tx, siteId, { nextAt: keeps ? moved.nextAt : next(), timeZone })
    return true
  })
}

/** Adds one run for a site that is due, however many times of its schedule have passed. */
function addDueRun({ db, clock }: SchedulerDeps): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const now = clock.now()
    const due = await lockDue(tx, new Date(now))
    if (!due) return false
    const { siteId, organizationId, schedule, timeZone, nextAt } = due
    // A run that has not exported yet will hold the same requests.
    if ((await findUnexported(tx, siteId)) === undefined) {
      await addRun(tx, { organizationId, siteId, dueAt: nextAt, startedBy: null, now: new Date(now) })
    }
    const next = nextRun(schedule, { timeZone, after: now, last: nextAt.getTime() })
    await setNextRun(tx, siteId, { nextAt: new Date(next), timeZone })
    return true
  })
}

/** Starts the export job of a run that waits. */
async function startExport({ db, activity, quota, clock }: SchedulerDeps): Promise<boolean> {
  let runId: string | undefined
  try {
    return await activity.change({ actor: SYSTEM }, async (tx, note) => {
      const run = await lockWaiting(tx, new Date(clock.now()))
      if (!run) return false
      runId = run.id
      const { organizationId, siteId, keyId } = run
      const { kind, id, name } = run.startedBy ?? SCHEDULE
      const by = { ...SCHEDULE, kind, id, name }
      const noteBy: Note = (happened) => note({ ...happened, by })
      const job = { organizationId, siteId, startedBy: { kind, id, name }, keyId, at: clock.now() }
      await markExporting(tx, run.id, await acceptExport({ tx, note: noteBy, quota }, job))
      return true
    })
  } catch (error) {
    if (runId === undefined || !(error instanceof Failure) || error.kind !== 'quota') throw error
    const until = new Date(clock.now() + QUOTA_DELAY_MS)
    await postponeRun(db, runId, { until, error: error.message })
    return true
  }
}

/** Hands the package of an ended export over to delivery, or tries the export again. */
function settleExport({ activity, clock }: SchedulerDeps): Promise<boolean> {
  return activity.change({ actor: SYSTEM }, async (tx, note) => {
    const run = await lockEnded(tx)
    if (!run) return false
    const now = new Date(clock.now())
    const { bytes, tickets, message } = run.output ?? {}
    if (run.status === 'SUCCESS' && bytes !== undefined && tickets !== undefined) {
      const filename = packageNameAt(run.siteName, { runId: run.id, dueAt: run.dueAt })
      await markDelivering(tx, run, { bytes, tickets, filename, now })
      // Without any target by now, nothing waits and the run is over.
      await createDeliveryStore(tx).finishRun(run.id, now)
      return true
    }
    const error = message ?? 'The export ended without a result.'
    const delay = EXPORT_DELAYS_MS[run.attempts - 1]
    if (delay !== undefined) {
      await postponeRun(tx, run.id, { until: new Date(now.getTime() + delay), error })
      return true
    }
    await markFailed(tx, run.id, error, now)
    note({ ...aboutJob(run), action: 'automatic-export-failed', outcome: 'failed', details: { step: 'export' } })
    return true
  })
}

const aboutJob = ({ organizationId, siteId, jobId, filename }: EndedExport) => ({
  organizationId,
  siteId,
  subject: { kind: 'job', id: jobId, name: filename } as const,
})

/** Ends deliveries that nobody waits for any more. */
async function endOvertaken({ db, clock }: SchedulerDeps): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const store = createDeliveryStore(tx)
    const now = new Date(clock.now())
    const old = new Date(clock.now() - UNDELIVERED_MS)
    const ended = [await store.supersede(now), await store.endWithoutTarget(), await store.endOld(old, now)]
    for (const runId of new Set(ended.flat())) await store.finishRun(runId, now)
  })
}
