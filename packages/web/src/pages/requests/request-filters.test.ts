import { describe, expect, test } from 'vitest'
import {
  csvAddress,
  isEmptyPeriod,
  isFiltered,
  MAX_SEARCH,
  readFilters,
  sortedBy,
  toQuery,
  writeFilters,
} from './request-filters.ts'

const read = (query: string) => readFilters(new URLSearchParams(query))

describe('the filters of the list', () => {
  test('are read from the address', () => {
    expect(
      read('state=open&state=new&priority=0&tag=roof&unit=B-12&assignee=mari%40example.ee&q=leak+%26+%C3%B5'),
    ).toEqual({
      states: ['new', 'open'],
      priority: 0,
      tag: 'roof',
      unit: 'B-12',
      assignee: 'mari@example.ee',
      q: 'leak & õ',
    })
  })

  test.each([
    '',
    'state=open',
    'assigned=me&reporter=x%40y.ee&createdSince=2024-05-01T00%3A00%3A00.000Z&sort=priority&order=asc',
    'state=new&state=canceled&priority=3&tag=a%26b&unit=%2B&assignee=x%40y.ee&q=%C3%B5+%3F',
  ])('round-trip through the address: %s', (query) => expect(String(writeFilters(read(query)))).toBe(query))

  test.each([
    'assigned=you',
    'sort=created',
    'sort=age',
    'order=desc',
    'createdSince=now',
    'state=lost',
    'priority=4',
    'priority=',
    'priority=high',
    'priority=00',
    'tag=',
    'q=+++',
    'page=2',
  ])('ignore invalid values: %s', (query) => {
    expect(read(query)).toEqual({ states: [] })
    expect(isFiltered(read(query))).toBe(false)
  })

  test('contain each state once', () => expect(read('state=open&state=open').states).toEqual(['open']))

  test('cut texts to the limit of the service', () => {
    expect(read(`q=${'x'.repeat(10_000)}`).q).toHaveLength(MAX_SEARCH)
    expect(writeFilters({ states: [], q: 'x'.repeat(10_000) }).get('q')).toHaveLength(MAX_SEARCH)
  })

  test('include all states when none is chosen', () => {
    expect(toQuery(read(''))).toEqual({})
    expect(toQuery(read('state=new&priority=1'))).toEqual({ state: ['new'], priority: 1 })
  })

  test('keep either the assignee or who it is not', () => {
    expect(read('assigned=nobody&assignee=x%40y.ee')).toEqual({ states: [], assigned: 'nobody' })
  })

  test('do not include the order', () => {
    expect(isFiltered(read('sort=title&order=asc'))).toBe(false)
    expect(isFiltered(read('sort=title&q=x'))).toBe(true)
  })

  test('name an empty period', () => {
    expect(isEmptyPeriod(read('createdSince=2024-05-02T00:00:00Z&createdUntil=2024-05-01T00:00:00Z'))).toBe(true)
    expect(isEmptyPeriod(read('createdSince=2024-05-01T00:00:00Z&createdUntil=2024-05-02T00:00:00Z'))).toBe(false)
  })

  test('are in the address of the CSV file', () => {
    expect(csvAddress({ orgId: 'o', propertyId: 's' }, read('state=new&sort=title&order=asc'))).toBe(
      '/api/orgs/o/properties/s/tickets?state=new&sort=title&order=asc&format=csv',
    )
  })
})

describe('choosing a column', () => {
  test('sorts by it, the newest and most urgent first and names from A to Z', () => {
    expect(sortedBy(read(''), 'priority')).toEqual({ sort: 'priority', order: 'desc' })
    expect(sortedBy(read(''), 'title')).toEqual({ sort: 'title', order: 'asc' })
  })

  test('again turns the order around', () => {
    expect(sortedBy(read(''), 'created')).toEqual({ sort: 'created', order: 'asc' })
    expect(sortedBy(read('sort=title&order=asc'), 'title')).toEqual({ sort: 'title', order: 'desc' })
  })
})
