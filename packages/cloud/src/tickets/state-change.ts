import type { TicketState } from '@plantroom/contract/tickets'

export interface StateAndTimes {
  state: TicketState
  stateChangedAt: Date
  resolvedAt: Date | null
}

const RESOLVED: ReadonlySet<TicketState> = new Set(['resolved', 'closed'])

/** Any state may follow any other. A request that is closed after it was resolved was resolved then; reopened, never. */
export function changeState(before: StateAndTimes, state: TicketState, now: Date): StateAndTimes {
  if (state === before.state) return before
  const since = RESOLVED.has(before.state) ? before.resolvedAt : null
  return { state, stateChangedAt: now, resolvedAt: RESOLVED.has(state) ? (since ?? now) : null }
}
