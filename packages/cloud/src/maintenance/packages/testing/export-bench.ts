import { buffer } from 'node:stream/consumers'
import type { ExportOutput, JobProgress } from '@plantroom/contract/jobs'
import { checkPackage, type PackageReport } from '@plantroom/fpl/check-package'
import type { ManifestRequest } from '@plantroom/fpl/read-requests'
import { readArchive } from '@plantroom/fpl/testing/read-archive'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { exportKey } from '../../../platform/files/index.ts'
import type { JobRow } from '../../../platform/jobs/index.ts'
import { createExportStore } from '../../requests/index.ts'
import { type ExportDeps, exportPackage } from '../export.ts'
import { type ImportBench, NOW, openImportBench, type Site } from './import-bench.ts'

export const SCHEMA_URL = 'https://plantroom.example/schemas/ticket-export-v1.json'

interface Manifest {
  $schema: string
  version: string
  exportedAt: string
  tickets: (ManifestRequest & { number: number })[]
}

interface Exported {
  job: JobRow
  output: ExportOutput
  /** The report of the package checker. */
  report: PackageReport
  manifest: Manifest
  /** Contents by path. */
  files: Map<string, Buffer>
  progress: JobProgress[]
}

interface ExportBench extends ImportBench {
  deps: ExportDeps
  startExport(site: Site): Promise<JobRow>
  /** Runs an export and reads the package. */
  exportSite(site: Site, changes?: Partial<ExportDeps>): Promise<Exported>
}

/** Opens a bench on which imports fill sites and exports run in this process. */
export async function openExportBench(): Promise<ExportBench> {
  const bench = await openImportBench()
  const { db, files, folder } = bench
  const clock = createManualClock(NOW)
  const deps = {
    store: createExportStore(db),
    files,
    folder,
    schemaUrl: SCHEMA_URL,
    freeBytes: async () => 1e12,
    clock,
  }
  const startExport = (site: Site) => bench.startJob(site, 'TICKET_EXPORT', { filename: 'export.fpl', version: '' })

  return {
    ...bench,
    deps,
    startExport,
    async exportSite(site, changes = {}) {
      const job = await startExport(site)
      const progress: JobProgress[] = []
      const tools = {
        job,
        progress: (one: JobProgress) => void progress.push(one),
        signal: new AbortController().signal,
      }
      const output = await exportPackage(tools, { ...deps, ...changes })
      const key = exportKey(site.id, job.id)
      const { version } = (await files.stat(key)) ?? { version: '' }
      const report = await checkPackage(await files.fetch(key, version, folder))
      const contents = new Map(await readArchive(await buffer(await files.read(key))))
      const manifest = JSON.parse(String(contents.get('manifest.json'))) as Manifest
      contents.delete('manifest.json')
      return { job, output, report, manifest, files: contents, progress }
    },
  }
}
