import type { TicketChange } from '@plantroom/contract/tickets'
import { expect, test } from 'vitest'
import { describeChange } from './describe-change.ts'

const change = (changes: Partial<TicketChange>): TicketChange => ({
  at: '2026-01-01T00:00:00Z',
  kind: 'changed',
  field: null,
  from: [],
  to: [],
  by: { kind: 'person', name: 'mari@example.ee' },
  ...changes,
})

test.each([
  [{ kind: 'created' }, 'mari@example.ee created the request'],
  [{ kind: 'imported', by: { kind: 'unknown', name: null } }, 'Someone imported the request'],
  [{ field: 'title', from: ['A'], to: ['B'] }, 'mari@example.ee changed the title from “A” to “B”'],
  [
    { field: 'state', from: ['new'], to: ['in_progress'] },
    'mari@example.ee changed the state from “New” to “In progress”',
  ],
  [{ field: 'priority', to: ['2'] }, 'mari@example.ee set the priority to “High”'],
  [{ field: 'unit', from: ['A 12'] }, 'mari@example.ee removed the unit (“A 12”)'],
  [{ field: 'safetyHazard', to: ['true'] }, 'mari@example.ee set the safety hazard to yes'],
  [{ field: 'tags', from: ['a'], to: ['a', 'b'] }, 'mari@example.ee changed the tags from “a” to “a”, “b”'],
  [
    { field: 'assignee', from: [null], to: ['x@y.ee'] },
    'mari@example.ee changed the assignee from a removed person to x@y.ee',
  ],
  [{ field: 'description', from: ['long'], to: [] }, 'mari@example.ee changed the description'],
  [
    { field: 'title', from: ['A'], to: ['B'], by: { kind: 'key', name: 'CRM' } },
    'API key “CRM” changed the title from “A” to “B”',
  ],
  [{ kind: 'created', by: { kind: 'operator', name: null } }, 'The operator created the request'],
] as const)('%j', (changes, text) => expect(describeChange(change(changes as Partial<TicketChange>))).toBe(text))
