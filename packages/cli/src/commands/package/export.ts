import type { ExportOutput } from '@plantroom/contract/jobs'
import { createAtomicFile } from '../../atomic-file.ts'
import { SITE_FLAGS, siteClient } from '../../clients.ts'
import type { Flags } from '../../config.ts'
import { verb } from '../../declare.ts'
import { print } from '../../output.ts'
import { fetchFile } from './fetch-file.ts'
import { describeResult, printResult } from './job-result.ts'
import { openSession } from './session.ts'

export const exportPackage = verb({
  about: 'download all maintenance requests of the site as a package',
  arguments: [{ name: 'FILE', completes: 'file' }],
  options: SITE_FLAGS,
  json: '{file, tickets, comments, attachments, bytes}',
  run: (flags, { FILE }) => exportTo(FILE, flags),
})

async function exportTo(FILE: string, flags: Flags & { site?: string | undefined }): Promise<void> {
  // Fail now if the file cannot be written, not after an export that may take an hour.
  createAtomicFile(FILE).discard()

  const target = await siteClient(flags)
  using session = openSession(target)
  const { jobId } = await target.client.startExport(target.site)
  const job = await session.follow(FILE, jobId)
  if (job.status === 'ERROR') return printResult(target, FILE, job, flags)

  const { url, tickets, comments, attachments, bytes, adjusted } = job.output as ExportOutput
  await fetchFile(url, FILE, bytes, session.showDownload(FILE))
  session.clear()
  const result = { file: FILE, tickets, comments, attachments, bytes, ...(adjusted && { adjusted }) }
  print(flags.json, result, () => describeResult(FILE, job))
}
