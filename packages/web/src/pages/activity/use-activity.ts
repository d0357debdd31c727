import { keepPreviousData } from '@tanstack/react-query'
import { useOperation } from '../../api/use-operation.ts'
import { usePages } from '../../api/use-pages.ts'
import type { Choice } from '../../parts/selects.tsx'
import { activity } from '../../texts/activity.ts'
import { format } from '../../texts/format.ts'
import type { ActivityFilters } from './activity-filters.ts'

const PAGE = 50

/** Loads the matching entries, newest first, page by page. */
export function useActivity(filters: ActivityFilters) {
  return usePages('listActivity', { query: { ...filters, limit: PAGE } }, ({ entries }) => entries, {
    placeholderData: keepPreviousData,
  })
}

/** Loads the people and keys of the organization, to filter by. Without them, the list still works. */
export function useActors(): Choice[] {
  const { members = [] } = useOperation('listMembers', {}).data ?? {}
  const { keys = [] } = useOperation('listKeys', {}).data ?? {}
  return [
    ...members.map(({ userId, email }) => ({ value: userId, label: email })),
    ...keys.map(({ id, name }) => ({ value: id, label: format(activity.key, { name }) })),
  ]
}
