import type { Mapping, SourceAnalysis } from '@plantroom/contract/conversion'
import { expect, test } from 'vitest'
import { proposeMapping } from './propose-mapping.ts'

const mapping = (columns: string, changes: Partial<Mapping> = {}): Mapping => ({
  timeZone: 'UTC',
  dateOrder: 'dmy',
  columns: Object.fromEntries(columns.split(' ').map((name) => [name, 'omit'])),
  states: { open: 'open' },
  otherState: 'new',
  priorities: {},
  ...changes,
})
const analysis = (columns: string): SourceAnalysis => ({
  source: 'csv',
  records: 1,
  columns: columns.split(' ').map((name) => ({ name, filled: 1, samples: [] })),
  mapping: mapping(columns, { columns: Object.fromEntries(columns.split(' ').map((name) => [name, 'description+'])) }),
})
const kept = (name: string, of: Mapping) => ({ id: name, source: 'csv', name, savedAt: '', mapping: of }) as const

test('the newest kept mapping is proposed of which the export has two thirds', () => {
  const mappings = [kept('newest', mapping('a x')), kept('newer', mapping('a b x')), kept('old', mapping('a b c'))]
  const proposal = proposeMapping(analysis('a b c d'), mappings)
  expect(proposal.keptAs).toBe('newer')
  expect(proposal.mapping.columns).toEqual({ a: 'omit', b: 'omit', c: 'description+', d: 'description+' })
  expect(proposeMapping(analysis('y z'), mappings)).toMatchObject({ keptAs: null, mapping: analysis('y z').mapping })
})

test('values that a kept mapping does not know keep the proposal', () => {
  const source = analysis('a')
  const withDone = { ...source, mapping: { ...source.mapping, states: { done: 'closed', open: 'new' } } } as const
  const { states, dateOrder } = proposeMapping(withDone, [kept('one', mapping('a', { dateOrder: 'mdy' }))]).mapping
  expect([states, dateOrder]).toEqual([{ done: 'closed', open: 'open' }, 'mdy'])
})

test('a column that no request may name is left to the description', () => {
  expect(Object.keys(proposeMapping(analysis('a __proto__'), []).mapping.columns)).toEqual(['a'])
})
