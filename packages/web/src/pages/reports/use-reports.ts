import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { technicalSystemsOf, useDevices } from '../../api/use-devices.ts'
import { usePages } from '../../api/use-pages.ts'
import { useSite } from '../../api/use-site.ts'
import type { ReportPageFilters } from './report-filters.ts'
import { namesOf, type ReportNames } from './report-names.ts'

const PAGE = 50
const EVERY_MS = 15_000
/** Further back people read history: fetching all of it again and again would be wasted. */
const PAGES_KEPT_FRESH = 4

export const isKeptFresh = (entries: number) => entries <= PAGES_KEPT_FRESH * PAGE

/** Loads the matching audit entries, newest first, page by page. New ones appear automatically. */
export function useReports(filters: ReportPageFilters) {
  const { siteId } = useSite()
  return usePages('listReports', { query: { siteId, ...filters, limit: PAGE } }, ({ reports }) => reports, {
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) <= PAGES_KEPT_FRESH ? EVERY_MS : false),
  })
}

/** `isComplete`: all names are loaded, so an id without a name no longer has one. */
export interface LoadedNames {
  names: ReportNames
  isComplete: boolean
  error: Error | null
}

/** Loads the names of the site's controllers, technical systems and datapoints. */
export function useReportNames(): LoadedNames {
  const { orgId } = useSite()
  const devices = useDevices()
  const listed = devices.data ?? []
  return useQueries({
    queries: listed.map(({ id }) => technicalSystemsOf(orgId, id)),
    combine: (systems) => ({
      names: namesOf(listed.map(({ id, name }, index) => ({ id, name, systems: systems[index]?.data }))),
      isComplete: devices.data !== undefined && systems.every(({ data }) => data !== undefined),
      error: devices.error ?? systems.find(({ error }) => error)?.error ?? null,
    }),
  })
}
