import { TICKET_STATES } from '@plantroom/contract/tickets'
import { describe, expect, test } from 'vitest'
import { asksForSummary, consequenceOf, isOver } from './state-change.ts'

describe('a change of state', () => {
  test('asks for a summary when it ends the request', () => {
    expect(TICKET_STATES.filter((state) => asksForSummary('open', state))).toEqual(['resolved', 'closed', 'canceled'])
    expect(asksForSummary('resolved', 'closed')).toBe(true)
    expect(asksForSummary('closed', 'closed')).toBe(false)
    expect(asksForSummary('closed', 'open')).toBe(false)
    expect(isOver('on_hold')).toBe(false)
  })

  test.each([
    ['open', 'resolved', 'resolved-now'],
    ['canceled', 'closed', 'resolved-now'],
    ['resolved', 'closed', 'stays-resolved'],
    ['open', 'canceled', 'canceled'],
    ['closed', 'canceled', 'not-resolved'],
    ['closed', 'open', 'reopened'],
    ['canceled', 'open', undefined],
    ['new', 'in_progress', undefined],
    ['closed', 'closed', undefined],
  ] as const)('from %s to %s: %s', (from, to, consequence) => expect(consequenceOf(from, to)).toBe(consequence))
})
