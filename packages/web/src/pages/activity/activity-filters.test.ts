import { describe, expect, test } from 'vitest'
import { fileAddress, isEmptyRange, isFiltered, readFilters, writeFilters } from './activity-filters.ts'

const filters = { action: 'key-created', actor: 'usr_1', from: '2030-01-01T00:00:00.000Z' } as const

describe('the filters of the activity log', () => {
  test('survive the address', () => {
    expect(readFilters(writeFilters({ ...filters, to: undefined }))).toEqual(filters)
    expect([isFiltered(filters), isFiltered({})]).toEqual([true, false])
  })

  test.each([
    'action=constructor',
    'action=',
    `actor=${'x'.repeat(256)}`,
    'actor=%20',
    'from=yesterday',
    'to=1969-01-01T00:00:00Z',
  ])('ignore %s', (address) => expect(readFilters(new URLSearchParams(address))).toEqual({}))

  test('say when the period is empty', () => {
    expect(isEmptyRange({ from: '2030-01-02T00:00:00Z', to: '2030-01-01T00:00:00Z' })).toBe(true)
    expect(isEmptyRange({ from: '2030-01-02T00:00:00Z' })).toBe(false)
  })

  test('narrow the CSV file, but never the signed log', () => {
    expect(fileAddress('org_1', filters, 'csv')).toBe(
      '/api/orgs/org_1/activity?format=csv&action=key-created&actor=usr_1&from=2030-01-01T00%3A00%3A00.000Z',
    )
    expect(fileAddress('org_1', filters, 'chain')).toBe('/api/orgs/org_1/activity?format=chain')
  })
})
