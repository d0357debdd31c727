import { expect, test } from 'vitest'
import { readFilters } from './request-filters.ts'
import { currentView, viewsOf } from './request-views.ts'

const current = (query: string, all = viewsOf([])) => currentView(all, readFilters(new URLSearchParams(query)))?.id

test('every site has views of all, open, my and unassigned requests', () => {
  expect(viewsOf([]).map(({ id }) => id)).toEqual(['all', 'open', 'mine', 'unassigned'])
})

test('the view of an address is found whatever the order of its parameters', () => {
  expect(current('')).toBe('all')
  expect(current('state=on_hold&state=new&state=open&state=in_progress')).toBe('open')
  expect(current('assigned=me&state=on_hold&state=new&state=open&state=in_progress')).toBe('mine')
  expect(current('q=roof')).toBeUndefined()
  expect(current('sort=title')).toBeUndefined()
})

test('a saved view is read as an address is: parts that mean nothing are left out', () => {
  const all = viewsOf([{ id: 'v', name: 'Roof', query: 'q=roof&sort=priority&column=7&new=', shared: true }])
  expect(all.at(-1)).toEqual({ id: 'v', name: 'Roof', query: 'q=roof&sort=priority', saved: 'shared' })
  expect(current('sort=priority&q=roof', all)).toBe('v')
})
