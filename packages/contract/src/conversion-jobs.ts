import { Actor } from './activity.ts'
import { ConversionResult, Mapping, SOURCE_NAMES, SourceAnalysis } from './conversion.ts'
import { time } from './fields.ts'
import { CONVERSION_JOB_NAMES, JOB_STATUSES, JobError, JobProgress } from './jobs.ts'
import { RequestSample } from './request-sample.ts'
import {
  anyOfObjects,
  array,
  boolean,
  closedObject,
  nullable,
  object,
  oneOf,
  optional,
  type Static,
  text,
} from './schema.ts'

/** The endings of files that can be uploaded for a conversion. */
export const SOURCE_ENDINGS = ['csv', 'tsv', 'txt', 'xlsx', 'json', 'ndjson', 'xml', 'zip'] as const

/** Systems whose tables have known columns, for proposals of mappings. */
export const MAPPING_PRESETS = ['maintainx', 'upkeep', 'fiix'] as const
export type MappingPreset = (typeof MAPPING_PRESETS)[number]

/** The most files that one export consists of. */
export const MAX_SOURCE_FILES = 10

/** An uploaded file of an export. */
export const SourceUpload = closedObject({
  uploadId: text({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9_-]+$' }),
  filename: text({ description: 'As people know the file', minLength: 1, maxLength: 255 }),
})
export interface SourceUpload extends Static<typeof SourceUpload> {}

/** What an export contains, with the mapping that the site kept for such an export where there is one. */
export const AnalysisOutput = object({
  ...SourceAnalysis.properties,
  keptAs: nullable(text(), { description: 'The name of the kept mapping that is proposed' }),
})
export interface AnalysisOutput extends Static<typeof AnalysisOutput> {}

/** What a conversion would write. */
export const TrialOutput = object({
  ...ConversionResult.properties,
  samples: array(RequestSample, { description: 'The first requests' }),
})
export interface TrialOutput extends Static<typeof TrialOutput> {}

/** What a conversion has written. */
export const ConversionOutput = object({
  ...ConversionResult.properties,
  filename: text({ description: 'Of the package, which is stored like an uploaded one' }),
  hasAccount: boolean({ description: 'The list of values without a place can be had' }),
})
export interface ConversionOutput extends Static<typeof ConversionOutput> {}

/** A job that reads an export of another system. */
export const ConversionJob = object({
  id: text(),
  name: oneOf(CONVERSION_JOB_NAMES),
  status: oneOf(JOB_STATUSES),
  resolved: boolean({ description: 'True when the job has finished; until then, ask again' }),
  scheduled: time(),
  filename: text({ description: 'Of the package to write; for an analysis that of the export' }),
  startedBy: nullable(Actor, { description: 'A key sees id and name of its own jobs only' }),
  progress: nullable(JobProgress),
  source: oneOf(SOURCE_NAMES),
  files: array(SourceUpload),
  attachments: nullable(SourceUpload),
  mapping: nullable(Mapping, { description: 'Null for an analysis' }),
  analysisId: nullable(text(), { description: 'The analysis that the mapping was made with' }),
  output: nullable(anyOfObjects([AnalysisOutput, TrialOutput, ConversionOutput, JobError]), {
    description: 'The result of a resolved job. Analyses and trials lose it with their files: it quotes them',
  }),
})
export interface ConversionJob extends Static<typeof ConversionJob> {}

/** One mistake in an export. */
export const SourceFlaw = object({
  place: text({ description: 'For example row 12' }),
  column: nullable(text()),
  message: text(),
})
export interface SourceFlaw extends Static<typeof SourceFlaw> {}

/** The longest name of a kept mapping. */
export const MAX_MAPPING_NAME = 100

/** A mapping that a site keeps for the next export of the same system. */
export const KeptMapping = object({
  id: text(),
  source: oneOf(SOURCE_NAMES),
  name: text(),
  savedAt: time(),
  mapping: Mapping,
})
export interface KeptMapping extends Static<typeof KeptMapping> {}

/** What the jobs of a conversion are given. */
export const SourceInput = {
  source: oneOf(SOURCE_NAMES),
  files: array(SourceUpload, {
    description: 'The export, then whatever else the system exports beside it',
    minItems: 1,
    maxItems: MAX_SOURCE_FILES,
  }),
  attachments: optional(SourceUpload),
} as const
