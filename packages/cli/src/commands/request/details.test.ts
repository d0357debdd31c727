import { expect, test } from 'vitest'
import { UsageError } from '../../command.ts'
import { DETAIL_FLAGS, type DetailFlags, detailsOf } from './details.ts'

const details = (flags: Readonly<Record<string, string>>) => detailsOf(flags as DetailFlags)

test('options set the fields that the table of request fields lets a caller edit', () => {
  expect(Object.keys(DETAIL_FLAGS)).toEqual([
    ...['state', 'description', 'notes', 'resolution', 'priority', 'language', 'scope', 'safety-hazard'],
    ...['assignee', 'supervisor', 'unit', 'tag', 'no-tags', 'watcher'],
  ])
  expect(details({ priority: '2', 'safety-hazard': 'no', scope: 'unit', resolution: 'Bled it' })).toEqual({
    priority: 2,
    safetyHazard: false,
    scope: 'unit',
    resolutionSummary: 'Bled it',
  })
})

test('an empty text removes a value', () => {
  expect(details({ priority: '', 'safety-hazard': '', language: '', assignee: '', notes: '' })).toEqual({
    ...{ priority: null, safetyHazard: null, language: null, assignee: null, notes: null },
  })
})

test.each([
  [{ state: '' }, '--state must be one of new, open, in_progress, on_hold, resolved, closed, canceled, not '],
  [{ priority: 'high' }, '--priority must be one of 0, 1, 2, 3, not high'],
  [{ 'safety-hazard': 'maybe' }, '--safety-hazard must be one of yes, no, not maybe'],
  [{ scope: 'campus' }, '--scope must be one of unit, common_area, building, not campus'],
] as const)('%j is refused', (flags, message) =>
  expect(() => details(flags as Readonly<Record<string, string>>)).toThrow(new UsageError(message)),
)
