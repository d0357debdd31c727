import type { Job, JobName, JobProgress } from '@plantroom/contract/jobs'

/** A job as those who run it see it. */
export interface JobRow {
  id: string
  organizationId: string
  siteId: string
  name: JobName
  status: Job['status']
  resolved: boolean
  /** Attempts so far, this one among them. */
  retryCount: number
  maxAttempts: number
  scheduled: Date
  /** Of the package that is read, or of the one that an export makes. */
  filename: string
  /** Which bytes were accepted: those, or none. */
  packageVersion: string | null
  /** Which taking of the job this is. Who holds an older one has lost it. */
  claim: number
  progress: JobProgress | null
}

/** What a handler is given. */
export interface JobTools {
  job: JobRow
  /** May be called as often as there is something to tell. */
  progress(progress: JobProgress): void
  /** Aborts when the job is to be given back: leave the work whole and end, with an error or without. */
  signal: AbortSignal
}

export type JobOutput = NonNullable<Job['output']>

/** Safe to run again: an earlier attempt may have done any part of the work. */
export type JobHandler = (tools: JobTools) => Promise<JobOutput>

export type JobHandlers = Readonly<Record<JobName, JobHandler>>

/** An import is tried again; what reads only is asked for again by whoever wants it. */
export const MAX_ATTEMPTS: Readonly<Record<JobName, number>> = {
  PREVIEW_TICKET_IMPORT: 1,
  TICKET_IMPORT: 3,
  TICKET_EXPORT: 1,
}
