import { expect, test } from 'vitest'
import { readFilters } from '../../parts/address-filters.ts'
import { ACTIVITY_FILTERS, fileAddress } from './activity-filters.ts'

const filters = { action: 'key-created', actor: 'usr_1', from: '2030-01-01T00:00:00.000Z' } as const

test('the filters of the activity log survive the address, and unknown kinds of entries are ignored', () => {
  expect(readFilters(ACTIVITY_FILTERS, new URLSearchParams(filters))).toEqual(filters)
  expect(readFilters(ACTIVITY_FILTERS, new URLSearchParams('action=constructor'))).toEqual({})
})

test('they narrow the CSV file, but never the signed log', () => {
  expect(fileAddress('org_1', filters, 'csv')).toBe(
    '/api/orgs/org_1/activity?format=csv&action=key-created&actor=usr_1&from=2030-01-01T00%3A00%3A00.000Z',
  )
  expect(fileAddress('org_1', filters, 'chain')).toBe('/api/orgs/org_1/activity?format=chain')
})
