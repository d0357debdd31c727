import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import type { JobName } from '@plantroom/contract/jobs'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type FileStore, packageKey } from '../files/index.ts'
import type { JobStore } from '../jobs/index.ts'
import { addRoute } from '../routes/index.ts'
import { readFileName } from './file-names.ts'
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

  addRoute(app, API.startPreview, (request) => startWithPackage('PREVIEW_TICKET_IMPORT', request))

  addRoute(app, API.startImport, (request) => startWithPackage('TICKET_IMPORT', request))

  addRoute(app, API.startExport, (request) => {
    const [day] = formatTimestamp(deps.clock.now()).split('T')
    return accept('TICKET_EXPORT', request, `maintenance-requests-${day}.fpl`, null)
  })
}

function readRoutes(app: FastifyInstance, deps: Pick<JobRouteDeps, 'store' | 'files'>): void {
  addRoute(app, API.listJobs, async (request) => {
    const { propertyId: siteId } = request.params
    const { limit, cursor } = request.query
    const { jobs, next } = await deps.store.list({ siteId, limit, before: cursor })
    return { jobs: await Promise.all(jobs.map((one) => withDownloadUrl(one, siteId, deps.files))), nextCursor: next }
  })

  addRoute(app, API.getJob, async (request) => {
    const { propertyId, jobId } = request.params
    return withDownloadUrl(await requireJob(deps.store, propertyId, jobId), propertyId, deps.files)
  })
}
