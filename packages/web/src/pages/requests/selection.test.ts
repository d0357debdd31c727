import { describe, expect, test } from 'vitest'
import { changesOf, EMPTY_FORM, moreToSelect, summaryOf, toggled, toggledAll } from './selection.ts'

const of = (...numbers: number[]) => new Set(numbers)

describe('a selection', () => {
  test('adds and removes one request', () => {
    expect(toggled(of(1), 2)).toEqual(of(1, 2))
    expect(toggled(of(1, 2), 2)).toEqual(of(1))
  })

  test('adds all that are shown, and removes only those when all are chosen', () => {
    expect(toggledAll(of(9, 1), [1, 2])).toEqual(of(9, 1, 2))
    expect(toggledAll(of(9, 1, 2), [1, 2])).toEqual(of(9))
  })

  test('can be extended to all that match, up to the limit of one change', () => {
    expect(moreToSelect(of(1, 2), [1, 2], 500)).toEqual({ kind: 'all', count: 500 })
    expect(moreToSelect(of(1, 2), [1, 2], 501)).toEqual({ kind: 'too-many', count: 501 })
  })

  test('cannot be extended when some of those shown are not chosen, or all that match are', () => {
    expect(moreToSelect(of(1), [1, 2], 10)).toEqual({ kind: 'none' })
    expect(moreToSelect(of(1, 2), [1, 2], 2)).toEqual({ kind: 'none' })
    expect(moreToSelect(of(), [], 2)).toEqual({ kind: 'none' })
    expect(moreToSelect(of(1, 2), [1, 2], undefined)).toEqual({ kind: 'none' })
  })
})

describe('the form of a change of many', () => {
  test('leaves out what stays as it is', () => {
    expect(changesOf(EMPTY_FORM)).toBeUndefined()
    expect(changesOf({ ...EMPTY_FORM, state: 'closed' })).toEqual({ state: 'closed' })
  })

  test('can take the assignee and the priority away, and tells 0 from none', () => {
    expect(changesOf({ ...EMPTY_FORM, assignee: 'nobody', priority: 'none' })).toEqual({
      assignee: null,
      priority: null,
    })
    expect(changesOf({ ...EMPTY_FORM, assignee: 'a@b.ee', priority: '0' })).toEqual({ assignee: 'a@b.ee', priority: 0 })
  })
})

test('the outcome counts what changed and keeps why the others did not', () => {
  expect(
    summaryOf([
      { number: 1, outcome: 'changed', message: null },
      { number: 2, outcome: 'unchanged', message: null },
      { number: 3, outcome: 'failed', message: 'why' },
    ]),
  ).toEqual({ changed: 1, unchanged: 1, failed: [{ number: 3, message: 'why' }] })
})
