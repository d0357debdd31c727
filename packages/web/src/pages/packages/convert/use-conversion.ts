import type { ConversionJob } from '@plantroom/contract/conversion-jobs'
import { useSearchParams } from 'wouter'
import { invalidate, useOperation } from '../../../api/use-operation.ts'

const POLL_MS = 1000

/** Loads a job of a conversion and follows it until it is resolved. */
export function useConversion(jobId: string) {
  return useOperation(
    'getConversion',
    { jobId },
    { refetchInterval: ({ state }) => (state.data?.resolved === false ? POLL_MS : false) },
  )
}

/** What the address shows, so that a reload and Back lose nothing. */
export function useShownConversion() {
  const [query, setQuery] = useSearchParams()
  const read = (name: string) => query.get(name) ?? undefined
  const go = (next: Record<string, string>) => {
    setQuery(next)
    void invalidate('listConversions')
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
