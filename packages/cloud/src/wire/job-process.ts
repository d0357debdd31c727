import { systemClock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import type { CloudConfig } from '../config.ts'
import { createConversionHandlers } from '../conversions/index.ts'
import type { Db } from '../db/database.ts'
import { openFiles } from '../files/index.ts'
import type { JobHandlers } from '../jobs/index.ts'
import { createJobHandlers, type ImportDeps } from '../packages/index.ts'
import { awaitDatabase, openJobDatabase } from './database.ts'

/** Opens everything a job process needs. Nothing is closed: it ends with the process. */
export async function openJobHandlers(
  config: CloudConfig,
  log: Log,
  signal: AbortSignal,
  forTests: Pick<ImportDeps, 'reached' | 'batchRequests'> = {},
): Promise<{ db: Db; handlers: JobHandlers }> {
  const address = await awaitDatabase(config, { clock: systemClock, log, signal })
  if (!address) throw new Failure('unavailable', 'the database is not available')
  const db = openJobDatabase(address, log)
  const parts = new AsyncDisposableStack()
  const baseUrl = config.publicUrl ?? `http://${config.host}:${config.port}`
  const files = await openFiles(config, { parts, clock: systemClock, baseUrl: () => baseUrl })
  const storage = { db, files: files.store, folder: files.scratch }
  const ofPackages = createJobHandlers({
    ...storage,
    schemaUrl: `${baseUrl}/schemas/ticket-export-v1.json`,
    clock: systemClock,
    exportsKept: config.limits.exportsKept,
    ...forTests,
  })
  const maxPackageBytes = config.limits.packageBytesPerOrganization
  return { db, handlers: { ...ofPackages, ...createConversionHandlers({ ...storage, maxPackageBytes }) } }
}
