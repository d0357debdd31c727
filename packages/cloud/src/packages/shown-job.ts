import { Failure } from '@plantroom/contract/failure'
import type { ExportOutput, Job, NamedJob } from '@plantroom/contract/jobs'
import { shown } from '@plantroom/contract/shown'
import { exportKey, type FileStore } from '../files/index.ts'
import type { JobStore } from '../jobs/index.ts'

const LINK_S = 3600

/** Finds a job of a site. Unknown jobs and jobs of other sites get the same answer. */
export async function requireJob(store: Pick<JobStore, 'find'>, siteId: string, id: string): Promise<NamedJob> {
  const found = await store.find(siteId, id)
  if (!found) throw new Failure('notFound', `this site has no job ${shown(id)}`)
  return found
}

/**
 * Adds the download address to a finished export. Every reply gets a new address, valid for an hour; one signed when the job
 * ended would soon expire. The address is empty once the package was removed.
 */
export async function withDownloadUrl<Shown extends Job>(
  job: Shown,
  siteId: string,
  files: Pick<FileStore, 'downloadUrl'>,
): Promise<Shown> {
  if (!isExported(job) || job.output.url === '') return job
  const { filename } = job.output
  const url = await files.downloadUrl(exportKey(siteId, job.id), {
    filename,
    contentType: 'application/zip',
    expiresInS: LINK_S,
  })
  return { ...job, output: { ...job.output, url } }
}

function isExported<Shown extends Job>(job: Shown): job is Shown & { output: ExportOutput } {
  return job.name === 'TICKET_EXPORT' && job.status === 'SUCCESS'
}
