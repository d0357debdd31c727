import { pathOf } from '@plantroom/client/client'
import { ACTIVITY_ACTIONS, type ActivityAction } from '@plantroom/contract/activity'
import { readTime } from '../../parts/time.ts'

/** The filters in the address of the page. Times are RFC 3339; `from` is inclusive, `to` exclusive. */
export interface ActivityFilters {
  action?: ActivityAction
  actor?: string
  from?: string
  to?: string
}

const MAX_ID = 255

/** Parses an address. Invalid filters are left out, so that an old or mistyped link still works. */
export function readFilters(params: URLSearchParams): ActivityFilters {
  const action = ACTIVITY_ACTIONS.find((one) => one === params.get('action'))
  const actor = params.get('actor')?.trim()
  const [from, to] = [readTime(params.get('from') ?? ''), readTime(params.get('to') ?? '')]
  return {
    ...(action && { action }),
    ...(actor && actor.length <= MAX_ID && { actor }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}

export function writeFilters(filters: Partial<Record<keyof ActivityFilters, string | undefined>>): URLSearchParams {
  const set = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return new URLSearchParams(set)
}

export const isFiltered = (filters: ActivityFilters): boolean => writeFilters({ ...filters }).size > 0

/** Reports whether the period is empty. */
export function isEmptyRange({ from, to }: ActivityFilters): boolean {
  return from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to)
}

/** Returns the address of all matching entries as a CSV file, or of the whole log as it was signed. */
export function fileAddress(orgId: string, filters: ActivityFilters, format: 'csv' | 'chain'): string {
  return pathOf('listActivity', { orgId, query: { format, ...(format === 'csv' && filters) } })
}
