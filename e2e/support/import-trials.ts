import type { ImportOutput, Job } from '@plantroom/contract/jobs'
import { expect } from 'vitest'
import { type CrashingService, startCrashingService } from './crashing-service.ts'
import { BATCH, type Crash, crashingName } from './import-crash.ts'
import type { PackageSite } from './package-service.ts'
import { expectNothingUnfinished } from './site-audit.ts'
import { makeSource, type SourcePackage } from './source-package.ts'

/** As many as imports run at the same time. */
export const WORKERS = 2
/** Three batches. */
export const REQUESTS = 2 * BATCH + 10

/** A cloud whose imports crash on request, and one package to import again and again. */
export interface ImportTrials extends AsyncDisposable {
  readonly service: CrashingService
  readonly source: SourcePackage
  newSite(): Promise<PackageSite>
  /** Uploads the package under a name that makes its import crash. Returns the name. */
  upload(site: PackageSite, crashes: readonly Crash[]): Promise<string>
  /** Starts an import and returns the id of its job. */
  startImport(site: PackageSite, filename: string): Promise<string>
  /** Checks that a process started after a crash removed what the crash left unfinished. */
  expectLeftoversRemoved(): Promise<void>
}

export async function startImportTrials(): Promise<ImportTrials> {
  await using cleanup = new AsyncDisposableStack()
  const service = cleanup.use(await startCrashingService({ workers: WORKERS }))
  const source = await makeSource(service.folder, REQUESTS)
  let sites = 0
  const newSite = () => {
    sites += 1
    return service.addSite(`Site ${sites}`)
  }
  const kept = cleanup.move()
  return {
    service,
    source,
    newSite,
    upload: (site, crashes) => source.uploadAs(site, crashingName(crashes)),
    async startImport(site, filename) {
      const { status, body } = await site.call('POST', '/import', { filename })
      expect(status, body.message).toBe(200)
      return body.jobId
    },
    async expectLeftoversRemoved() {
      await (await newSite()).run('/export')
      expectNothingUnfinished(service.data)
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** Checks that the imports of one site account for every request of the package. */
export function expectCounts(jobs: readonly Job[]): void {
  const outputs = jobs.filter(({ status }) => status === 'SUCCESS').map(({ output }) => output as ImportOutput)
  for (const { created, skipped } of outputs) expect(created.tickets + skipped).toBe(REQUESTS)
}
