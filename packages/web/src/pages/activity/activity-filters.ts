import { pathOf } from '@plantroom/client/client'
import { ACTIVITY_ACTIONS, ActivityFilters as Declared } from '@plantroom/contract/activity'
import { object, oneOf, optional, type Static } from '@plantroom/contract/schema'

const { actor, from, to } = Declared.properties

/** The filters in the address of the page. The console knows the kinds of entries. */
export const ACTIVITY_FILTERS = object({ action: optional(oneOf(ACTIVITY_ACTIONS)), actor, from, to })
export type ActivityFilters = Static<typeof ACTIVITY_FILTERS>

/** Returns the address of all matching entries as a CSV file, or of the whole log as it was signed. */
export function fileAddress(orgId: string, filters: ActivityFilters, format: 'csv' | 'chain'): string {
  return pathOf('listActivity', { orgId, query: { format, ...(format === 'csv' && filters) } })
}
