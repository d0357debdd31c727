import { describe, expect, test } from 'vitest'
import { aDatapoint, aHold, anOverride, aRow, minutes, NOW } from '../testing/examples.ts'
import { describeAge, describeRow } from './describe-row.ts'

const context = { when: { timeZone: 'UTC', now: NOW + 3000 }, status: 1, isLost: false, canManage: true } as const

describe('a row', () => {
  test('shows value, age and range of a datapoint that is not held', () => {
    expect(describeRow(aRow(), context)).toEqual({
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
      overrideId: null,
    })
  })

  test('shows holder, value, end and what follows of a held datapoint', () => {
    const row = aRow({ hold: aHold({ trouble: 'not-taken' }), overrides: [anOverride()] })
    expect(describeRow(row, context)).toMatchObject({
      holder: 'Demand response, placed by Grid partner',
      heldAt: 'Held at 20',
      until: 'Until 13:00 UTC (59 min 57 s left)',
      next: 'Then back to 5',
      trouble: 'The equipment did not accept the value.',
      overrideId: 'w1',
    })
  })

  test('offers no actions to viewers', () => {
    const texts = describeRow(aRow({ hold: aHold() }), { ...context, canManage: false })
    expect([texts.canOverride, texts.overrideId]).toEqual([false, null])
  })

  test('offers no release when another writer than demand response holds the datapoint', () => {
    expect(describeRow(aRow({ hold: aHold({ by: 'peak-shaving', overrideId: null }) }), context).overrideId).toBeNull()
  })

  test('shows why a datapoint cannot be read, and which ones are read only', () => {
    const value = { value: null, timestamp: minutes(0), error: 'timeout' }
    expect(describeRow(aRow({ value }), context)).toMatchObject({ value: '–', problem: 'Cannot be read: timeout' })
    const readOnly = aRow({ datapoint: aDatapoint({ accessType: 'READ' }), isWritable: false })
    expect(describeRow(readOnly, context)).toMatchObject({ hint: 'Read only', canOverride: false })
  })

  test('shows a lock even when the controller does not list its hold', () => {
    const value = {
      value: 5,
      timestamp: minutes(0),
      locked: true,
      lockedBy: 'deviation',
      deviationCachedValue: 3,
    } as const
    expect(describeRow(aRow({ value }), context)).toMatchObject({ holder: 'Schedule', next: 'Then back to 3' })
  })

  test('is equal within the same second, so that it does not rerender', () => {
    const row = () => aRow({ hold: aHold(), overrides: [anOverride()] })
    expect(describeRow(row(), context)).toEqual(describeRow(row(), context))
  })
})

describe('the age of a value', () => {
  const fresh = { now: NOW, status: 1, isLost: false } as const
  const ago = (ms: number) => new Date(NOW - ms).toISOString()

  test('is shown as a length of time', () => {
    expect(describeAge(ago(0), fresh)).toEqual({ text: 'Just now', isOld: false })
    expect(describeAge(ago(3000), fresh)).toEqual({ text: '3 s ago', isOld: false })
    expect(describeAge(ago(120_000), fresh)).toEqual({ text: '2 min ago', isOld: false })
  })

  test('marks a stale value', () => {
    expect(describeAge(ago(121_000), fresh)).toEqual({ text: 'Stale: 2 min 01 s ago', isOld: true })
  })

  test.each([2, 0, -1, undefined] as const)('marks the last known value at connection status %s', (status) => {
    expect(describeAge(ago(3000), { ...fresh, status })).toEqual({ text: 'Last known value, 3 s ago', isOld: true })
  })

  test('marks the last known value while the controller is silent', () => {
    expect(describeAge(ago(3000), { ...fresh, isLost: true }).text).toBe('Last known value, 3 s ago')
  })

  test('is never negative, and covers values that never arrived', () => {
    expect(describeAge(ago(-5000), fresh).text).toBe('Just now')
    expect(describeAge(undefined, fresh)).toEqual({ text: 'No value yet', isOld: true })
  })
})
