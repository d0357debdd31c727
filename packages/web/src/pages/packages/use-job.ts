import type { ExportOutput, Job } from '@plantroom/contract/jobs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { packagesOf } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { useEventStream } from '../../live/use-event-stream.ts'

/** Addresses of exports are good for an hour: one that stays on a page is asked for anew before that. */
const FRESH_ADDRESS_MS = 30 * 60_000

/** A job as it is, and how it goes on until it is resolved. */
export function useJob(jobId: string) {
  const { orgId, siteId } = useSite()
  const client = useQueryClient()
  const packages = packagesOf(orgId, siteId)
  const queryKey = ['jobs', orgId, siteId, 'one', jobId]
  const query = useQuery({
    queryKey,
    queryFn: () => packages.job(jobId),
    refetchInterval: ({ state }) => (hasAddress(state.data) ? FRESH_ADDRESS_MS : false),
  })

  const isOpen = query.data?.resolved === false
  const stream = useEventStream(isOpen ? packages.eventsPath(jobId) : undefined, {
    job(data) {
      const job = data as Job
      client.setQueryData(queryKey, job)
      if (!job.resolved) return undefined
      void client.invalidateQueries({ queryKey: ['jobs', orgId, siteId] })
      if (job.name === 'TICKET_IMPORT') {
        for (const changed of ['tickets', 'tags']) void client.invalidateQueries({ queryKey: [changed, orgId, siteId] })
      }
      return 'end'
    },
  })
  return { query, isLost: isOpen && stream === 'lost' }
}

function hasAddress(job: Job | undefined): boolean {
  return job?.name === 'TICKET_EXPORT' && job.status === 'SUCCESS' && (job.output as ExportOutput).url !== ''
}
