import type { TicketFilters } from '@plantroom/client/tickets'
import { TICKET_STATES, type TicketState } from '@plantroom/contract/tickets'

/** What the service takes at most of a text that is looked for. */
export const MAX_SEARCHED = 255
export const PRIORITIES = [0, 1, 2, 3] as const

/** Which requests the list shows, as its address says it. */
export interface RequestFilters {
  states: readonly TicketState[]
  priority?: number
  tag?: string
  unit?: string
  assignee?: string
  q?: string
}

const TEXTS = ['tag', 'unit', 'assignee', 'q'] as const

/** What an address asks for. What cannot be asked for is left out: an old or mistyped link still shows a list. */
export function readFilters(params: URLSearchParams): RequestFilters {
  const states = TICKET_STATES.filter((state) => params.getAll('state').includes(state))
  const priority = PRIORITIES.find((each) => String(each) === params.get('priority'))
  const texts = TEXTS.flatMap((name) => {
    const text = params.get(name)?.trim().slice(0, MAX_SEARCHED)
    return text ? [[name, text] as const] : []
  })
  return { states, ...(priority !== undefined && { priority }), ...Object.fromEntries(texts) }
}

/** The same filters as the query of an address; nothing but what is filtered by. */
export function writeFilters(filters: RequestFilters): URLSearchParams {
  const params = new URLSearchParams()
  for (const state of filters.states) params.append('state', state)
  if (filters.priority !== undefined) params.set('priority', String(filters.priority))
  for (const name of TEXTS) {
    const text = filters[name]?.trim().slice(0, MAX_SEARCHED)
    if (text) params.set(name, text)
  }
  return params
}

export function isFiltered(filters: RequestFilters): boolean {
  return writeFilters(filters).size > 0
}

/** As the service is asked. */
export function toTicketFilters({ states, ...rest }: RequestFilters): Omit<TicketFilters, 'limit' | 'cursor'> {
  return { ...(states.length > 0 && { state: states }), ...rest }
}
