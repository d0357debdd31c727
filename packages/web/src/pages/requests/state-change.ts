import type { TicketState } from '@plantroom/contract/tickets'

const RESOLVED: readonly TicketState[] = ['resolved', 'closed']

/** Whether nothing more is to be done in such a state. */
export function isOver(state: TicketState): boolean {
  return RESOLVED.includes(state) || state === 'canceled'
}

/** Whoever ends a request is asked what came of it. */
export function asksForSummary(from: TicketState, to: TicketState): boolean {
  return from !== to && isOver(to)
}

/** What a change of state means beside the state itself: see what the service does with `resolvedAt`. */
export type Consequence = 'resolved-now' | 'stays-resolved' | 'canceled' | 'not-resolved' | 'reopened' | 'none'

export function consequenceOf(from: TicketState, to: TicketState): Consequence {
  if (from === to) return 'none'
  if (RESOLVED.includes(to)) return RESOLVED.includes(from) ? 'stays-resolved' : 'resolved-now'
  if (RESOLVED.includes(from)) return to === 'canceled' ? 'not-resolved' : 'reopened'
  return to === 'canceled' ? 'canceled' : 'none'
}
