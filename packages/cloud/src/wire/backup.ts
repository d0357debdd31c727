import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { lockFolder } from '@plantroom/base/folder-lock'
import { createLog } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import type { CloudConfig } from '../config.ts'
import { prepareFolder, takeFolder } from '../data-folder.ts'
import {
  checkRestorable,
  encryptTo,
  type FilesSource,
  type FilesTarget,
  type Keys,
  makeBackup,
  openBackup,
  type Recipients,
  type Restored,
  restoreBackup,
  type Summary,
  verifyBackup,
} from '../platform/backup/index.ts'
import type { DatabaseAddress } from '../platform/db/database.ts'
import { awaitEmbeddedPostgres } from '../platform/db/embedded/find-server.ts'
import { connectionOfService } from '../platform/db/embedded/service-role.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded/start.ts'
import { openFiles, openScratch } from '../platform/files/index.ts'

const FIND_SERVER_MS = 30_000

/** Backs up the service of these settings, whether it runs or not. */
export async function backUp(
  config: CloudConfig,
  options: {
    withBucket: boolean
    withoutSecrets?: boolean | undefined
    /** `undefined` writes it as it is. */
    encryptTo?: Recipients | undefined
    write(bytes: Uint8Array): Promise<void>
  },
): Promise<Summary> {
  await using parts = new AsyncDisposableStack()
  if (!config.databaseUrl && !existsSync(join(config.folder, 'postgres'))) {
    throw new Failure(
      'unavailable',
      `${config.folder} has no database: set PLANTROOM_DATA to the data folder of the service, or DATABASE_URL`,
    )
  }
  refuseOtherUser(config.folder)
  await prepareFolder(config.folder)
  const address = config.databaseUrl ? { connectionString: config.databaseUrl } : await reachEmbedded(config, parts)
  const { files, scratch } = await openSource(config, parts, options.withBucket)
  const settings = settingsWithSecrets(config)
  // Awaited, because everything is closed at the end of this function.
  const { withoutSecrets } = options
  const deps = { address, folder: config.folder, files, scratch, settings, withoutSecrets, clock: systemClock }
  if (!options.encryptTo) return await makeBackup(deps, options.write)
  const encrypted = await encryptTo(options.encryptTo, options.write)
  const summary = await makeBackup(deps, encrypted.write)
  await encrypted.finish()
  return summary
}

/** Refuses to work as another user than the service: it could not use what is left here, and a restore leaves everything. */
function refuseOtherUser(folder: string): void {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid
  if (owner === undefined || owner === process.getuid?.()) return
  throw new Failure('unavailable', `${folder} belongs to user ${owner}: run this command as that user`)
}

/** The address of the embedded server, which is started and stopped again if the service does not run. */
async function reachEmbedded(config: CloudConfig, parts: AsyncDisposableStack): Promise<DatabaseAddress> {
  const log = createLog('backup', 'error')
  const folder = join(config.folder, 'postgres')
  const unlock = lockFolder(config.folder)
  if (unlock) {
    parts.defer(unlock)
    return startServer(folder, parts)
  }
  const stop = new AbortController()
  const cancel = systemClock.after(FIND_SERVER_MS, () => stop.abort())
  const found = await awaitEmbeddedPostgres({ folder, clock: systemClock, log, signal: stop.signal }).finally(cancel)
  if (found) return connectionOfService(found)
  throw new Failure(
    'unavailable',
    `the database in ${folder} does not answer: start the cloud, or stop it, then try again`,
  )
}

async function startServer(folder: string, parts: AsyncDisposableStack): Promise<DatabaseAddress> {
  const log = createLog('backup', 'error')
  const server = await startEmbeddedPostgres({ folder, clock: systemClock, log })
  parts.defer(() => server.stop())
  return connectionOfService(server.connection)
}

async function openSource(
  config: CloudConfig,
  parts: AsyncDisposableStack,
  copy: boolean,
): Promise<{ files: FilesSource; scratch: string }> {
  if (config.s3) {
    const { bucket, scratch } = await openFiles(config, { parts, clock: systemClock, baseUrl: () => '' })
    if (bucket) return { files: { kind: 'bucket', store: bucket, copy }, scratch }
  }
  const root = join(config.folder, 'files')
  const scratch = await openScratch(join(root, 'unfinished'))
  parts.defer(() => scratch.close())
  return { files: { kind: 'disk', root }, scratch: scratch.folder }
}

function settingsWithSecrets({ adminToken, activityKey, factorKey }: CloudConfig): string[] {
  const set = {
    PLANTROOM_ADMIN_TOKEN: adminToken,
    PLANTROOM_ACTIVITY_KEY: activityKey,
    PLANTROOM_FACTOR_KEY: factorKey,
  }
  return Object.entries(set).flatMap(([name, value]) => (value === undefined ? [] : [name]))
}

/** Checks a backup without restoring it. */
export async function checkBackup(path: string, keys?: Keys): Promise<Summary> {
  const reader = await openBackup(path, keys)
  try {
    return await verifyBackup(path, reader)
  } finally {
    reader.close()
  }
}

/** Restores a backup into the database, the files and the data folder of these settings. */
export async function restore(
  config: CloudConfig,
  path: string,
  options: { replace: boolean; keys?: Keys | undefined },
): Promise<Restored> {
  await using parts = new AsyncDisposableStack()
  const reader = await openBackup(path, options.keys)
  parts.defer(() => reader.close())
  checkRestorable(path, reader, { kind: config.s3 ? 'bucket' : 'disk' })
  refuseOtherUser(config.folder)
  await prepareFolder(config.folder)
  parts.defer(takeFolder(config.folder))
  const files = await openTarget(config, parts)
  const address = async () =>
    config.databaseUrl ? { connectionString: config.databaseUrl } : startServer(join(config.folder, 'postgres'), parts)
  return await restoreBackup({ path, reader, address, folder: config.folder, files, replace: options.replace })
}

async function openTarget(config: CloudConfig, parts: AsyncDisposableStack): Promise<FilesTarget> {
  if (config.s3) {
    const { bucket, scratch } = await openFiles(config, { parts, clock: systemClock, baseUrl: () => '' })
    if (bucket) return { kind: 'bucket', store: bucket, scratch }
  }
  return { kind: 'disk', root: join(config.folder, 'files') }
}
