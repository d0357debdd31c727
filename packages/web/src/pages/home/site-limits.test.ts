import type { SiteLimit } from '@plantroom/contract/portfolio'
import { expect, test } from 'vitest'
import { ceilingsOf, worstFirst } from './site-limits.ts'

const limit = (deviceId: string, changes: Partial<SiteLimit> = {}): SiteLimit => ({
  ...{ deviceId, state: 'limited', importKw: 60, exportKw: null, isOnline: true },
  ...changes,
})

test('what needs a person most comes first, then the strictest limit', () => {
  const limits = [
    limit('wide'),
    limit('strict', { importKw: null, exportKw: 5 }),
    limit('lost', { state: 'fallback', importKw: null }),
    limit('full', { state: 'exhausted' }),
  ]
  expect(worstFirst(limits).map(({ deviceId }) => deviceId)).toEqual(['full', 'lost', 'strict', 'wide'])
})

test('a limit may be of both directions, or of none when only the meter is lost', () => {
  expect(ceilingsOf(limit('a', { exportKw: 0 }))).toEqual([
    { direction: 'import', kw: 60 },
    { direction: 'export', kw: 0 },
  ])
  expect(ceilingsOf(limit('a', { importKw: null }))).toEqual([])
})
