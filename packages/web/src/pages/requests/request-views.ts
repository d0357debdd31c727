import type { RequestView } from '@plantroom/contract/api'
import type { TicketState } from '@plantroom/contract/tickets'
import { views } from '../../texts/requests.ts'
import { type RequestFilters, readFilters, writeFilters } from './request-filters.ts'

/** The states of requests that are not over. */
export const OPEN_STATES = ['new', 'open', 'in_progress', 'on_hold'] as const satisfies readonly TicketState[]

/** A tab above the list. */
export interface View {
  id: string
  name: string
  /** As an address has it; equal views have equal queries. */
  query: string
  /** Who saved it; `undefined` for those that every site has. */
  saved?: 'shared' | 'own'
}

const builtIn = (id: string, name: string, filters: RequestFilters): View => ({
  id,
  name,
  query: String(writeFilters(filters)),
})

/** The views that every site has. */
const BUILT_IN: readonly View[] = [
  builtIn('all', views.all, { states: [] }),
  builtIn('open', views.open, { states: OPEN_STATES }),
  builtIn('mine', views.mine, { states: OPEN_STATES, assigned: 'me' }),
  builtIn('unassigned', views.unassigned, { states: OPEN_STATES, assigned: 'nobody' }),
]

/** All tabs. A saved query is read again, so that one from an older version still works. */
export function viewsOf(saved: readonly RequestView[]): View[] {
  return [
    ...BUILT_IN,
    ...saved.map(({ id, name, query, shared }) => ({
      id,
      name,
      query: String(writeFilters(readFilters(new URLSearchParams(query)))),
      saved: shared ? ('shared' as const) : ('own' as const),
    })),
  ]
}

/** Returns the view that the list shows; `undefined` when it was changed. */
export function currentView(all: readonly View[], filters: RequestFilters): View | undefined {
  const query = String(writeFilters(filters))
  return all.find((view) => view.query === query)
}
