import { API } from '@plantroom/contract/api'
import type { NamedJob } from '@plantroom/contract/jobs'
import type { FastifyInstance } from 'fastify'
import type { FileStore } from '../files/index.ts'
import type { JobStore } from '../jobs/index.ts'
import { addRoute } from '../routes/index.ts'
import type { EventStream, EventStreams } from '../streams/index.ts'
import type { JobEvents } from './job-events.ts'
import { requireJob, withDownloadUrl } from './shown-job.ts'

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
      if (ending) return void endWith(stream, now, siteId, files).catch(() => {})
      const data = JSON.stringify(now)
      // An event that the reader was too slow for is repeated at the next look.
      if (data !== sent && stream.send('job', data)) sent = data
    }

    update(job)
    if (!ending) stream.onClose(events.follow(siteId, jobId, update))
  })
}

async function endWith(
  stream: EventStream,
  job: NamedJob | undefined,
  siteId: string,
  files: Pick<FileStore, 'downloadUrl'>,
): Promise<void> {
  try {
    if (job) stream.end('job', JSON.stringify(await withDownloadUrl(job, siteId, files)))
  } finally {
    // Ends even when the download address failed; a GET of the job then returns the error.
    stream.end()
  }
}
