import { type ChangeOutcome, MAX_CHANGED, type RequestChanges } from '@plantroom/contract/api'
import type { TicketState } from '@plantroom/contract/tickets'
import { readPriority } from './request-filters.ts'

/** The numbers of the chosen requests. */
export type Selection = ReadonlySet<number>

/** Adds or removes one request. */
export function toggled(selection: Selection, number: number): Selection {
  const next = new Set(selection)
  if (!next.delete(number)) next.add(number)
  return next
}

/** Adds all the requests shown, or removes them when all of them are chosen. */
export function toggledAll(selection: Selection, shown: readonly number[]): Selection {
  const next = new Set(selection)
  const areAllChosen = shown.every((number) => selection.has(number))
  for (const number of shown) areAllChosen ? next.delete(number) : next.add(number)
  return next
}

/** What can be done about more requests than are chosen. */
export type MoreToSelect = { kind: 'none' } | { kind: 'all'; count: number } | { kind: 'too-many'; count: number }

/** Offers all matching requests once all that are shown are chosen, unless there are too many for one change. */
export function moreToSelect(selection: Selection, shown: readonly number[], count: number | undefined): MoreToSelect {
  const areAllChosen = shown.length > 0 && shown.every((number) => selection.has(number))
  if (!areAllChosen || count === undefined || count <= selection.size) return { kind: 'none' }
  return count <= MAX_CHANGED ? { kind: 'all', count } : { kind: 'too-many', count }
}

/** The form of a change of many requests. Empty fields stay as they are. */
export interface BulkForm {
  state: string | null
  assignee: string | null
  priority: string | null
  addTags: readonly string[]
  removeTags: readonly string[]
}

export const EMPTY_FORM: BulkForm = { state: null, assignee: null, priority: null, addTags: [], removeTags: [] }
/** Choices of the form that take a value away. */
export const NOBODY = 'nobody'
export const NO_PRIORITY = 'none'

/** Returns the body of the change; `undefined` when the form changes nothing. */
export function changesOf({ state, assignee, priority, addTags, removeTags }: BulkForm): RequestChanges | undefined {
  const changes: RequestChanges = {
    ...(state !== null && { state: state as TicketState }),
    ...(assignee !== null && { assignee: assignee === NOBODY ? null : assignee }),
    ...(priority !== null && { priority: priority === NO_PRIORITY ? null : readPriority(priority) }),
    ...(addTags.length > 0 && { addTags }),
    ...(removeTags.length > 0 && { removeTags }),
  }
  return Object.keys(changes).length === 0 ? undefined : changes
}

/** What became of a change, for the notice above the list. */
export interface BulkSummary {
  changed: number
  unchanged: number
  failed: readonly { number: number; message: string }[]
}

export function summaryOf(outcomes: readonly ChangeOutcome[]): BulkSummary {
  const count = (wanted: ChangeOutcome['outcome']) => outcomes.filter(({ outcome }) => outcome === wanted).length
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed')
  return {
    changed: count('changed'),
    unchanged: count('unchanged'),
    failed: failed.map(({ number, message }) => ({ number, message: message ?? '' })),
  }
}
