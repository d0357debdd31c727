import type { OperationInput } from '@plantroom/client/client'
import { TICKET_STATES, type TicketState } from '@plantroom/contract/tickets'

/** The limit of the service for a search text. */
export const MAX_SEARCH = 255
export const PRIORITIES = [0, 1, 2, 3] as const
export type Priority = (typeof PRIORITIES)[number]

/** Reads the value of a priority field. */
export const readPriority = (chosen: string | null): Priority | null =>
  PRIORITIES.find((each) => String(each) === chosen) ?? null

/** The filters in the address of the list. */
export interface RequestFilters {
  states: readonly TicketState[]
  priority?: Priority
  tag?: string
  unit?: string
  assignee?: string
  q?: string
}

const TEXTS = ['tag', 'unit', 'assignee', 'q'] as const

/** Parses an address. Invalid filters are left out, so that an old or mistyped link still works. */
export function readFilters(params: URLSearchParams): RequestFilters {
  const states = TICKET_STATES.filter((state) => params.getAll('state').includes(state))
  const priority = PRIORITIES.find((each) => String(each) === params.get('priority'))
  const texts = TEXTS.flatMap((name) => {
    const text = params.get(name)?.trim().slice(0, MAX_SEARCH)
    return text ? [[name, text] as const] : []
  })
  return { states, ...(priority !== undefined && { priority }), ...Object.fromEntries(texts) }
}

/** Returns the filters as the query of an address. */
export function writeFilters(filters: RequestFilters): URLSearchParams {
  const params = new URLSearchParams()
  for (const state of filters.states) params.append('state', state)
  if (filters.priority !== undefined) params.set('priority', String(filters.priority))
  for (const name of TEXTS) {
    const text = filters[name]?.trim().slice(0, MAX_SEARCH)
    if (text) params.set(name, text)
  }
  return params
}

export function isFiltered(filters: RequestFilters): boolean {
  return writeFilters(filters).size > 0
}

/** Returns the filters as the query of the API. */
export function toQuery({ states, ...rest }: RequestFilters): NonNullable<OperationInput<'listRequests'>['query']> {
  return { ...(states.length > 0 && { state: states }), ...rest }
}
