import type {
  ExportOutput,
  FillOutput,
  ImportOutput,
  Job,
  JobError,
  NamedJob,
  PreviewOutput,
} from '@plantroom/contract/jobs'
import { bytes, joinFacts } from '../../parts/value.ts'
import { findText, format } from '../../texts/format.ts'
import { packages } from '../../texts/packages.ts'

const { progress: texts, history } = packages

/** The progress of a job. */
interface JobProgress {
  headline: string
  /** Done and total, and the attempt from the second on. */
  detail: string
  /** From 0 to 100; `undefined` while it is unknown. */
  percent: number | undefined
}

export function describeProgress(job: Pick<Job, 'status' | 'progress' | 'retryCount' | 'maxAttempts'>): JobProgress {
  const { status, progress, retryCount, maxAttempts: most } = job
  if (status === 'ERROR') {
    const detail = format(texts.again, { next: retryCount + 1, most })
    return { headline: texts.againTitle, detail, percent: undefined }
  }
  const attempt = retryCount > 1 ? format(texts.attempt, { current: retryCount, most }) : ''
  if (status === 'SCHEDULED') return { headline: texts.waiting, detail: attempt, percent: undefined }
  if (!progress) return { headline: texts.starting, detail: attempt, percent: undefined }
  const { stage, done, total } = progress
  const amount = isInBytes(stage)
    ? format(texts.ofBytes, { done: bytes(done), total: bytes(total) })
    : format(texts.ofRequests, { done, count: total })
  return {
    headline: findText(texts.stages, stage) ?? stage,
    detail: joinFacts([total > 0 && amount, attempt]),
    percent: total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : undefined,
  }
}

const UNUSUALLY_LONG_MS = 60_000

/** Reports whether a job waits so long that perhaps no worker is running. */
export const waitsLong = ({ status, scheduled }: Pick<Job, 'status' | 'scheduled'>, now: number) =>
  status === 'SCHEDULED' && now - Date.parse(scheduled) > UNUSUALLY_LONG_MS

const isInBytes = (stage: string) => stage.startsWith('checking ') || stage === 'files'

/** Returns who started a job; `null` when that was not recorded. */
export function describeStarter({ startedBy }: Pick<NamedJob, 'startedBy'>): string | null {
  if (startedBy?.kind === 'operator') return history.byOperator
  if (startedBy?.kind === 'schedule') return history.bySchedule
  const name = startedBy?.name ?? null
  return startedBy?.kind === 'key' && name !== null ? format(history.byKey, { name }) : name
}

/** Returns the result of a job, or its progress, in one line. */
export function describeJob(job: Job): string {
  if (!job.resolved) {
    const { headline, detail } = describeProgress(job)
    return joinFacts([headline, detail])
  }
  if (job.status === 'ERROR') return failureOf(job)
  switch (job.name) {
    case 'PREVIEW_TICKET_IMPORT': {
      const { tickets } = job.output as PreviewOutput
      return format(history.previewed, { added: tickets.new, existing: tickets.existing })
    }
    case 'TICKET_IMPORT': {
      const { created, skipped } = job.output as ImportOutput
      return format(history.imported, { count: created.tickets, skipped })
    }
    case 'TICKET_EXPORT': {
      const { tickets, bytes: size } = job.output as ExportOutput
      return format(history.exported, { count: tickets, size: bytes(size) })
    }
    case 'PREVIEW_TICKET_FILL':
      return format(history.fillPreviewed, { count: (job.output as FillOutput).tickets.filled })
    case 'TICKET_FILL':
      return format(history.filled, { count: (job.output as FillOutput).tickets.filled })
  }
}

export const failureOf = (job: Job) => (job.output as JobError | null)?.message ?? packages.failed.unknown

/** Reports whether the manifest is at fault: then a report lists every error. */
export const isInvalidManifest = (message: string) =>
  message.startsWith('Invalid manifest:') || message === 'manifest.json is not valid JSON'

/** Reports whether the file is damaged or no package at all. */
export const isUnreadable = (message: string) => PACKAGE_ERRORS.some((start) => message.startsWith(start))

/** Reports whether the same import can succeed on another try: not when the package itself is at fault. */
export function canRunAgain(job: Job): boolean {
  const message = failureOf(job)
  const isPackageAtFault = isInvalidManifest(message) || isUnreadable(message)
  return job.name === 'TICKET_IMPORT' && job.resolved && job.status === 'ERROR' && !isPackageAtFault
}

const PACKAGE_ERRORS = [
  'The package is not a valid .fpl archive',
  'No manifest.json found',
  'manifest.json is not valid',
]

/** Returns the name of the file of a job. A complete export has the name under which it is downloaded. */
export function fileOf(job: Job, filename: string | null | undefined): string | null {
  if (job.name === 'TICKET_EXPORT' && job.resolved && job.status === 'SUCCESS')
    return (job.output as ExportOutput).filename
  return filename ?? null
}

export const kindOf = (job: Job) => packages.job.of[job.name]
