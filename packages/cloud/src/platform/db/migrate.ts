import { Failure } from '@plantroom/contract/failure'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { sql as organizations } from './migrations/0001-organizations.ts'
import { sql as siteTimeZone } from './migrations/0002-site-time-zone.ts'
import { sql as reports } from './migrations/0003-reports.ts'
import { sql as measurements } from './migrations/0004-measurements.ts'
import { sql as maintenanceRequests } from './migrations/0005-maintenance-requests.ts'
import { sql as peopleWhoSignIn } from './migrations/0006-people-who-sign-in.ts'
import { sql as jobQueue } from './migrations/0007-job-queue.ts'
import { sql as keyLife } from './migrations/0008-key-life.ts'
import { sql as accounts } from './migrations/0009-accounts-of-their-own.ts'
import { sql as fairShares } from './migrations/0010-fair-shares.ts'
import { sql as signedAudit } from './migrations/0011-signed-audit.ts'
import { sql as activity } from './migrations/0012-activity.ts'
import { sql as secondFactors } from './migrations/0013-second-factors.ts'
import { sql as providerIdentities } from './migrations/0014-provider-identities.ts'
import { sql as whoCancelled } from './migrations/0015-who-cancelled.ts'
import { sql as compactMeasurements } from './migrations/0016-compact-measurements.ts'
import { sql as fleetDispatches } from './migrations/0017-fleet-dispatches.ts'
import { sql as alertsAndWebhooks } from './migrations/0018-alerts-and-webhooks.ts'
import { sql as brokerAccounts } from './migrations/0019-broker-accounts.ts'
import { sql as deviceList } from './migrations/0021-device-list.ts'
import { sql as deviceState } from './migrations/0022-device-state.ts'
import { sql as portfolio } from './migrations/0023-portfolio.ts'
import { sql as commissioningVersions } from './migrations/0024-commissioning-versions.ts'
import { sql as requestLists } from './migrations/0025-request-lists.ts'
import { sql as requestHistory } from './migrations/0026-request-history.ts'
import { sql as dismissedChecklists } from './migrations/0027-dismissed-checklists.ts'
import { sql as deviceStateValues } from './migrations/0028-device-state-values.ts'
import { sql as preferences } from './migrations/0029-preferences.ts'
import { sql as jobOptions } from './migrations/0030-job-options.ts'
import { up as peopleAndFills } from './migrations/0031-people-and-fills.ts'
import { sql as partUploads } from './migrations/0032-part-uploads.ts'
import { sql as automaticExports } from './migrations/0033-automatic-exports.ts'
import { sql as conversions } from './migrations/0034-conversions.ts'
import { sql as packageRemovals } from './migrations/0035-package-removals.ts'
import { sql as exportAlerts } from './migrations/0036-export-alerts.ts'
import { sql as uploadPurposes } from './migrations/0037-upload-purposes.ts'
import { sql as findingsOfJobs } from './migrations/0038-findings-of-jobs.ts'
import { sql as plansForLargeRequests } from './migrations/0039-plans-for-large-requests.ts'
import { sql as deviceReplacement } from './migrations/0040-device-replacement.ts'
import { sql as writtenAddresses } from './migrations/0041-written-addresses.ts'
import { sql as archivePermission } from './migrations/0042-archive-permission.ts'
import { sql as lostMemory } from './migrations/0043-lost-memory.ts'
import { sql as work } from './migrations/0044-work.ts'
import { sql as targetTests } from './migrations/0045-target-tests.ts'
import { sql as deviceTasks } from './migrations/0046-device-tasks.ts'
import { sql as importProgress } from './migrations/0047-import-progress.ts'
import { sql as removedSites } from './migrations/0048-removed-sites.ts'
import { sql as instance } from './migrations/0049-instance.ts'
import { sql as alertWork } from './migrations/0051-alert-work.ts'
import { sql as closingComments } from './migrations/0052-closing-comments.ts'
import { sql as siteTags } from './migrations/0054-site-tags.ts'
import { sql as requestCodes } from './migrations/0055-request-codes.ts'
import { sql as push } from './migrations/0056-push.ts'
import { sql as intervalMeasurements } from './migrations/0057-interval-measurements.ts'
import { sql as powerLimits } from './migrations/0058-power-limits.ts'
import { sql as stateOfPowerLimits } from './migrations/0059-state-of-power-limits.ts'
import { sql as outputTests } from './migrations/0060-output-tests.ts'
import { sql as openadr } from './migrations/0061-openadr.ts'
import { sql as openadrOptOuts } from './migrations/0062-openadr-opt-outs.ts'
import { sql as rolledBackVersions } from './migrations/0063-rolled-back-versions.ts'
import { sql as sharedLimits } from './migrations/0064-shared-limits.ts'
import { sql as openadrReconciliations } from './migrations/0065-openadr-reconciliations.ts'
import { sql as lostShares } from './migrations/0067-lost-shares.ts'
import { sql as openadrCleanups } from './migrations/0068-openadr-cleanups.ts'
import { sql as sourceInCharge } from './migrations/0070-source-in-charge.ts'
import { sql as versionTemplates } from './migrations/0071-version-templates.ts'
import { sql as slowWork } from './migrations/0072-slow-work.ts'
import type { Schema } from './schema.ts'

