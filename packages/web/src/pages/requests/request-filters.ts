import { type OperationInput, pathOf } from '@plantroom/client/client'
import { REQUEST_SORTS, type RequestSort, SORT_ORDERS, type SortOrder } from '@plantroom/contract/api'
import { TICKET_STATES, type TicketState } from '@plantroom/contract/tickets'
import { readTime } from '../../parts/time.ts'

/** The limit of the service for a search text. */
export const MAX_SEARCH = 255
export const PRIORITIES = [0, 1, 2, 3] as const
export type Priority = (typeof PRIORITIES)[number]

/** Reads the value of a priority field. */
export const readPriority = (chosen: string | null): Priority | null =>
  PRIORITIES.find((each) => String(each) === chosen) ?? null

/** The order of the list when the address names none: the newest first. */
export const DEFAULT_SORT: RequestSort = 'created'
const DEFAULT_ORDER: SortOrder = 'desc'

const ASSIGNED = ['me', 'nobody'] as const
type Assigned = (typeof ASSIGNED)[number]

/** The filters and the order in the address of the list. Times are RFC 3339; the second is exclusive. */
export interface RequestFilters {
  states: readonly TicketState[]
  priority?: Priority
  tag?: string
  unit?: string
  /** An email. */
  assignee?: string
  assigned?: Assigned
  /** An email. */
  reporter?: string
  q?: string
  createdSince?: string
  createdUntil?: string
  sort?: RequestSort
  order?: SortOrder
}

const TEXTS = ['tag', 'unit', 'assignee', 'reporter', 'q'] as const
const TIMES = ['createdSince', 'createdUntil'] as const

/** Parses an address. Invalid filters are left out, so that an old or mistyped link still works. */
export function readFilters(params: URLSearchParams): RequestFilters {
  const states = TICKET_STATES.filter((state) => params.getAll('state').includes(state))
  const priority = PRIORITIES.find((each) => String(each) === params.get('priority'))
  const assigned = ASSIGNED.find((each) => each === params.get('assigned'))
  const sort = REQUEST_SORTS.find((each) => each === params.get('sort'))
  const order = SORT_ORDERS.find((each) => each === params.get('order'))
  const texts = TEXTS.flatMap((name) => {
    const text = params.get(name)?.trim().slice(0, MAX_SEARCH)
    return text ? [[name, text] as const] : []
  })
  const times = TIMES.flatMap((name) => {
    const at = readTime(params.get(name) ?? '')
    return at === undefined ? [] : [[name, at] as const]
  })
  const { assignee, ...others } = Object.fromEntries(texts)
  return {
    states,
    ...(priority !== undefined && { priority }),
    ...(assigned && { assigned }),
    // The service refuses both.
    ...(assignee !== undefined && !assigned && { assignee }),
    ...others,
    ...Object.fromEntries(times),
    ...(sort && sort !== DEFAULT_SORT && { sort }),
    ...(order && order !== DEFAULT_ORDER && { order }),
  }
}

/** Returns the filters and the order as the query of an address. */
export function writeFilters(filters: RequestFilters): URLSearchParams {
  const params = new URLSearchParams()
  for (const state of filters.states) params.append('state', state)
  if (filters.priority !== undefined) params.set('priority', String(filters.priority))
  if (filters.assigned) params.set('assigned', filters.assigned)
  for (const name of TEXTS) {
    const text = filters[name]?.trim().slice(0, MAX_SEARCH)
    if (text && !(name === 'assignee' && filters.assigned)) params.set(name, text)
  }
  for (const name of TIMES) {
    const at = filters[name]
    if (at !== undefined) params.set(name, at)
  }
  if (filters.sort && filters.sort !== DEFAULT_SORT) params.set('sort', filters.sort)
  if (filters.order && filters.order !== DEFAULT_ORDER) params.set('order', filters.order)
  return params
}

/** Reports whether some requests are left out, whatever the order. */
export function isFiltered({ sort: _, order: __, ...filters }: RequestFilters): boolean {
  return writeFilters(filters).size > 0
}

/** Takes every filter away and keeps the order. */
export const NO_FILTERS = {
  states: [],
  priority: undefined,
  tag: undefined,
  unit: undefined,
  assignee: undefined,
  assigned: undefined,
  reporter: undefined,
  q: undefined,
  createdSince: undefined,
  createdUntil: undefined,
} as const satisfies Partial<RequestFilters>

/** Reports whether the period is empty. */
export function isEmptyPeriod({ createdSince, createdUntil }: RequestFilters): boolean {
  return (
    createdSince !== undefined && createdUntil !== undefined && Date.parse(createdSince) >= Date.parse(createdUntil)
  )
}

/** Returns the filters without the order as the query of the API. */
export function toFilterQuery({ states, sort: _, order: __, ...rest }: RequestFilters) {
  return { ...(states.length > 0 && { state: states }), ...rest }
}

/** Returns the filters and the order as the query of the API. */
export function toQuery(filters: RequestFilters): NonNullable<OperationInput<'listRequests'>['query']> {
  const { sort, order } = filters
  return { ...toFilterQuery(filters), ...(sort && { sort }), ...(order && { order }) }
}

/** Returns the address of all matching requests as a CSV file. */
export function csvAddress(site: { orgId: string; propertyId: string }, filters: RequestFilters): string {
  return pathOf('listRequests', { ...site, query: { ...toQuery(filters), format: 'csv' } })
}

/** The order that a column has, or would have first: the newest and the most urgent on top, names from A to Z. */
export function orderOf({ sort = DEFAULT_SORT, order = DEFAULT_ORDER }: RequestFilters, column: RequestSort) {
  const first: SortOrder = column === 'title' || column === 'assignee' || column === 'state' ? 'asc' : 'desc'
  return { isSorted: sort === column, order: sort === column ? order : first }
}

/** The order after choosing a column: its first one, or the opposite when the list has it already. */
export function sortedBy(filters: RequestFilters, column: RequestSort): Pick<RequestFilters, 'sort' | 'order'> {
  const { isSorted, order } = orderOf(filters, column)
  return { sort: column, order: isSorted ? (order === 'asc' ? 'desc' : 'asc') : order }
}
