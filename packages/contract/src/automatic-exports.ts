import { WEEKDAYS } from './datapoint.ts'
import { time, timeOrNull } from './fields.ts'
import { ExportOutput } from './jobs.ts'
import { STORABLE } from './patterns.ts'
import {
  array,
  boolean,
  closedObject,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  type Static,
  text,
} from './schema.ts'

/** The places that a site may export to. */
export const MAX_EXPORT_TARGETS = 5
/** Tests of targets, of one site. */
export const MAX_TARGET_TESTS_PER_HOUR = 60
const MAX_HOURS = 168
const MAX_KEPT = 1_000

export const EXPORT_INTERVALS = ['hours', 'day', 'week', 'month'] as const

/** When a site exports. Local times are those of the site. */
export const ExportSchedule = closedObject({
  every: oneOf(EXPORT_INTERVALS),
  hours: optional(
    integer({ minimum: 1, maximum: MAX_HOURS, description: 'Of hours: how many lie between two exports' }),
  ),
  at: optional(
    text({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'Of day, week and month: the local time, as 02:30' }),
  ),
  weekday: optional(oneOf(WEEKDAYS, { description: 'Of week' })),
  day: optional(
    integer({ minimum: 1, maximum: 31, description: 'Of month; a shorter month counts with its last day' }),
  ),
})
export interface ExportSchedule extends Static<typeof ExportSchedule> {}

export const RETENTION_UNITS = ['packages', 'days'] as const

/** What stays at a target. The newest package always does. */
export const ExportRetention = closedObject({
  keep: integer({ minimum: 1, maximum: MAX_KEPT }),
  unit: oneOf(RETENTION_UNITS),
})
export interface ExportRetention extends Static<typeof ExportRetention> {}

const address = (description: string) => text({ minLength: 1, maxLength: 2000, pattern: STORABLE, description })
const secret = (description: string) =>
  optional(text({ minLength: 1, maxLength: 1000, pattern: STORABLE, description }))
const KEEPS = 'Never returned. Without it, the stored one stays, if the address and the user do'

const s3Fields = {
  endpoint: optional(nullable(address('For services other than Amazon S3, for example https://minio.example.com'))),
  region: text({
    pattern: '^[a-z0-9-]{1,64}$',
    description: 'For example eu-central-1; other services often say us-east-1',
  }),
  bucket: text({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$' }),
  prefix: optional(
    text({
      maxLength: 255,
      pattern: '^[^\\u0000-\\u001f\\\\]*$',
      description: 'Before the name of the file, for example backups/',
    }),
  ),
  accessKeyId: text({ minLength: 1, maxLength: 255, pattern: '^[\\u0021-\\u007e]+$' }),
}
const webdavFields = {
  url: address('A folder that exists, for example https://cloud.example.com/remote.php/dav/files/me/backups/'),
  user: text({ minLength: 1, maxLength: 255, pattern: '^[^:\\u0000-\\u001f\\u007f]+$' }),
}
const folderFields = {
  path: text({
    maxLength: 255,
    description: 'Below the folder of the site, below the folder that the operator set; empty for that folder',
  }),
}

const id = optional(text({ maxLength: 255, pattern: STORABLE, description: 'Of a target that is already stored' }))

/** A place to export to, as a caller describes it: one of s3, webdav and folder. */
export const GivenTarget = closedObject({
  id,
  s3: optional(closedObject({ ...s3Fields, secretAccessKey: secret(KEEPS) })),
  webdav: optional(closedObject({ ...webdavFields, password: secret(KEEPS) })),
  folder: optional(closedObject(folderFields)),
})
export interface GivenTarget extends Static<typeof GivenTarget> {}

export const TARGET_KINDS = ['s3', 'webdav', 'folder'] as const
export type TargetKind = (typeof TARGET_KINDS)[number]

/** A place to export to, without its secret. */
export const TargetPlace = object({
  s3: optional(object(s3Fields)),
  webdav: optional(object(webdavFields)),
  folder: optional(object(folderFields)),
})
export interface TargetPlace extends Static<typeof TargetPlace> {}

/** A stored place, and how exporting to it goes. */
export const ExportTarget = object({
  id: text(),
  label: text({ description: 'For people, for example S3 backups/plantroom/' }),
  ...TargetPlace.properties,
  lastSuccessAt: timeOrNull('When a package last arrived'),
  failingSince: timeOrNull('Since when no delivery succeeded; null while they do'),
  lastError: nullable(text(), { description: 'Why the last attempt failed; null after a success' }),
  nextAttemptAt: timeOrNull('When a package that waits is sent again'),
  cleanupError: nullable(text(), { description: 'Why old packages could not be removed the last time' }),
})
export interface ExportTarget extends Static<typeof ExportTarget> {}

/** What a person sets. */
export const GivenAutomaticExport = closedObject({
  enabled: boolean(),
  schedule: ExportSchedule,
  targets: array(GivenTarget, { minItems: 1, maxItems: MAX_EXPORT_TARGETS }),
  retention: ExportRetention,
})
export interface GivenAutomaticExport extends Static<typeof GivenAutomaticExport> {}

export const AutomaticExport = object({
  enabled: boolean(),
  schedule: ExportSchedule,
  targets: array(ExportTarget),
  retention: ExportRetention,
  nextRunAt: timeOrNull('Null while it is switched off or stopped'),
  stoppedReason: nullable(text(), { description: 'Why it does not run although it is enabled' }),
  lastSuccessAt: timeOrNull('The end of the last run that reached every target'),
  failingSince: timeOrNull('Since when no run has reached every target'),
  lastError: nullable(text()),
})
export interface AutomaticExport extends Static<typeof AutomaticExport> {}

export const EXPORT_RUN_STATES = ['waiting', 'exporting', 'delivering', 'done', 'failed'] as const
export const EXPORT_DELIVERY_STATES = ['waiting', 'delivered', 'failed', 'superseded'] as const

/** One package on its way to one target. */
export const ExportDelivery = object({
  targetId: text(),
  label: text(),
  state: oneOf(EXPORT_DELIVERY_STATES),
  attempts: integer(),
  filename: text({ description: 'At the target' }),
  deliveredAt: timeOrNull(),
  nextAttemptAt: timeOrNull(),
  removedAt: timeOrNull('When the retention removed it'),
  error: nullable(text()),
})
export interface ExportDelivery extends Static<typeof ExportDelivery> {}

/** One automatic export: the job that wrote the package, and its deliveries. */
export const ExportRun = object({
  id: text(),
  dueAt: time('The time of the schedule, or when a person started it'),
  byHand: boolean(),
  state: oneOf(EXPORT_RUN_STATES),
  jobId: nullable(text()),
  endedAt: timeOrNull(),
  bytes: nullable(integer()),
  tickets: nullable(ExportOutput.properties.tickets),
  error: nullable(text()),
  deliveries: array(ExportDelivery),
})
export interface ExportRun extends Static<typeof ExportRun> {}

export const TEST_STEPS = ['connect', 'write', 'read', 'delete'] as const

/** What a test of a target found. */
export const TargetTest = object({
  ok: boolean(),
  failedStep: nullable(oneOf(TEST_STEPS)),
  message: nullable(text(), { description: 'What failed and what to do' }),
})
export interface TargetTest extends Static<typeof TargetTest> {}
