import { expect, test } from 'vitest'
import { countKept } from './limit-intervals.ts'

test('an interval of which too little was read is neither kept nor broken', () => {
  expect(countKept([{ kept: true }, { kept: false }, { kept: null }, { kept: true }])).toEqual({ kept: 2, unknown: 1 })
})
