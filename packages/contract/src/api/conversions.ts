import { Mapping, SOURCE_NAMES } from '../conversion.ts'
import { UnplacedValue } from '../conversion-account.ts'
import {
  ConversionJob,
  KeptMapping,
  MAPPING_PRESETS,
  MAX_MAPPING_NAME,
  SOURCE_ENDINGS,
  SourceFlaw,
  SourceInput,
} from '../conversion-jobs.ts'
import { nextCursor, paging } from '../fields.ts'
import { NOT_BLANK } from '../patterns.ts'
import { route } from '../route.ts'
import { array, boolean, defaulted, object, oneOf, optional, text } from '../schema.ts'
import { mayWrite, SITE } from './site.ts'

const tag = 'Maintenance requests'
const CONVERSIONS = `${SITE}/ticket-packages/conversions` as const
const CONVERSION = `${CONVERSIONS}/:jobId` as const

const started = object({ jobId: text() })
const analysisId = optional(
  text({ description: 'The analysis that the mapping was made with', maxLength: 100, pattern: '^[A-Za-z0-9_-]+$' }),
)
const allowMissing = optional(
  boolean({ description: 'Write the names of attachments that are missing into the notes instead of failing' }),
)
const mappingName = text({ minLength: 1, maxLength: MAX_MAPPING_NAME, pattern: NOT_BLANK })
const report = object({
  format: defaulted(oneOf(['json', 'csv'], { description: 'json comes by pages, csv whole' }), 'json'),
  ...paging({ most: 10_000, default: 1_000 }),
})

/** Turning exports of other systems into packages. Everything here quotes requests, so it needs the rights to change them. */
export const conversionRoutes = {
  getSourceUploadUrl: route({
    method: 'GET',
    path: `${CONVERSIONS}/upload-url`,
    access: mayWrite,
    tag,
    summary: "Get an address for the upload of another system's export or of its attachments, valid for one hour",
    description:
      'PUT the file to it unchanged, without X-Api-Key. It is removed by its conversion, or after seven days. For a large file, import/uploads with the purpose conversion continues after a lost connection.',
    query: object({ filename: text({ description: `Ends in .${SOURCE_ENDINGS.join(', .')}`, maxLength: 255 }) }),
    reply: object({ uploadId: text(), url: text() }),
  }),
  startSourceAnalysis: route({
    method: 'POST',
    path: `${CONVERSIONS}/analysis`,
    access: mayWrite,
    tag,
    summary: 'List the columns of an uploaded export and propose a mapping; writes nothing',
    body: object({
      ...SourceInput,
      preset: optional(oneOf(MAPPING_PRESETS, { description: 'For tables of these systems' })),
    }),
    reply: started,
  }),
  startConversionTrial: route({
    method: 'POST',
    path: `${CONVERSIONS}/trial`,
    access: mayWrite,
    tag,
    summary: 'Convert an export without keeping the package: counts, first requests, values without a place',
    body: object({ ...SourceInput, mapping: Mapping, analysisId, allowMissing }),
    reply: started,
  }),
  startConversion: route({
    method: 'POST',
    path: CONVERSIONS,
    access: mayWrite,
    tag,
    summary: 'Convert an export into a package, stored like an uploaded one; removes the export when it succeeds',
    body: object({
      ...SourceInput,
      mapping: Mapping,
      analysisId,
      allowMissing,
      filename: text({ description: 'Of the package. One of the same name is replaced' }),
      keepAs: optional({ ...mappingName, description: 'Keep the mapping under this name for the next time' }),
    }),
    reply: started,
  }),
  listConversions: route({
    method: 'GET',
    path: CONVERSIONS,
    access: mayWrite,
    tag,
    summary: 'List the conversions of the site, with analyses and trials, the newest first, by pages',
    query: object(paging({ most: 100, default: 20 })),
    reply: object({ conversions: array(ConversionJob), nextCursor }),
  }),
  getConversion: route({
    method: 'GET',
    path: CONVERSION,
    access: mayWrite,
    tag,
    summary: 'Get the status, progress and result of an analysis, a trial or a conversion',
    reply: ConversionJob,
  }),
  listConversionProblems: route({
    method: 'GET',
    path: `${CONVERSION}/problems`,
    access: mayWrite,
    tag,
    summary: 'List every mistake in the export of a job, in the order of the export',
    query: report,
    reply: object({ problems: array(SourceFlaw), nextCursor }),
    alsoAs: 'text/csv',
  }),
  listUnplacedValues: route({
    method: 'GET',
    path: `${CONVERSION}/unplaced`,
    access: mayWrite,
    tag,
    summary: 'List the values that have no field of their own, and what became of each; kept for seven days',
    description: 'JSON has the first 10,000 values, each with at most 1,000 characters. CSV has all of them whole.',
    query: report,
    reply: object({ unplaced: array(UnplacedValue), nextCursor }),
    alsoAs: 'text/csv',
  }),
  listMappings: route({
    method: 'GET',
    path: `${CONVERSIONS}/mappings`,
    access: mayWrite,
    tag,
    summary: 'List the mappings that the site keeps, the newest first',
    reply: object({ mappings: array(KeptMapping) }),
  }),
  saveMapping: route({
    method: 'PUT',
    path: `${CONVERSIONS}/mappings`,
    access: mayWrite,
    tag,
    summary: 'Keep a mapping; replaces one of the same source and name',
    body: object({ source: oneOf(SOURCE_NAMES), name: mappingName, mapping: Mapping }),
    reply: KeptMapping,
  }),
  removeMapping: route({
    method: 'DELETE',
    path: `${CONVERSIONS}/mappings/:mappingId`,
    access: mayWrite,
    tag,
    summary: 'Remove a kept mapping',
    status: 204,
  }),
} as const
