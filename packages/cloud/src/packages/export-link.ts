import type { ExportOutput, Job } from '@plantroom/contract/jobs'
import type { FileStore } from '../files/file-store.ts'
import { exportKey } from '../files/keys.ts'

const LINK_S = 3600

/**
 * A job as it is shown. The address of an export is made anew each time, good for an hour: one that was made when the
 * job ended would soon lead nowhere. It is empty once the package was removed.
 */
export async function showExport<Shown extends Job>(
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
