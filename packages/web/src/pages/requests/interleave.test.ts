import type { TicketChange, TicketComment } from '@plantroom/contract/tickets'
import { expect, test } from 'vitest'
import { foldChanges, interleave } from './interleave.ts'

const at = (minute: number | null) => (minute === null ? null : new Date(minute * 60_000).toISOString())
const comment = (minute: number | null): TicketComment => ({
  content: '',
  author: null,
  createdAt: at(minute),
  attachments: [],
  mentions: [],
})
const change = (minute: number): TicketChange => ({
  at: at(minute) ?? '',
  kind: 'created',
  field: null,
  from: [],
  to: [],
  by: { kind: 'operator', name: null },
})
const order = (comments: (number | null)[], changes: number[], moreComments = false) =>
  interleave(comments.map(comment), changes.map(change), { moreComments }).map((entry) =>
    entry.kind === 'comment' ? `comment ${entry.place}` : `change ${Date.parse(entry.change.at) / 60_000}`,
  )

test('changes come before the first later comment', () => {
  expect(order([2, 4], [5, 3, 1])).toEqual(['change 1', 'comment 0', 'change 3', 'comment 1', 'change 5'])
})

test('comments keep their order, with or without a time', () => {
  expect(order([4, null, 2], [3])).toEqual(['change 3', 'comment 0', 'comment 1', 'comment 2'])
})

test('changes after the last shown comment wait for the rest of the conversation', () => {
  expect(order([2], [3, 1], true)).toEqual(['change 1', 'comment 0'])
})

test('long runs of changes are folded, except for the last ones', () => {
  const run = Array.from({ length: 9 }, (_, place) => 20 - place)
  const entries = interleave([comment(30)], [change(31), ...run.map(change)], { moreComments: false })
  const kinds = foldChanges(entries).map((entry) =>
    entry.kind === 'fold' ? `fold ${entry.changes.length}` : entry.kind,
  )
  expect(kinds).toEqual(['fold 6', 'change', 'change', 'change', 'comment', 'change'])
  expect(foldChanges(entries.slice(-3))).toEqual(entries.slice(-3))
})
