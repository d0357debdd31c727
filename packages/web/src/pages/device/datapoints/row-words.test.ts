import { describe, expect, test } from 'vitest'
import { aDatapoint, aHold, aRow, aWindow, minutes, NOW } from '../testing/examples.ts'
import { rowWords } from './row-words.ts'

const context = { when: { timeZone: 'UTC', now: NOW + 3000 }, status: 1, isLost: false, canManage: true } as const

describe('a row', () => {
  test('that nobody holds has its value, its age and its envelope', () => {
    expect(rowWords(aRow(), context)).toEqual({
      id: 'charge',
      name: 'Charge power',
      hint: '-50 to 50',
      value: '5',
      problem: '',
      age: '3 s ago',
      isOld: false,
      by: '',
      holder: '',
      heldAt: '',
      until: '',
      next: '',
      trouble: '',
      canOverride: true,
      windowId: null,
    })
  })

  test('that is held says by whom, at what, until when and what comes back', () => {
    expect(rowWords(aRow({ hold: aHold({ trouble: 'not-taken' }), overrides: [aWindow()] }), context)).toMatchObject({
      holder: 'Demand response, placed by Grid partner',
      heldAt: 'at 20',
      until: 'until 13:00 UTC (in 59 min 57 s)',
      next: 'then back to 5',
      trouble: 'The equipment did not take the value.',
      windowId: 'w1',
    })
  })

  test('offers nothing to whoever may only look', () => {
    const words = rowWords(aRow({ hold: aHold() }), { ...context, canManage: false })
    expect([words.canOverride, words.windowId]).toEqual([false, null])
  })

  test('is not released where somebody else than demand response holds it', () => {
    expect(rowWords(aRow({ hold: aHold({ by: 'peak-shaving', overrideId: null }) }), context).windowId).toBeNull()
  })

  test('that cannot be read says why, and one that is only read says so', () => {
    const value = { value: null, timestamp: minutes(0), error: 'timeout' }
    expect(rowWords(aRow({ value }), context)).toMatchObject({ value: '–', problem: 'Cannot be read: timeout' })
    expect(rowWords(aRow({ datapoint: aDatapoint({ accessType: 'READ' }), isWritable: false }), context)).toMatchObject(
      {
        hint: 'read only',
        canOverride: false,
      },
    )
  })

  test('is known as locked even where the hold is not told', () => {
    const value = {
      value: 5,
      timestamp: minutes(0),
      locked: true,
      lockedBy: 'deviation',
      deviationCachedValue: 3,
    } as const
    expect(rowWords(aRow({ value }), context)).toMatchObject({ holder: 'Schedule', next: 'then back to 3' })
  })

  test('has the same words in the same second: it is not drawn anew', () => {
    const row = () => aRow({ hold: aHold(), overrides: [aWindow()] })
    expect(rowWords(row(), context)).toEqual(rowWords(row(), context))
  })
})
