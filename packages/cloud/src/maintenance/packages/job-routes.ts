import { AsyncResource } from 'node:async_hooks'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import type { ExportOutput, Job, NamedJob } from '@plantroom/contract/jobs'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { exportKey, type FileStore } from '../../platform/files/index.ts'
import type { JobStore } from '../../platform/jobs/index.ts'
import { addRoute } from '../../platform/routes/index.ts'
import type { EventStream, EventStreams } from '../../platform/streams/index.ts'
import type { JobEvents } from './job-events.ts'

const DOWNLOAD_EXPIRES_S = 3600

/** Lists and shows the jobs of a site. */
export function jobRoutes(
  app: FastifyInstance,
  deps: { store: Pick<JobStore, 'find' | 'list'>; files: Pick<FileStore, 'downloadUrl'> },
): void {
  addRoute(app, API.listJobs, async (request) => {
    const { propertyId: siteId } = request.params
    const { items: jobs, next } = await deps.store.list({ ...request.query, siteId })
    const shownTo = (one: NamedJob) => showTo(request, one, siteId, deps.files)
    return { jobs: await Promise.all(jobs.map(shownTo)), nextCursor: next }
  })

  addRoute(app, API.getJob, async (request) => {
    const { propertyId, jobId } = request.params
    return showTo(request, await requireJob(deps.store, propertyId, jobId), propertyId, deps.files)
  })
}

/** Streams the state of a job as it changes. */
export function jobEventRoutes(
  app: FastifyInstance,
  deps: {
    store: Pick<JobStore, 'find'>
    files: Pick<FileStore, 'downloadUrl'>
    events: JobEvents
    streams: EventStreams
  },
): void {
  const { store, files, events, streams } = deps

  addRoute(app, API.followJob, async (request, reply) => {
    const { propertyId: siteId, jobId } = request.params
    const job = await requireJob(store, siteId, jobId)
    const stream = streams.open(reply, { isOpen: () => request.sessionIsOpen() })
    let sent = ''
    let ending = false

    function update(now: NamedJob | undefined): void {
      if (ending) return
      ending = !now || now.resolved
      if (ending) {
        const shownJob = async () => now && showTo(request, now, siteId, files)
        return void endWith(stream, shownJob).catch(() => {})
      }
      const data = JSON.stringify(now && withoutOthers(request, now))
      // An event that the reader was too slow for is repeated at the next look.
      if (data !== sent && stream.send('job', data)) sent = data
    }

    update(job)
    // Bound to this request: addresses in the last event are as its caller reached the service.
    if (!ending) stream.onClose(events.follow(siteId, jobId, AsyncResource.bind(update)))
  })
}

async function endWith(stream: EventStream, shownJob: () => Promise<NamedJob | undefined>): Promise<void> {
  try {
    const job = await shownJob()
    if (job) stream.end('job', JSON.stringify(job))
  } finally {
    // Ends even when the download address failed; a GET of the job then returns the error.
    stream.end()
  }
}

/** Finds a job of a site. Unknown jobs and jobs of other sites get the same answer. */
export async function requireJob(store: Pick<JobStore, 'find'>, siteId: string, id: string): Promise<NamedJob> {
  const found = await store.find(siteId, id)
  if (!found) throw new Failure('notFound', `this site has no job ${shown(id)}`)
  return found
}

type Caller = Pick<FastifyRequest, 'role' | 'keyId'>

/** Returns the job as this caller may see it: viewers may not export, so they get no download address either. */
async function showTo(
  caller: Caller,
  named: NamedJob,
  siteId: string,
  files: Pick<FileStore, 'downloadUrl'>,
): Promise<NamedJob> {
  const job = withoutOthers(caller, named)
  if (caller.role === 'viewer' && isExported(job)) return { ...job, output: { ...job.output, url: '' } }
  return withDownloadUrl(job, siteId, files)
}

/** A key sees of others only what kind of caller they are: names of people and of other partners are not for it. */
function withoutOthers({ keyId }: Caller, job: NamedJob): NamedJob {
  const { startedBy } = job
  if (keyId === undefined || startedBy === null || startedBy.id === keyId) return job
  return { ...job, startedBy: { kind: startedBy.kind, id: null, name: null } }
}

/**
 * Adds the download address to a finished export. Every reply gets a new address, valid for an hour; one signed when the job
 * ended would soon expire. The address is empty once the package was removed.
 */
export async function withDownloadUrl<Shown extends Job>(
  job: Shown,
  siteId: string,
  files: Pick<FileStore, 'downloadUrl'>,
): Promise<Shown> {
  if (!isExported(job) || job.output.url === '') return job
  const { filename } = job.output
  const url = await files.downloadUrl(exportKey(siteId, job.id), {
    filename,
    contentType: 'application/zip',
    expiresInS: DOWNLOAD_EXPIRES_S,
  })
  return { ...job, output: { ...job.output, url } }
}

function isExported<Shown extends Job>(job: Shown): job is Shown & { output: ExportOutput } {
  return job.name === 'TICKET_EXPORT' && job.status === 'SUCCESS'
}
