import { TICKET_STATES, type TicketState } from '@plantroom/contract/tickets'
import { describe, expect, test } from 'vitest'
import { changeState } from './change-store.ts'

const earlier = new Date('2026-01-01T00:00:00Z')
const now = new Date('2026-02-01T00:00:00Z')
const inState = (state: TicketState, resolvedAt: Date | null = null) => ({ state, stateChangedAt: earlier, resolvedAt })

describe('changeState', () => {
  test.each(TICKET_STATES)('from %s to itself changes nothing', (state) => {
    expect(changeState(inState(state, earlier), state, now)).toEqual(inState(state, earlier))
  })

  test.each(['resolved', 'closed'] as const)('to %s sets the time of resolution', (state) => {
    expect(changeState(inState('open'), state, now)).toEqual({ state, stateChangedAt: now, resolvedAt: now })
  })

  test('from resolved to closed keeps the time of resolution', () => {
    const closed = { state: 'closed', stateChangedAt: now, resolvedAt: earlier }
    expect(changeState(inState('resolved', earlier), 'closed', now)).toEqual(closed)
  })

  test('from closed without a time of resolution sets one', () => {
    expect(changeState(inState('closed'), 'resolved', now).resolvedAt).toEqual(now)
  })

  test.each(['new', 'open', 'in_progress', 'on_hold', 'canceled'] as const)(
    'back to %s clears the time of resolution',
    (state) => {
      const opened = { state, stateChangedAt: now, resolvedAt: null }
      expect(changeState(inState('resolved', earlier), state, now)).toEqual(opened)
    },
  )

  test('to resolved ignores an old time of resolution on an open request', () => {
    expect(changeState(inState('open', earlier), 'resolved', now).resolvedAt).toEqual(now)
  })
})
