import type { ExportOutput, Job } from '@plantroom/contract/jobs'
import { useSearchParams } from 'wouter'
import { knownFiles } from './known-files.ts'

/** The job that the address names: whoever opens it again sees the same. */
export function useShownJob() {
  const [query, setQuery] = useSearchParams()
  const jobId = query.get('job') ?? undefined
  return {
    jobId,
    /** The address knows it, or this browser does. */
    file: query.get('file') ?? (jobId && knownFiles.of(jobId)),
    show(id: string, file?: string) {
      if (file !== undefined) knownFiles.remember(id, file)
      setQuery({ job: id, ...(file !== undefined && { file }) })
    },
    close: () => setQuery({}),
  }
}

/** The file that a job is about, as far as that is known. */
export function fileOf(job: Job): string | undefined {
  if (job.name === 'TICKET_EXPORT') return (job.output as Partial<ExportOutput> | null)?.filename
  return knownFiles.of(job.id)
}

/** The query of an address that shows a job. */
export function jobQuery(id: string, file: string | undefined): string {
  return `?${new URLSearchParams({ job: id, ...(file !== undefined && { file }) })}`
}
