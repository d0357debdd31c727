import type { ExportOutput, ImportOutput, Job, JobError, PreviewOutput } from '@plantroom/contract/jobs'
import { packages } from '../../texts/packages.ts'

const { words, history } = packages

/** How far a job is, for people. */
export interface JobStanding {
  headline: string
  /** Done and total, and which attempt it is. */
  detail: string
  /** Of 100; `undefined` while nobody knows. */
  percent: number | undefined
}

export function standingOf(job: Pick<Job, 'status' | 'progress' | 'retryCount' | 'maxAttempts'>): JobStanding {
  const { status, progress, retryCount, maxAttempts } = job
  if (status === 'ERROR') {
    return { headline: words.againTitle, detail: words.again(retryCount + 1, maxAttempts), percent: undefined }
  }
  const attempt = retryCount > 1 ? words.attempt(retryCount, maxAttempts) : ''
  if (status === 'SCHEDULED') return { headline: words.waiting, detail: attempt, percent: undefined }
  if (!progress) return { headline: words.starting, detail: attempt, percent: undefined }
  const { stage, done, total } = progress
  const amount = inBytes(stage) ? words.ofBytes(done, total) : words.ofRequests(done, total)
  return {
    headline: words.stages[stage] ?? stage,
    detail: [amount, attempt].filter(Boolean).join(', '),
    percent: total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : undefined,
  }
}

const inBytes = (stage: string) => stage.startsWith('checking ') || stage === 'files'

/** What became of a job, in one line. */
export function resultLine(job: Job): string {
  if (!job.resolved) {
    const { headline, detail } = standingOf(job)
    return [headline, detail].filter(Boolean).join(': ')
  }
  if (job.status === 'ERROR') return failureOf(job)
  switch (job.name) {
    case 'PREVIEW_TICKET_IMPORT': {
      const { tickets } = job.output as PreviewOutput
      return history.previewed(tickets.new, tickets.existing)
    }
    case 'TICKET_IMPORT': {
      const { created, skipped } = job.output as ImportOutput
      return history.imported(created.tickets, skipped)
    }
    case 'TICKET_EXPORT': {
      const { tickets, bytes } = job.output as ExportOutput
      return history.exported(tickets, bytes)
    }
  }
}

export const failureOf = (job: Job) => (job.output as JobError | null)?.message ?? packages.failed.unknown

/** Whether the package itself is at fault: then every mistake of it is in a report. */
export const isInvalidManifest = (message: string) => message.startsWith('Invalid manifest:')

/** Whether running the same import again can go better: not where the package itself is at fault. */
export function mayGoOn(job: Job): boolean {
  const message = failureOf(job)
  const isAboutPackage = isInvalidManifest(message) || ABOUT_PACKAGE.some((start) => message.startsWith(start))
  return job.name === 'TICKET_IMPORT' && job.resolved && job.status === 'ERROR' && !isAboutPackage
}

const ABOUT_PACKAGE = [
  'The package is not a valid .fpl archive',
  'No manifest.json found',
  'manifest.json is not valid',
]

export const kindOf = (job: Job) => packages.job.of[job.name]
