import { describe, expect, test } from 'vitest'
import { isFiltered, MAX_SEARCHED, readFilters, toTicketFilters, writeFilters } from './request-filters.ts'

const read = (query: string) => readFilters(new URLSearchParams(query))

describe('the filters of the list', () => {
  test('are what the address says', () => {
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
  ])('come back from an address as they were: %s', (query) => expect(String(writeFilters(read(query)))).toBe(query))

  test.each(['state=lost', 'priority=4', 'priority=', 'priority=high', 'priority=00', 'tag=', 'q=+++', 'page=2'])(
    'leave out what cannot be asked for: %s',
    (query) => {
      expect(read(query)).toEqual({ states: [] })
      expect(isFiltered(read(query))).toBe(false)
    },
  )

  test('name each state once', () => expect(read('state=open&state=open').states).toEqual(['open']))

  test('cut a text at what the service takes', () => {
    expect(read(`q=${'x'.repeat(10_000)}`).q).toHaveLength(MAX_SEARCHED)
    expect(writeFilters({ states: [], q: 'x'.repeat(10_000) }).get('q')).toHaveLength(MAX_SEARCHED)
  })

  test('ask the service for all states where none is chosen', () => {
    expect(toTicketFilters(read(''))).toEqual({})
    expect(toTicketFilters(read('state=new&priority=1'))).toEqual({ state: ['new'], priority: 1 })
  })
})
