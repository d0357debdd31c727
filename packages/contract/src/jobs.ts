/** A job of a site's maintenance request packages, as the contract shows it. */
export interface Job {
  id: string
  name: JobName
  status: JobStatus
  /** True when it finished for good. */
  resolved: boolean
  /** Attempts so far. */
  retryCount: number
  maxAttempts: number
  scheduled: string
  output: PreviewOutput | ImportOutput | ExportOutput | JobError | null
  progress: JobProgress | null
}

/** A job where more is told than the contract has: in lists and events. */
export interface NamedJob extends Job {
  /** The package's, as it was uploaded or will be downloaded. */
  filename: string
}

export const JOB_NAMES = ['PREVIEW_TICKET_IMPORT', 'TICKET_IMPORT', 'TICKET_EXPORT'] as const
export type JobName = (typeof JOB_NAMES)[number]

export const JOB_STATUSES = ['SCHEDULED', 'RUNNING', 'SUCCESS', 'ERROR'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

/** In bytes while a package is checked, in requests while they are written. */
export interface JobProgress {
  stage: string
  done: number
  total: number
}

export interface UnmatchedEmail {
  email: string
  /** Such as assignee and watcher. */
  roles: string[]
}

export interface PreviewOutput {
  tickets: { total: number; new: number; existing: number }
  comments: number
  attachments: number
  tagsToCreate: string[]
  unmatchedUnits: string[]
  unmatchedEmails: UnmatchedEmail[]
}

export interface ImportOutput {
  created: { tickets: number; comments: number; attachments: number; tags: number }
  skipped: number
  unmatchedEmails: UnmatchedEmail[]
  unmatchedUnits: string[]
}

export interface ExportOutput {
  /** Presigned: whoever has it can fetch the package while it is valid. */
  url: string
  filename: string
  tickets: number
  comments: number
  attachments: number
  bytes: number
}

export interface JobError {
  message: string
}
