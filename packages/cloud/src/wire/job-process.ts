import { systemClock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import type { CloudConfig } from '../config.ts'
import { createConversionHandlers } from '../maintenance/conversions/index.ts'
import { createJobHandlers, type ImportDeps } from '../maintenance/packages/index.ts'
import type { Db } from '../platform/db/database.ts'
import { openFiles } from '../platform/files/index.ts'
import type { JobHandlers } from '../platform/jobs/index.ts'
import { knownAddress } from './address.ts'
import { awaitDatabase, openJobDatabase } from './database.ts'

/** Opens everything a job process needs. Nothing is closed: it ends with the process. */
export async function openJobHandlers(
  config: CloudConfig,
  log: Log,
  signal: AbortSignal,
  forTests: Pick<ImportDeps, 'reached' | 'batchRequests'> = {},
): Promise<{ db: Db; handlers: JobHandlers }> {
  const database = await awaitDatabase(config, { clock: systemClock, log, signal })
  if (!database) throw new Failure('unavailable', 'the database is not available')
  const db = openJobDatabase(database, log)
  const parts = new AsyncDisposableStack()
  const address = knownAddress(config)
  const files = await openFiles(config, { parts, clock: systemClock, baseUrl: () => address ?? '' })
  const storage = { db, files: files.store, folder: files.scratch }
  const ofPackages = createJobHandlers({
    ...storage,
    schemaUrl: address && `${address}${API.getManifestSchema.path}`,
    clock: systemClock,
    exportsKept: config.limits.exportsKept,
    ...forTests,
  })
  const maxPackageBytes = config.limits.packageBytesPerOrganization
  return {
    db,
    handlers: { ...ofPackages, ...createConversionHandlers({ ...storage, clock: systemClock, maxPackageBytes }) },
  }
}
