import { systemClock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import type { CloudConfig } from './config.ts'
import { type Db, openDatabase } from './db/database.ts'
import type { JobHandlers } from './jobs/index.ts'
import { exportPackage } from './packages/export.ts'
import { type ImportDeps, importPackage } from './packages/import.ts'
import { previewPackage } from './packages/preview.ts'
import { createExportStore } from './tickets/export-store.ts'
import { openFiles } from './wire-files.ts'
import { databaseAddress, IDLE_IN_TRANSACTION_MS } from './wire-worker.ts'

/** What the process of a job works with. It ends with the process: nothing has to be given back. */
export async function openJobHandlers(
  config: CloudConfig,
  log: Log,
  signal: AbortSignal,
  reached?: ImportDeps['reached'],
): Promise<{ db: Db; handlers: JobHandlers }> {
  const address = await databaseAddress(config, log, signal)
  if (!address) throw new Failure('unavailable', 'the database is not there')
  const db = openDatabase(address, log, { idleInTransactionMs: IDLE_IN_TRANSACTION_MS })
  const parts = new AsyncDisposableStack()
  const baseUrl = config.publicUrl ?? `http://${config.host}:${config.port}`
  const files = await openFiles(config, { parts, clock: systemClock, baseUrl: () => baseUrl })
  const deps = { db, files: files.store, folder: files.scratch }
  const exportDeps = {
    store: createExportStore(db),
    files: files.store,
    folder: files.scratch,
    schemaUrl: `${baseUrl}/schemas/ticket-export-v1.json`,
    clock: systemClock,
  }
  const handlers: JobHandlers = {
    PREVIEW_TICKET_IMPORT: (tools) => previewPackage(tools, deps),
    TICKET_IMPORT: (tools) => importPackage(tools, { ...deps, clock: systemClock, ...(reached && { reached }) }),
    TICKET_EXPORT: (tools) => exportPackage(tools, exportDeps),
  }
  return { db, handlers }
}
