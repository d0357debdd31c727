import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { type Db, openDatabase } from '@plantroom/cloud/db/database'
import { awaitEmbeddedPostgres } from '@plantroom/cloud/db/embedded/find-server'
import type { Settings } from './environment.ts'
import { type PackageService, startPackageService } from './package-service.ts'
import { type Part, startPart } from './part.ts'
import { FAULTY } from './programs.ts'
import { keepRunning } from './service-manager.ts'

/** A cloud with workers whose imports crash as the names of their packages say. */
export interface CrashingService extends PackageService {
  /** Direct access to the database, for facts that the API does not show. */
  readonly db: Db
  /** The data folder. */
  readonly data: string
  /** A worker that ends is restarted immediately. */
  readonly workers: readonly Part<object>[]
}

export async function startCrashingService(options: {
  workers: number
  /** An existing data folder; the default is a new one. */
  data?: string
  settings?: Settings
}): Promise<CrashingService> {
  await using cleanup = new AsyncDisposableStack()
  const settings = {
    PLANTROOM_RETRY_DELAY_S: '0',
    ...(options.data !== undefined && { PLANTROOM_DATA: options.data }),
    ...options.settings,
  }
  const service = cleanup.use(await startPackageService(settings))
  await service.worker.stop()
  const data = options.data ?? service.folder
  const workers: Part<object>[] = []
  for (let count = 0; count < options.workers; count += 1) {
    const worker = await startPart<object>(
      'cloud',
      () => ({ PLANTROOM_DATA: data, PLANTROOM_PUBLIC_URL: service.cloud.ready.baseUrl, ...settings }),
      FAULTY.worker,
    )
    cleanup.use(keepRunning(worker))
    workers.push(worker)
  }
  const db = cleanup.adopt(await openBeside(data), (opened) => opened.destroy())
  const kept = cleanup.move()
  return {
    ...service,
    db,
    data,
    workers,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function openBeside(data: string): Promise<Db> {
  const log = createLog('test', 'error')
  const signal = AbortSignal.timeout(60_000)
  const address = await awaitEmbeddedPostgres({ folder: join(data, 'postgres'), clock: systemClock, log, signal })
  if (!address) throw new Error('the embedded database did not start')
  return openDatabase(address, log)
}
