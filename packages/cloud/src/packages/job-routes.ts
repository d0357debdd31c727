import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { JobName } from '@plantroom/contract/jobs'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type FileStore, packageKey } from '../files/index.ts'
import type { JobStore } from '../jobs/index.ts'
import { readFileName } from './file-names.ts'
import { BASE, job, jobId, MAY_IMPORT, MAY_READ, namedJob, nextCursor, pageQuery, tags } from './job-schemas.ts'
import { requireJob, withDownloadUrl } from './shown-job.ts'

export interface JobRouteDeps {
  /** Accepts a job, which then always runs, and returns its id. */
  accept(job: {
    organizationId: string
    siteId: string
    name: JobName
    filename: string
    packageVersion: string | null
    keyId: string | null
  }): Promise<string>
  store: Pick<JobStore, 'find' | 'list'>
  files: Pick<FileStore, 'stat' | 'downloadUrl'>
  clock: Clock
}

interface OfSite {
  Params: { orgId: string; propertyId: string }
}

const body = {
  type: 'object',
  required: ['filename'],
  properties: { filename: { type: 'string', description: 'The name used for the upload' } },
} as const

/** Starts previews, imports and exports of a site, and shows jobs. */
export function jobRoutes(app: FastifyInstance, deps: JobRouteDeps): void {
  startRoutes(app, deps)
  readRoutes(app, deps)
}

function startRoutes(app: FastifyInstance, deps: JobRouteDeps): void {
  type StartRoute = OfSite & { Body: { filename: string } }

  async function startWithPackage(name: JobName, request: FastifyRequest<StartRoute>): Promise<{ jobId: string }> {
    const { orgId, propertyId } = request.params
    const filename = readFileName(request.body.filename)
    const file = await deps.files.stat(packageKey(orgId, propertyId, filename))
    if (!file) throw new Failure('notFound', `no file was uploaded under the name ${shown(filename)}: upload it first`)
    return accept(name, request, filename, file.version)
  }

  async function accept(
    name: JobName,
    request: FastifyRequest<OfSite>,
    filename: string,
    packageVersion: string | null,
  ): Promise<{ jobId: string }> {
    const { orgId: organizationId, propertyId: siteId } = request.params
    const keyId = request.keyId ?? null
    return { jobId: await deps.accept({ organizationId, siteId, name, filename, packageVersion, keyId }) }
  }

  app.post<StartRoute>(
    `${BASE}/import/preview`,
    {
      config: { access: MAY_IMPORT },
      schema: {
        tags,
        summary: 'Check an uploaded package and report what an import would do; writes nothing',
        body,
        response: { 200: jobId },
      },
    },
    (request) => startWithPackage('PREVIEW_TICKET_IMPORT', request),
  )

  app.post<StartRoute>(
    `${BASE}/import`,
    {
      config: { access: MAY_IMPORT },
      schema: {
        tags,
        summary: 'Import an uploaded package; imports of one site run one at a time',
        body,
        response: { 200: jobId },
      },
    },
    (request) => startWithPackage('TICKET_IMPORT', request),
  )

  app.post<OfSite>(
    `${BASE}/export`,
    {
      config: { access: MAY_READ },
      schema: { tags, summary: 'Export all requests of the site as a package', response: { 200: jobId } },
    },
    (request) => {
      const [day] = formatTimestamp(deps.clock.now()).split('T')
      return accept('TICKET_EXPORT', request, `maintenance-requests-${day}.fpl`, null)
    },
  )
}

function readRoutes(app: FastifyInstance, deps: Pick<JobRouteDeps, 'store' | 'files'>): void {
  app.get<OfSite & { Querystring: { limit: number; cursor?: string } }>(
    `${BASE}/jobs`,
    {
      config: { access: MAY_READ },
      schema: {
        tags,
        summary: 'List the jobs of the site, newest first, in pages',
        querystring: { type: 'object', properties: pageQuery(1000, 100) },
        response: { 200: { type: 'object', properties: { jobs: { type: 'array', items: namedJob }, nextCursor } } },
      },
    },
    async (request) => {
      const { propertyId: siteId } = request.params
      const { limit, cursor } = request.query
      const { jobs, next } = await deps.store.list({ siteId, limit, before: cursor })
      return { jobs: await Promise.all(jobs.map((one) => withDownloadUrl(one, siteId, deps.files))), nextCursor: next }
    },
  )

  app.get<{ Params: OfSite['Params'] & { jobId: string } }>(
    `${BASE}/jobs/:jobId`,
    { config: { access: MAY_READ }, schema: { tags, summary: 'Get a job', response: { 200: job } } },
    async (request) => {
      const { propertyId, jobId } = request.params
      return withDownloadUrl(await requireJob(deps.store, propertyId, jobId), propertyId, deps.files)
    },
  )
}
