import type { ExportOutput, Job, NamedJob } from '@plantroom/contract/jobs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { packagesOf } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { useEventStream } from '../../live/use-event-stream.ts'

/** Addresses of exports are good for an hour: one that stays on a page is asked for anew before that. */
const FRESH_ADDRESS_MS = 30 * 60_000

/** A job as it is, and how it goes on until it is resolved. The name of its package comes with the first event. */
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

  const [filename, setFilename] = useState<string>()
  const stream = useEventStream(query.data && packages.eventsPath(jobId), {
    job(data) {
      const job = data as NamedJob
      const wasOpen = client.getQueryData<Job>(queryKey)?.resolved === false
      setFilename(job.filename)
      client.setQueryData(queryKey, job)
      if (!job.resolved) return undefined
      if (!wasOpen) return 'end'
      void client.invalidateQueries({ queryKey: ['jobs', orgId, siteId] })
      if (job.name === 'TICKET_IMPORT') {
        for (const changed of ['tickets', 'tags']) void client.invalidateQueries({ queryKey: [changed, orgId, siteId] })
      }
      return 'end'
    },
  })
  return { query, filename, isLost: query.data?.resolved === false && stream === 'lost' }
}

function hasAddress(job: Job | undefined): boolean {
  return job?.name === 'TICKET_EXPORT' && job.status === 'SUCCESS' && (job.output as ExportOutput).url !== ''
}
