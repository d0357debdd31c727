import { Actor } from './activity.ts'
import { time } from './fields.ts'
import {
  anyOfObjects,
  array,
  boolean,
  integer,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Static,
  text,
} from './schema.ts'

export const JOB_NAMES = ['PREVIEW_TICKET_IMPORT', 'TICKET_IMPORT', 'TICKET_EXPORT'] as const
export type JobName = (typeof JOB_NAMES)[number]

export const JOB_STATUSES = ['SCHEDULED', 'RUNNING', 'SUCCESS', 'ERROR'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

/** An address of a package that is no one's on the site. */
export const UnmatchedEmail = object({
  email: text(),
  roles: array(text({ description: 'For example assignee' })),
})
export interface UnmatchedEmail extends Static<typeof UnmatchedEmail> {}

export const PreviewOutput = object({
  tickets: object({ total: integer(), new: integer(), existing: integer() }),
  comments: integer(),
  attachments: integer(),
  tagsToCreate: array(text()),
  unmatchedUnits: array(text()),
  unmatchedEmails: array(UnmatchedEmail),
})
export interface PreviewOutput extends Static<typeof PreviewOutput> {}

export const ImportOutput = object({
  created: object({ tickets: integer(), comments: integer(), attachments: integer(), tags: integer() }),
  skipped: integer(),
  unmatchedEmails: array(UnmatchedEmail),
  unmatchedUnits: array(text()),
})
export interface ImportOutput extends Static<typeof ImportOutput> {}

/** A stored value that a package may no longer have, and what the export wrote instead. */
export const AdjustedValue = object({
  path: text({ description: 'For example tickets[3].attachments[0].name' }),
  value: text(),
  became: nullable(text(), { description: 'Null if it was left out' }),
})
export interface AdjustedValue extends Static<typeof AdjustedValue> {}

export const ExportOutput = object({
  url: text({ description: 'Presigned: anyone who has it can fetch the package while it is valid' }),
  filename: text(),
  tickets: integer(),
  comments: integer(),
  attachments: integer(),
  bytes: integer(),
  adjusted: optional(
    array(AdjustedValue, { description: 'Values stored under older rules that were changed, at most 1,000' }),
  ),
})
export interface ExportOutput extends Static<typeof ExportOutput> {}

export const JobError = object({ message: text({ description: 'Why the job failed' }) })
export interface JobError extends Static<typeof JobError> {}

/** In bytes while a package is checked, in requests while they are written. */
export const JobProgress = object({ stage: text(), done: number(), total: number() })
export interface JobProgress extends Static<typeof JobProgress> {}

/** A job of a site's maintenance request packages, as the contract shows it. */
export const Job = object({
  id: text(),
  name: oneOf(JOB_NAMES),
  status: oneOf(JOB_STATUSES),
  resolved: boolean({ description: 'True when the job has finished; until then, ask again' }),
  retryCount: integer({ description: 'Attempts so far, the running one included' }),
  maxAttempts: integer(),
  scheduled: time(),
  output: nullable(anyOfObjects([PreviewOutput, ImportOutput, ExportOutput, JobError]), {
    description: 'The result of a resolved job',
  }),
  progress: nullable(JobProgress),
})
export interface Job extends Static<typeof Job> {}

/** A job with what the contract has no field for: in lists and events. */
export const NamedJob = object({
  ...Job.properties,
  filename: text({ description: 'Of the package, as uploaded or to be downloaded' }),
  startedBy: nullable(Actor, {
    description: 'Null for jobs from before this was recorded. A key sees id and name of its own jobs only',
  }),
})
export interface NamedJob extends Static<typeof NamedJob> {}
