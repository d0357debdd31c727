import { useSearchParams } from 'wouter'

/** The job in the address, so that the address shows it again. */
export function useShownJob() {
  const [query, setQuery] = useSearchParams()
  return {
    jobId: query.get('job') ?? undefined,
    show: (id: string) => setQuery({ job: id }),
    close: () => setQuery({}),
  }
}

/** Returns the query of an address that shows a job. */
export const jobQuery = (id: string) => `?${new URLSearchParams({ job: id })}`
