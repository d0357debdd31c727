import type { TicketState } from '@plantroom/contract/tickets'

const RESOLVED: readonly TicketState[] = ['resolved', 'closed']

/** Reports whether a state ends a request. */
export function isOver(state: TicketState): boolean {
  return RESOLVED.includes(state) || state === 'canceled'
}

/** Reports whether to ask for a summary: only when a request ends. */
export function asksForSummary(from: TicketState, to: TicketState): boolean {
  return from !== to && isOver(to)
}

/** What a change of state means for the time of resolution, as the service handles it. */
type Consequence = 'resolved-now' | 'stays-resolved' | 'canceled' | 'not-resolved' | 'reopened'

export function consequenceOf(from: TicketState, to: TicketState): Consequence | undefined {
  if (from === to) return undefined
  if (RESOLVED.includes(to)) return RESOLVED.includes(from) ? 'stays-resolved' : 'resolved-now'
  if (RESOLVED.includes(from)) return to === 'canceled' ? 'not-resolved' : 'reopened'
  return to === 'canceled' ? 'canceled' : undefined
}
