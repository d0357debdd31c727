import type { TicketState } from '@plantroom/contract/request-fields'
import { stateOf } from '../../mapping/vocabulary.ts'
import { lookup } from '../../parts/lookup.ts'

/** Keys of the three categories to which every status of Jira belongs, and their English names. */
const CATEGORIES: Readonly<Record<string, TicketState>> = {
  new: 'new',
  'to do': 'new',
  indeterminate: 'in_progress',
  'in progress': 'in_progress',
  done: 'resolved',
  complete: 'resolved',
}
const UNRESOLVED = 'unresolved'

/** What an issue proves about its state without the name of its status: the category, or that it has a resolution. */
export function evidenceOf(columns: ReadonlyMap<string, readonly string[]>): TicketState | undefined {
  const category = columns.get('Status Category')?.[0]?.trim().toLowerCase() ?? ''
  const resolution = columns.get('Resolution')?.[0]?.trim().toLowerCase() || UNRESOLVED
  const known = lookup(CATEGORIES, category) ?? stateOf(category)
  return known ?? (resolution === UNRESOLVED ? undefined : 'resolved')
}
