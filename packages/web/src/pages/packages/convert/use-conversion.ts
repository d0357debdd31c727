import type { ConversionJob } from '@plantroom/contract/conversion-jobs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { api } from '../../../api/service.ts'
import { useSite } from '../../../api/use-site.ts'

const POLL_MS = 1000

/** Loads a job of a conversion and follows it until it is resolved. */
export function useConversion(jobId: string) {
  const { orgId, siteId } = useSite()
  return useQuery({
    queryKey: ['conversions', orgId, siteId, jobId],
    queryFn: () => api.getConversion({ orgId, propertyId: siteId, jobId }),
    refetchInterval: ({ state }) => (state.data?.resolved === false ? POLL_MS : false),
  })
}

/** What the address shows, so that a reload and Back lose nothing. */
export function useShownConversion() {
  const [query, setQuery] = useSearchParams()
  const client = useQueryClient()
  const read = (name: string) => query.get(name) ?? undefined
  const go = (next: Record<string, string>) => {
    setQuery(next)
    void client.invalidateQueries({ queryKey: ['conversion-list'] })
  }
  return {
    analysisId: read('analysis'),
    trialId: read('trial'),
    conversionId: read('conversion'),
    showAnalysis: (analysis: string) => go({ analysis }),
    showTrial: (analysis: string, trial: string) => go({ analysis, trial }),
    showConversion: (conversion: string) => go({ conversion }),
    startAgain: () => go({}),
  }
}

/** The query of the address that shows a job. */
export function queryOf({ id, name, analysisId }: Pick<ConversionJob, 'id' | 'name' | 'analysisId'>): string {
  if (name === 'TICKET_SOURCE_ANALYSIS') return `?${new URLSearchParams({ analysis: id })}`
  if (name === 'TICKET_CONVERSION') return `?${new URLSearchParams({ conversion: id })}`
  return analysisId === null ? '' : `?${new URLSearchParams({ analysis: analysisId, trial: id })}`
}

/** What the jobs of one export are given. */
export const inputOf = ({ source, files, attachments }: ConversionJob) => ({
  source,
  files,
  ...(attachments && { attachments }),
})
