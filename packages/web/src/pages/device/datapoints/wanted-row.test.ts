import { expect, test } from 'vitest'
import { datapointHash } from '../../../parts/link-to-datapoint.ts'
import { datapointOf, rowId } from './wanted-row.ts'

test('an address leads to the row of any datapoint', () => {
  for (const id of ['dp_1', 'a b/c#d?%', 'ä']) {
    expect(datapointOf(datapointHash(id))).toBe(id)
    expect(rowId(id)).toBe(datapointHash(id).slice(1))
  }
})

test.each(['', '#', '#chart', '#datapoint-%'])('the address %j names no datapoint', (hash) => {
  expect(datapointOf(hash)).toBeUndefined()
})
