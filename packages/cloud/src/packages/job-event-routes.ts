import type { NamedJob } from '@plantroom/contract/jobs'
import type { FastifyInstance } from 'fastify'
import type { FileStore } from '../files/file-store.ts'
import type { JobStore } from '../jobs/job-store.ts'
import type { EventStream, EventStreams } from '../streams/index.ts'
import { showExport } from './export-link.ts'
import type { JobEvents } from './job-events.ts'
import { requireJob } from './job-routes.ts'
import { BASE, MAY_READ, tags } from './job-schemas.ts'

interface JobEventsRoute {
  Params: { orgId: string; propertyId: string; jobId: string }
}

/** How a job is doing, told as it changes. */
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

  app.get<JobEventsRoute>(
    `${BASE}/jobs/:jobId/events`,
    {
      config: { access: MAY_READ },
      // It would wait for the end of a body that it does not want.
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: 'How a job is doing, as server-sent events named `job`: at once, then whenever it changes',
        response: {
          200: {
            description: 'Each event holds the job; the stream ends after the one that says it is resolved',
            content: { 'text/event-stream': { schema: { type: 'string' } } },
          },
        },
      },
    },
    async (request, reply) => {
      const { propertyId: siteId, jobId } = request.params
      const job = await requireJob(store, siteId, jobId)
      const stream = streams.open(reply, { isOpen: () => request.sessionIsOpen() })
      let told = ''
      let ending = false

      function tell(now: NamedJob | undefined): void {
        if (ending) return
        ending = !now || now.resolved
        if (ending) return void endWith(stream, now, siteId, files).catch(() => {})
        const data = JSON.stringify(now)
        // What the reader could not take is told at the next look.
        if (data !== told && stream.send('job', data)) told = data
      }

      tell(job)
      if (!ending) stream.onClose(events.follow(siteId, jobId, tell))
    },
  )
}

async function endWith(
  stream: EventStream,
  job: NamedJob | undefined,
  siteId: string,
  files: Pick<FileStore, 'downloadUrl'>,
): Promise<void> {
  try {
    if (job) stream.end('job', JSON.stringify(await showExport(job, siteId, files)))
  } finally {
    // Also without its last event, when the address of an export cannot be made: whoever asks for the job is told why.
    stream.end()
  }
}
