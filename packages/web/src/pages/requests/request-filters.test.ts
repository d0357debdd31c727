import { describe, expect, test } from 'vitest'
import { isFiltered, MAX_SEARCH, readFilters, toQuery, writeFilters } from './request-filters.ts'

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
    'state=new&state=canceled&priority=3&tag=a%26b&unit=%2B&assignee=x%40y.ee&q=%C3%B5+%3F',
  ])('round-trip through the address: %s', (query) => expect(String(writeFilters(read(query)))).toBe(query))

  test.each(['state=lost', 'priority=4', 'priority=', 'priority=high', 'priority=00', 'tag=', 'q=+++', 'page=2'])(
    'ignore invalid values: %s',
    (query) => {
      expect(read(query)).toEqual({ states: [] })
      expect(isFiltered(read(query))).toBe(false)
    },
  )

  test('contain each state once', () => expect(read('state=open&state=open').states).toEqual(['open']))

  test('cut texts to the limit of the service', () => {
    expect(read(`q=${'x'.repeat(10_000)}`).q).toHaveLength(MAX_SEARCH)
    expect(writeFilters({ states: [], q: 'x'.repeat(10_000) }).get('q')).toHaveLength(MAX_SEARCH)
  })

  test('include all states when none is chosen', () => {
    expect(toQuery(read(''))).toEqual({})
    expect(toQuery(read('state=new&priority=1'))).toEqual({ state: ['new'], priority: 1 })
  })
})
