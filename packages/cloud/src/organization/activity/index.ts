/**
 * Records who did what in the cloud, in chains that are signed and only grow. Features record with `change`, which puts the
 * action and its entry into one transaction.
 */
import { join } from 'node:path'
import { type AuditKey, newAuditKey, openAuditKey } from '@plantroom/base/audit-key'
import type { Clock } from '@plantroom/base/clock'
import { keptSecret } from '@plantroom/base/kept-secret'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/database.ts'
import type { Transport } from '../../platform/outbound/index.ts'
import { type ActivityLog, createActivityLog } from './activity-log.ts'
import { activityRoutes } from './activity-routes.ts'
import { createActivityStore } from './activity-store.ts'
import { createRefusals, type Refusals } from './refusals.ts'
import { type Sink, sinkDuty } from './sink.ts'
import { type SinkSettings, sinkName } from './sink-settings.ts'
import { countUnsent } from './sink-store.ts'
import { createSyslog } from './syslog.ts'
import { createWebhook } from './webhook.ts'

export type { ActivityLog } from './activity-log.ts'
export { isRecorded, organizationsOf } from './activity-store.ts'
export type { SigningDevice } from './audit-keys.ts'
export { type ActingParty, type Happened, type Note, SCHEDULE, SYSTEM } from './happened.ts'
export type { Refusal } from './refusal-counts.ts'
export type { Refusals } from './refusals.ts'
export { readSink, type SinkSettings } from './sink-settings.ts'

/** Opens the activity log with the configured key, or with the one in the data folder. */
export async function openActivity(deps: {
  db: Db
  folder: string
  configuredKey: string | undefined
  clock: Clock
  log: Log
}): Promise<ActivityLog> {
  const { db, folder, configuredKey, clock, log } = deps
  const key =
    configuredKey === undefined ? await openKeptKey(join(folder, 'activity-key')) : openAuditKey(configuredKey)
  log.info({ fingerprint: key.fingerprint }, 'the activity log is signed with this key')
  const before = await createActivityStore(db).lastKey()
  if (before !== undefined && before !== key.publicKey) {
    log.warn(
      'the activity log was signed with another key before, so plantroom audit verify will not pass: give every process the same data folder or PLANTROOM_ACTIVITY_KEY',
    )
  }
  return createActivityLog({ db, key, clock })
}

async function openKeptKey(path: string): Promise<AuditKey> {
  const text = await keptSecret(path, newAuditKey)
  try {
    return openAuditKey(text)
  } catch {
    throw new Failure('unavailable', `${path} is not the key of the activity log: restore it from a copy, or remove it`)
  }
}

/** Starts to count refused callers and to record them once a minute. */
export function openRefusals(deps: { db: Db; activity: ActivityLog; clock: Clock; log: Log }): Refusals {
  return createRefusals({ ...deps, store: createActivityStore(deps.db) })
}

/** What a worker does to send the activity log on. */
export const activityDuty = (deps: { db: Db; settings: SinkSettings; transport: Transport; clock: Clock }) =>
  sinkDuty({ ...deps, sink: sinkOf(deps.settings, deps.transport) })

/** Counts the entries that still have to be sent on. */
export const countUnsentActivity = (db: Db, settings: SinkSettings) => countUnsent(db, sinkName(settings))

function sinkOf(settings: SinkSettings, transport: Transport): Sink {
  return 'syslog' in settings ? createSyslog(settings.syslog) : createWebhook(settings.webhook, transport)
}

/** Adds the routes that list the activity log. */
export function register(app: FastifyInstance, deps: { db: Db; activity: ActivityLog; clock: Clock }): void {
  const { db, activity, clock } = deps
  activityRoutes(app, { store: createActivityStore(db), key: activity.key, clock })
}
