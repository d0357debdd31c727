import { expect, test } from 'vitest'
import { countKept, marginOf, meanInDirection } from './limit-intervals.ts'

test('the margin of an interval is how far its mean was below the limit, in the direction of the limit', () => {
  expect(marginOf({ direction: 'import', meanKw: 45, limitKw: 60 })).toBe(15)
  expect(marginOf({ direction: 'import', meanKw: 61, limitKw: 60 })).toBe(-1)
  expect(marginOf({ direction: 'export', meanKw: -8, limitKw: 10 })).toBe(2)
  expect(marginOf({ direction: 'export', meanKw: null, limitKw: 10 })).toBeNull()
  expect(meanInDirection({ direction: 'export', meanKw: -8 })).toBe(8)
})

test('an interval of which too little was read is neither kept nor broken', () => {
  expect(countKept([{ kept: true }, { kept: false }, { kept: null }, { kept: true }])).toEqual({ kept: 2, unknown: 1 })
})