/** In order of their names. A released migration is never edited: add a new one instead. */
const MIGRATIONS: Record<string, string | ((db: Kysely<unknown>) => Promise<void>)> = {
  '0001-organizations': organizations,
  '0002-site-time-zone': siteTimeZone,
  '0003-reports': reports,
  '0004-measurements': measurements,
  '0005-maintenance-requests': maintenanceRequests,
  '0006-people-who-sign-in': peopleWhoSignIn,
  '0007-job-queue': jobQueue,
  '0008-key-life': keyLife,
  '0009-accounts-of-their-own': accounts,
  '0010-fair-shares': fairShares,
  '0011-signed-audit': signedAudit,
  '0012-activity': activity,
  '0013-second-factors': secondFactors,
  '0014-provider-identities': providerIdentities,
  '0015-who-cancelled': whoCancelled,
  '0016-compact-measurements': compactMeasurements,
  '0017-fleet-dispatches': fleetDispatches,
  '0018-alerts-and-webhooks': alertsAndWebhooks,
  '0019-broker-accounts': brokerAccounts,
  '0021-device-list': deviceList,
  '0022-device-state': deviceState,
  '0023-portfolio': portfolio,
  '0024-commissioning-versions': commissioningVersions,
  '0025-request-lists': requestLists,
  '0026-request-history': requestHistory,
  '0027-dismissed-checklists': dismissedChecklists,
  '0028-device-state-values': deviceStateValues,
  '0029-preferences': preferences,
  '0030-job-options': jobOptions,
  '0031-people-and-fills': peopleAndFills,
  '0032-part-uploads': partUploads,
  '0033-automatic-exports': automaticExports,
  '0034-conversions': conversions,
  '0035-package-removals': packageRemovals,
  '0036-export-alerts': exportAlerts,
  '0037-upload-purposes': uploadPurposes,
  '0038-findings-of-jobs': findingsOfJobs,
  '0039-plans-for-large-requests': plansForLargeRequests,
  '0040-device-replacement': deviceReplacement,
  '0041-written-addresses': writtenAddresses,
  '0042-archive-permission': archivePermission,
  '0043-lost-memory': lostMemory,
  '0044-work': work,
  '0045-target-tests': targetTests,
  '0046-device-tasks': deviceTasks,
  '0047-import-progress': importProgress,
  '0048-removed-sites': removedSites,
  '0049-instance': instance,
  '0051-alert-work': alertWork,
  '0052-closing-comments': closingComments,
  '0054-site-tags': siteTags,
  '0055-request-codes': requestCodes,
  '0056-push': push,
  '0057-interval-measurements': intervalMeasurements,
  '0058-power-limits': powerLimits,
  '0059-state-of-power-limits': stateOfPowerLimits,
  '0060-output-tests': outputTests,
  '0061-openadr': openadr,
  '0062-openadr-opt-outs': openadrOptOuts,
  '0063-rolled-back-versions': rolledBackVersions,
  '0064-shared-limits': sharedLimits,
  '0065-openadr-reconciliations': openadrReconciliations,
  '0067-lost-shares': lostShares,
  '0068-openadr-cleanups': openadrCleanups,
  '0070-source-in-charge': sourceInCharge,
  '0071-version-templates': versionTemplates,
  '0072-slow-work': slowWork,
}

/** The names of all migrations of this version, in order. */
export const migrationNames: readonly string[] = Object.keys(MIGRATIONS)

const created = (statement: RegExp) =>
  Object.values(MIGRATIONS).flatMap((step) =>
    typeof step === 'string' ? [...step.matchAll(statement)].map(([, name = '']) => name) : [],
  )

/** Everything that any migration creates, also what a later one drops. */
export const OWN_OBJECTS = {
  // The second of each is created by code.
  tables: [...created(/CREATE TABLE (\w+)/g), 'job_fill'],
  sequences: created(/CREATE SEQUENCE (\w+)/g),
  functions: [...created(/CREATE FUNCTION (\w+)/g), 'person_email_key'],
} as const

/** Those of the names that this version does not know, because a newer one added them. */
export function unknownMigrations(names: readonly string[]): string[] {
  return names.filter((name) => !Object.hasOwn(MIGRATIONS, name))
}

/**
 * Migrates the database to this version, or up to the migration `last`. Processes that start together wait for each
 * other, each migration runs once, and a failed run leaves the database unchanged.
 */
export async function migrate(db: Kysely<Schema>, last?: string): Promise<void> {
  await requireUtf8(db)
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(MIGRATIONS).map(([name, step]) => [
            name,
            {
              up: async (db: Kysely<unknown>) =>
                void (typeof step === 'string' ? await sql.raw(step).execute(db) : await step(db)),
            },
          ]),
        ),
    },
  })
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last))
  if (error) throw (await newerVersion(db).catch(() => undefined)) ?? error
}

/** Throws unless the database can store all text: with another encoding, it would fail at some row in the middle. */
export async function requireUtf8(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ server_encoding: string }>`SHOW server_encoding`.execute(db)
  const encoding = rows[0]?.server_encoding ?? 'unknown'
  if (encoding === 'UTF8') return
  throw new Failure(
    'unavailable',
    `the database has the encoding ${encoding}, which cannot store all text: create another one with CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0, and set DATABASE_URL to it`,
  )
}

/** The failure for a database with migrations this version does not know; `undefined` when there are none. */
async function newerVersion(db: Kysely<Schema>): Promise<Failure | undefined> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db)
  const unknown = unknownMigrations(rows.map(({ name }) => name))
  if (unknown.length === 0) return undefined
  return new Failure(
    'unavailable',
    `the database was written by a newer Plantroom (it has ${unknown.join(', ')}): start that version, or restore a backup from before it`,
  )
}
