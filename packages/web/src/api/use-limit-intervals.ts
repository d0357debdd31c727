import type { SiteLimitInterval } from '@plantroom/contract/fleet-limit'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from './service.ts'
import type { HistoryPeriod } from './use-history.ts'
import { useSite } from './use-site.ts'

/** An interval under a power limit, with its times in milliseconds. */
type LoadedInterval = Omit<SiteLimitInterval, 'from' | 'to'> & { from: number; to: number }

const NONE: readonly LoadedInterval[] = []
/** More than a chart can show apart. */
const MOST = 10_000

/** Loads the power limits of a period for a chart. Until then, or when that fails, there are none. */
export function useLimitIntervals(period: HistoryPeriod, { enabled }: { enabled: boolean }): readonly LoadedInterval[] {
  const { orgId, siteId } = useSite()
  const { data = NONE } = useQuery({
    queryKey: ['listLimitIntervals', { orgId, siteId }, 'chart', period.key],
    enabled,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    refetchInterval: period.refreshMs,
    queryFn: async () => {
      const { from, to } = period.bounds()
      const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), limit: MOST }
      const { intervals } = await api.listLimitIntervals({ orgId, siteId, query })
      return intervals.map((each) => ({ ...each, from: Date.parse(each.from), to: Date.parse(each.to) }))
    },
  })
  return data
}
