import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import type { Choice } from '../../parts/selects.tsx'
import { activity } from '../../texts/activity.ts'
import { format } from '../../texts/format.ts'
import type { ActivityFilters } from './activity-filters.ts'

const PAGE = 50

/** Loads the matching entries, newest first, page by page. */
export function useActivity(filters: ActivityFilters) {
  const { orgId } = useSite()
  return useInfiniteQuery({
    queryKey: ['activity', orgId, filters],
    queryFn: ({ pageParam }) => api.listActivity({ orgId, query: { ...filters, limit: PAGE, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}

/** Loads the people and keys of the organization, to filter by. Without them, the list still works. */
export function useActors(): Choice[] {
  const { orgId } = useSite()
  const members = useQuery({
    queryKey: ['members', orgId],
    queryFn: async () => (await api.listMembers({ orgId })).members,
  })
  const keys = useQuery({ queryKey: ['keys', orgId], queryFn: async () => (await api.listKeys({ orgId })).keys })
  return [
    ...(members.data ?? []).map(({ userId, email }) => ({ value: userId, label: email })),
    ...(keys.data ?? []).map(({ id, name }) => ({ value: id, label: format(activity.key, { name }) })),
  ]
}
