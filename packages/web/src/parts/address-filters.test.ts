import { givenTime, storable } from '@plantroom/contract/fields'
import { object, oneOf, optional } from '@plantroom/contract/schema'
import { describe, expect, test } from 'vitest'
import { isEmptyRange, isFiltered, readFilters, writeFilters } from './address-filters.ts'

const FILTERS = object({
  deviceId: optional(storable()),
  code: optional(oneOf([4000, 4005])),
  from: optional(givenTime('')),
  to: optional(givenTime('')),
})
const read = (query: string) => readFilters(FILTERS, new URLSearchParams(query))
const ALL = 'deviceId=dev_1&code=4005&from=2026-11-15T10%3A00%3A00.000Z&to=2026-11-16T10%3A00%3A00.000Z'

describe('the filters in an address', () => {
  test('survive it', () => {
    const filters = { deviceId: 'dev_1', code: 4005, from: '2026-11-15T10:00:00.000Z', to: '2026-11-16T10:00:00.000Z' }
    expect(read(ALL)).toEqual(filters)
    expect(String(writeFilters({ ...filters, other: undefined }))).toBe(ALL)
    expect(isFiltered(filters)).toBe(true)
  })

  test('accept times in any zone', () => {
    expect(read('from=2026-11-15T12:00:00%2B02:00').from).toBe('2026-11-15T10:00:00.000Z')
  })

  test.each([
    'code=4002',
    'code=',
    'from=yesterday',
    'to=',
    'from=1969-12-31T23:00:00Z',
    'to=%2B123456-01-01T00:00:00Z',
    'deviceId=',
    'deviceId=%20',
    `deviceId=${'x'.repeat(256)}`,
    'colour=red',
  ])('ignore invalid values: %s', (query) => {
    expect(read(query)).toEqual({})
    expect(isFiltered(read(query))).toBe(false)
  })

  test('recognize an empty period', () => {
    const [noon, one] = ['2026-11-15T12:00:00Z', '2026-11-15T13:00:00Z']
    expect(isEmptyRange({ from: one, to: noon })).toBe(true)
    expect(isEmptyRange({ from: noon, to: noon })).toBe(true)
    expect(isEmptyRange({ from: noon, to: one })).toBe(false)
    expect(isEmptyRange({ from: one })).toBe(false)
  })
})
