import { nextCursor, paging } from '../fields.ts'
import { ImportOptions, Job, NamedJob } from '../jobs.ts'
import { RequestSample } from '../request-sample.ts'
import { route } from '../route.ts'
import {
  array,
  closed,
  defaulted,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  type Schema,
  type Static,
  text,
} from '../schema.ts'
import { mayExport, mayFollowJobs, mayRead, mayWrite, SITE } from './site.ts'

const tag = 'Maintenance requests'
const PACKAGES = `${SITE}/ticket-packages` as const
const JOB = `${PACKAGES}/jobs/:jobId` as const

const uploaded = object({
  filename: text({ description: 'The name under which the package was uploaded' }),
  options: optional({
    ...closed(ImportOptions),
    description: 'What becomes of units, people and tags that the site lacks. Ids of other sites are refused',
  }),
})
const started = object({ jobId: text() })

/** One mistake in a package that is not valid. */
export const PackageProblem = object({
  row: nullable(integer(), {
    description: 'The place of the request in the package, from 1; null for the manifest itself',
  }),
  externalId: nullable(text(), { description: 'Of the request, where it has one' }),
  path: text({ description: 'For example tickets[3].comments[0].author.email' }),
  value: nullable(text()),
  rule: text(),
})
export interface PackageProblem extends Static<typeof PackageProblem> {}

/** A tag that is created, a unit that the site does not have, or an address that is no one's on the site. */
export const PackageFinding = object({
  kind: oneOf(['tag', 'unit', 'email']),
  value: text(),
  roles: array(text(), { description: 'Of an address: the roles it has in the package' }),
  outcome: oneOf(['created', 'mapped', 'left']),
})
export interface PackageFinding extends Static<typeof PackageFinding> {}

/** The empty fields of a request that a fill set, or would set according to its preview. */
export const FilledRequest = object({ externalId: text(), number: integer(), fields: array(text()) })
export interface FilledRequest extends Static<typeof FilledRequest> {}

/** The number that the site gave to a request of a package. */
export const GivenNumber = object({ externalId: text(), number: integer() })
export interface GivenNumber extends Static<typeof GivenNumber> {}

function jobReport<const Name extends string, Item extends Schema>(name: Name, item: Item, summary: string) {
  return route({
    method: 'GET',
    path: `${JOB}/${name}`,
    access: mayFollowJobs,
    tag,
    summary,
    query: object({
      format: defaulted(oneOf(['json', 'csv'], { description: 'json comes by pages, csv whole' }), 'json'),
      ...paging({ most: 10_000, default: 1_000 }),
    }),
    reply: object({ [name]: array(item), nextCursor } as Record<Name, Schema<readonly Static<Item>[]>> & {
      nextCursor: typeof nextCursor
    }),
    alsoAs: 'text/csv',
  })
}

/** Packages of maintenance requests, and the jobs that check, import and export them. */
export const packageRoutes = {
  getUploadUrl: route({
    method: 'GET',
    path: `${PACKAGES}/import/upload-url`,
    access: mayWrite,
    tag,
    summary: 'Get an address for the upload of a package, valid for one hour',
    description: 'PUT the file to it unchanged, without X-Api-Key. A second upload under one name replaces the first.',
    ignoresUnknown: true,
    query: object({
      filename: text({
        description: 'Letters (also ä, ö, õ, ü), digits, spaces and _ - . ( ); ends in .fpl; at most 255 characters',
      }),
    }),
    reply: object({ url: text() }),
  }),
  startPreview: route({
    method: 'POST',
    path: `${PACKAGES}/import/preview`,
    access: mayWrite,
    tag,
    summary: 'Check an uploaded package and report what an import would do; writes nothing',
    ignoresUnknown: true,
    body: uploaded,
    reply: started,
  }),
  startImport: route({
    method: 'POST',
    path: `${PACKAGES}/import`,
    access: mayWrite,
    tag,
    summary: 'Import an uploaded package; imports of one site run one after the other',
    ignoresUnknown: true,
    body: uploaded,
    reply: started,
  }),
  startFillPreview: route({
    method: 'POST',
    path: `${PACKAGES}/import/fill/preview`,
    access: mayWrite,
    tag,
    summary: 'Report which empty fields of imported requests an uploaded package would fill; writes nothing',
    body: uploaded,
    reply: started,
  }),
  startFill: route({
    method: 'POST',
    path: `${PACKAGES}/import/fill`,
    access: mayWrite,
    tag,
    summary: 'Fill empty fields of requests that an import added, from an uploaded package',
    description:
      'Only requests with the same externalId, and only fields that are still empty and that nobody has edited since the import. The package stays for 7 days.',
    body: uploaded,
    reply: started,
  }),
  startExport: route({
    method: 'POST',
    path: `${PACKAGES}/export`,
    access: mayExport,
    tag,
    summary: 'Export all requests of the site as a package; joins an export of the site that waits to start',
    reply: started,
  }),
  listJobs: route({
    method: 'GET',
    path: `${PACKAGES}/jobs`,
    access: mayFollowJobs,
    tag,
    summary: 'List the jobs of the site, the newest first, by pages',
    query: object(paging({ most: 1000, default: 100 })),
    reply: object({ jobs: array(NamedJob), nextCursor }),
  }),
  getJob: route({
    method: 'GET',
    path: JOB,
    access: mayFollowJobs,
    tag,
    summary: 'Get the status, progress and result of a job',
    reply: Job,
  }),
  followJob: route({
    method: 'GET',
    path: `${JOB}/events`,
    access: mayFollowJobs,
    tag,
    summary: 'Follow a job, as server-sent events named `job`: immediately, then on every change',
    events: 'Each event holds the job; the stream ends after the event in which it is resolved',
  }),
  listJobProblems: jobReport(
    'problems',
    PackageProblem,
    'List every mistake in the package of a job, in the order of the package',
  ),
  listJobSamples: route({
    method: 'GET',
    path: `${JOB}/samples`,
    access: mayRead,
    tag,
    summary: 'List the first requests of the package of a preview, while the package is stored',
    reply: object({ samples: array(RequestSample) }),
  }),
  listJobFindings: jobReport(
    'findings',
    PackageFinding,
    'List every tag to create, unknown unit and unmatched address of a job, in the order of the package',
  ),
  listJobFills: jobReport(
    'fills',
    FilledRequest,
    'List the requests and fields that a fill set, or would set according to its preview, in the order of the package',
  ),
  listJobNumbers: jobReport(
    'numbers',
    GivenNumber,
    'List the number that each imported request got, in the order of the package',
  ),
} as const
