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

test('what a kept mapping states is no longer an assumption', () => {
  const assumed = [
    { code: 'zone-assumed', text: '', subject: 'UTC', from: 'site' },
    { code: 'date-order-needed', text: '' },
    { code: 'no-id-column', text: '' },
    { code: 'no-title-column', text: '' },
    { code: 'unknown-states', text: '', values: ['Odd ', 'strange'] },
    { code: 'unknown-priorities', text: '', values: ['x'], more: 1 },
    { code: 'encoding-assumed', text: '', subject: 'windows-1252' },
  ] as const
  const given = { ...analysis('a b'), timeZoneFrom: 'site', notes: [...assumed] } as const
  const codes = (of: Mapping) => proposeMapping(given, [kept('one', of)]).notes?.map(({ code }) => code)
  const states = { odd: 'open', Strange: 'new' } as const
  const full = mapping('a b', { columns: { a: 'externalId', b: 'title' }, states, priorities: { x: 1 } })
  expect(codes(full)).toEqual(['unknown-priorities', 'encoding-assumed'])
  expect(proposeMapping(given, [kept('one', full)])).toMatchObject({ timeZoneFrom: 'mapping' })
  expect(codes(mapping('a b', { states: { odd: 'open' } }))).toEqual(assumed.slice(2).map(({ code }) => code))
  expect(proposeMapping(given, [])).toMatchObject({ timeZoneFrom: 'site', notes: assumed })
})
