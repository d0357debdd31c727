import type { Actor } from '@plantroom/contract/activity'
import type { Mapping, SourceName } from '@plantroom/contract/conversion'
import type { UnplacedValue } from '@plantroom/contract/conversion-account'
import type { ConversionJob } from '@plantroom/contract/conversion-jobs'
import type { FillOutput, ImportOutput, Job, JobName, JobProgress, JobStatus } from '@plantroom/contract/jobs'
import type { RequestColumns } from '@plantroom/contract/request-fields'
import type { RequestSample } from '@plantroom/contract/request-sample'
import type { TicketChange } from '@plantroom/contract/tickets'
import type { ColumnType, Generated } from 'kysely'

/** The tables of maintenance requests, of the jobs that move them in and out, and of the mail about them. */
export interface RequestTables {
  person: PersonTable
  unit: NamedOfSiteTable
  tag: NamedOfSiteTable
  job: JobTable
  job_problem: JobProblemTable
  import_result: ImportResultTable
  import_progress: ImportProgressTable
  job_finding: JobFindingTable
  job_fill: JobFillTable
  job_sample: JobSampleTable
  conversion_unplaced: ConversionUnplacedTable
  conversion_mapping: ConversionMappingTable
  ticket: TicketTable
  ticket_number: TicketNumberTable
  ticket_tag: TicketTagTable
  ticket_watcher: TicketWatcherTable
  ticket_comment: TicketCommentTable
  ticket_attachment: TicketAttachmentTable
  ticket_change: TicketChangeTable
  ticket_mention: TicketMentionTable
  mail: MailTable
  ticket_text: TicketTextTable
  request_view: RequestViewTable
  request_code: RequestCodeTable
  request_undo: RequestUndoTable
}

/** The time of the insert, which the database sets. */
export type CreatedAt = ColumnType<Date, never, never>

interface PersonTable {
  id: string
  site_id: string
  email: string
  /** As `foldEmail` returns it: what people are found by. */
  email_key: string
  name: string | null
  phone: string | null
  created_at: CreatedAt
}

interface NamedOfSiteTable {
  id: string
  site_id: string
  name: string
  created_at: CreatedAt
}

interface JobTable {
  id: string
  /** A `bigint`, which the driver returns as text. */
  position: Generated<string>
  organization_id: string
  site_id: string
  name: JobName
  status: Generated<JobStatus>
  resolved: Generated<boolean>
  attempts: Generated<number>
  max_attempts: number
  scheduled: Generated<Date>
  started_at: Date | null
  finished_at: Date | null
  claim: Generated<number>
  due_at: Generated<Date>
  leased_until: Generated<Date | null>
  worker_id: string | null
  filename: string
  package_version: string | null
  /** Further input of the job. Its kind knows the form. */
  options: ColumnType<object | null, string | null, never>
  key_id: string | null
  /** `null` for jobs from before this was recorded. */
  started_by: ColumnType<Actor | null, string | null, never>
  progress: ColumnType<JobProgress | null, string | null, string | null>
  output: ColumnType<Job['output'] | ConversionJob['output'], string | null, string | null>
  cause: string | null
}

interface JobProblemTable {
  job_id: string
  position: number
  external_id: string | null
  path: string
  value: string | null
  rule: string
}

/** Of imports and fills. */
interface ImportResultTable {
  job_id: string
  output: ColumnType<ImportOutput | FillOutput, string, never>
}

interface ImportProgressTable {
  job_id: string
  passed: number
  total: number | null
}

interface JobFindingTable {
  job_id: string
  kind: 'tag' | 'unit' | 'email'
  key: string
  value: string
  roles: Generated<string[]>
  outcome: Generated<'created' | 'mapped' | 'left'>
  /** A `bigint`, which the driver returns as text. */
  position: string
}

interface JobFillTable {
  job_id: string
  position: number
  number: number
  external_id: string
  fields: string[]
}

interface JobSampleTable {
  job_id: string
  position: number
  sample: ColumnType<RequestSample, string, never>
}

interface ConversionUnplacedTable {
  job_id: string
  position: number
  cells: ColumnType<UnplacedValue, string, never>
}

interface ConversionMappingTable {
  id: string
  site_id: string
  source: SourceName
  name: string
  mapping: ColumnType<Mapping, string, string>
  saved_at: Date
}

interface TicketTable extends Omit<RequestColumns, 'cc_emails'> {
  id: string
  site_id: string
  reporter_id: string | null
  reporter_email: string | null
  reporter_name: string | null
  reporter_phone: string | null
  assignee_id: string | null
  supervisor_id: string | null
  unit_id: string | null
  cc_emails: Generated<string[]>
  job_id: string | null
  job_position: number | null
}

interface TicketNumberTable {
  site_id: string
  last: number
}

interface TicketTagTable {
  ticket_id: string
  position: number
  tag_id: string
}

interface TicketWatcherTable {
  ticket_id: string
  position: number
  person_id: string
}

interface TicketCommentTable {
  ticket_id: string
  position: number
  content: string
  author_id: string | null
  author_email: string | null
  author_name: string | null
  author_phone: string | null
  created_at: Date | null
}

interface TicketAttachmentTable {
  id: string
  ticket_id: string
  comment_position: number | null
  position: number
  name: string
  content_type: string | null
  /** A `bigint`, which the driver returns as text. */
  size: string
  sha256: Buffer
}

interface TicketChangeTable {
  /** A `bigint`, which the driver returns as text. */
  id: Generated<string>
  ticket_id: string
  at: Date
  kind: TicketChange['kind']
  field: TicketChange['field']
  before: ColumnType<string[], string, never>
  after: ColumnType<string[], string, never>
  actor_kind: Actor['kind']
  actor_id: string | null
  actor_name: string | null
}

interface TicketMentionTable {
  ticket_id: string
  comment_position: number
  user_id: string
  name: string
}

interface MailTable {
  id: string
  /** A `bigint`, which the driver returns as text. */
  position: Generated<string>
  /** Empty for mail about an account. */
  organization_id: string
  /** `null` for mail that is about no site. */
  site_id: string | null
  ticket_id: string | null
  recipient: string
  subject: string
  body: string
  created_at: CreatedAt
  due_at: Generated<Date>
  leased_until: Generated<Date | null>
  claim: Generated<number>
  sent_at: Date | null
  gave_up_at: Date | null
  attempts: Generated<number>
  error: string | null
}

/** The searched texts. Triggers write them. */
interface TicketTextTable {
  site_id: string
  ticket_id: string
  part: number
  text: string
}

interface RequestViewTable {
  id: string
  site_id: string
  /** `null` for a view of everybody on the site. */
  user_id: string | null
  name: string
  query: string
  created_at: Date
}

interface RequestCodeTable {
  id: string
  /** In the address of its form. Not a secret: it hangs on a wall. */
  token: string
  site_id: string
  unit_id: string | null
  label: string
  created_at: Date
  hour_began_at: Date
  sent_in_hour: Generated<number>
}

interface RequestUndoTable {
  id: string
  site_id: string
  caller: string
  at: Date
  items: ColumnType<unknown, string, never>
}
