import { useSearchParams } from 'wouter'

/** The job that the address names: whoever opens it again sees the same. */
export function useShownJob() {
  const [query, setQuery] = useSearchParams()
  return {
    jobId: query.get('job') ?? undefined,
    show: (id: string) => setQuery({ job: id }),
    close: () => setQuery({}),
  }
}

/** The query of an address that shows a job. */
export const jobQuery = (id: string) => `?${new URLSearchParams({ job: id })}`
