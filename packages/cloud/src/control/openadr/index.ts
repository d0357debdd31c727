/** OpenADR 3: the VEN of organizations. Follows the events of VTNs, places what they ask for, and reports. */
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { ChangeFeed } from '../../platform/db/change-feed.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import { createSeal, loadSealKey } from '../../platform/seal/index.ts'
import { sweep, timeOf } from '../../platform/work/index.ts'
import { CHECKS } from './check-store.ts'
import { checks } from './checks.ts'
import { cleanups } from './cleanups.ts'
import { createEventStore } from './event-store.ts'
import { listRoutes } from './list-routes.ts'
import { createListeners } from './listeners.ts'
import { notifyRoute } from './notify-route.ts'
import { optOutRoutes } from './opt-out-routes.ts'
import { polls } from './poll.ts'
import { createPollStore } from './poll-store.ts'
import { programRoutes } from './program-routes.ts'
import { reports } from './send-report.ts'
import { createVtnSessions } from './vtn-sessions.ts'

export { CLEANUPS as OPENADR_CLEANUPS } from './cleanup-store.ts'
export { PROGRAMS as OPENADR_PROGRAMS } from './poll-store.ts'
export { REPORTS as OPENADR_REPORTS } from './report-store.ts'

interface Settings {
  folder: string
  factorKey: string | undefined
}

const HOUR_MS = 3_600_000
/** How long events stay in the list after they are over, with what became of them. */
const KEPT_MS = 400 * 24 * HOUR_MS
const REMOVED_AT_ONCE = 1_000

async function sealOf({ folder, factorKey }: Settings) {
  return createSeal(await loadSealKey(folder, factorKey), 'openadr')
}

/** Adds the routes of programs, their events and their reports. */
export async function register(
  app: FastifyInstance,
  deps: {
    db: Db
    activity: ActivityLog
    settings: Settings
    outbound: Outbound
    feed: Pick<ChangeFeed, 'follow'>
    tasks: { wake(): void }
    clock: Clock
  },
): Promise<void> {
  const { db, activity, settings, outbound, feed, tasks, clock } = deps
  const wakeTasks = () => tasks.wake()
  // A worker places, and the controllers are connected to the cloud processes.
  feed.follow('openadr_placement', { changed: wakeTasks, missed: wakeTasks })
  programRoutes(app, { db, activity, seal: await sealOf(settings), guard: outbound.guard, wakeTasks, clock })
  optOutRoutes(app, { db, activity, clock })
  listRoutes(app, { db, clock })
  await notifyRoute(app, { db, clock })
}

/** What a worker does for programs. */
export async function openadrWork(deps: {
  db: Db
  settings: Settings
  outbound: Outbound
  feed: Pick<ChangeFeed, 'follow'>
  activity: ActivityLog
  /** Where others reach this service, when that is known. */
  baseUrl: string | undefined
  clock: Clock
  log: Log
}) {
  const { db, settings, outbound, feed, activity, baseUrl, clock, log } = deps
  const session = { transport: outbound.tenants, seal: await sealOf(settings), clock }
  const sessions = createVtnSessions(session)
  const wake = (id: string) =>
    void createPollStore(db)
      .wake(id, timeOf(clock))
      .catch((error: Error) => log.warn({ programId: id, error: error.message }, 'could not wake an OpenADR program'))
  const listeners = createListeners({
    ...{ guard: outbound.guard, sessions, clock, log },
    wake: (id) => createPollStore(db).announce({ id }, timeOf(clock)),
  })
  // Outcomes that no worker listened for count at the next poll.
  const wakeAll = () =>
    void createPollStore(db)
      .wakeAll(timeOf(clock))
      .catch((error: Error) => log.warn({ error: error.message }, 'could not wake the OpenADR programs'))
  feed.follow('openadr_outcome', { changed: wake, missed: wakeAll })
  wakeAll()
  return {
    /** Ends the connections to brokers. */
    close: () => listeners.close(),
    kinds: {
      polls: polls({ db, sessions, listeners, baseUrl, clock, log }),
      reports: reports({ db, sessions, clock, log }),
      checks: checks({ db, ...session }),
      cleanups: cleanups({ db, activity, ...session, log }),
    },
    duties: [
      CHECKS.forget({ db, clock }),
      sweep(
        { log },
        {
          name: 'openadr-events',
          everyMs: HOUR_MS,
          what: 'OpenADR events of long ago',
          remove: () => createEventStore(db).removeBefore(new Date(clock.now() - KEPT_MS), REMOVED_AT_ONCE),
        },
      ),
    ],
  }
}
