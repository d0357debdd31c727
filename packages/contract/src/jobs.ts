import { Actor } from './activity.ts'
import { time } from './fields.ts'
import {
  anyOfObjects,
  array,
  boolean,
  closedObject,
  integer,
  nullable,
  number,
  object,
  oneOf,
  optional,
  record,
  type Static,
  text,
} from './schema.ts'

/** The jobs that the contract shows. */
export const PACKAGE_JOB_NAMES = [
  'PREVIEW_TICKET_IMPORT',
  'TICKET_IMPORT',
  'TICKET_EXPORT',
  'PREVIEW_TICKET_FILL',
  'TICKET_FILL',
] as const
export type PackageJobName = (typeof PACKAGE_JOB_NAMES)[number]

/** The jobs that turn exports of other systems into packages. They have routes of their own. */
export const CONVERSION_JOB_NAMES = ['TICKET_SOURCE_ANALYSIS', 'TICKET_CONVERSION_TRIAL', 'TICKET_CONVERSION'] as const
export type ConversionJobName = (typeof CONVERSION_JOB_NAMES)[number]

export const JOB_NAMES = [...PACKAGE_JOB_NAMES, ...CONVERSION_JOB_NAMES] as const
export type JobName = (typeof JOB_NAMES)[number]

export const JOB_STATUSES = ['SCHEDULED', 'RUNNING', 'SUCCESS', 'ERROR'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

/** An address of a package that is no one's on the site. */
export const UnmatchedEmail = object({
  email: text(),
  roles: array(text({ description: 'For example assignee' })),
})
export interface UnmatchedEmail extends Static<typeof UnmatchedEmail> {}

/** Most names that the choices of one kind list. */
export const MAX_CHOICES = 10_000

const MissingNames = (ids: string) =>
  closedObject({
    create: optional(boolean({ description: 'Create all that are neither mapped nor left' })),
    map: optional(record(text({ maxLength: 100 }), { description: `${ids}, by the name in the package` })),
    leave: optional(
      array(text({ maxLength: 255 }), { maxItems: MAX_CHOICES, description: 'Names that are not created' }),
    ),
  })

/** What becomes of names in a package that the site lacks. Without a choice, tags are created and all others are left. */
export const ImportOptions = closedObject({
  units: optional(MissingNames('Ids of units of the site')),
  people: optional(MissingNames('Ids of people of the site, who stand for the emails')),
  tags: optional(MissingNames('Ids of tags of the site')),
})
export interface ImportOptions extends Static<typeof ImportOptions> {}

/** The kinds of names that a site may lack. */
export const MISSING_KINDS = ['units', 'people', 'tags'] as const
export type MissingKind = (typeof MISSING_KINDS)[number]

const outcomes = object({ created: integer(), mapped: integer(), left: integer() })
/** How many names the site lacked, by what became of them. */
export const MissingCounts = object({ units: outcomes, people: outcomes, tags: outcomes })
export interface MissingCounts extends Static<typeof MissingCounts> {}
const missing = optional({ ...MissingCounts, description: 'Present when the job has options' })

/** The most names of each kind that the output of a job lists. */
export const MAX_LISTED_NAMES = 1000

/** How many names of each kind a job found beyond those that its output lists. */
export const Unlisted = object({ tags: integer(), units: integer(), people: integer() })
export interface Unlisted extends Static<typeof Unlisted> {}
const unlisted = optional({
  ...Unlisted,
  description: `Present when there are more than ${MAX_LISTED_NAMES} of a kind: the findings of the job have all of them`,
})

export const PreviewOutput = object({
  tickets: object({ total: integer(), new: integer(), existing: integer() }),
  comments: integer(),
  attachments: integer(),
  tagsToCreate: array(text()),
  unmatchedUnits: array(text()),
  unmatchedEmails: array(UnmatchedEmail),
  unlisted,
  missing,
})
export interface PreviewOutput extends Static<typeof PreviewOutput> {}

export const ImportOutput = object({
  created: object({ tickets: integer(), comments: integer(), attachments: integer(), tags: integer() }),
  skipped: integer(),
  unmatchedEmails: array(UnmatchedEmail),
  unmatchedUnits: array(text()),
  unlisted,
  missing,
})
export interface ImportOutput extends Static<typeof ImportOutput> {}

/** What a fill did, or would do according to its preview, over all attempts. */
export const FillOutput = object({
  tickets: object({
    total: integer({ description: 'In the package' }),
    filled: integer(),
    complete: integer({ description: 'Imported before, with nothing left to fill' }),
    notOnSite: integer({ description: 'Import the package to add them' }),
    notImported: integer({ description: 'On the site, but not from an import: never changed' }),
  }),
  fields: record(integer(), { description: 'Requests in which each field is filled; authors are those of comments' }),
  tagsToCreate: array(text()),
  unmatchedEmails: array(UnmatchedEmail),
  unmatchedUnits: array(text()),
  unlisted,
  missing: MissingCounts,
})
export interface FillOutput extends Static<typeof FillOutput> {}

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
  name: oneOf(PACKAGE_JOB_NAMES),
  status: oneOf(JOB_STATUSES),
  resolved: boolean({ description: 'True when the job has finished; until then, ask again' }),
  retryCount: integer({ description: 'Attempts so far, the running one included' }),
  maxAttempts: integer(),
  scheduled: time(),
  output: nullable(anyOfObjects([PreviewOutput, ImportOutput, ExportOutput, FillOutput, JobError]), {
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
