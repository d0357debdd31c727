import { describe, expect, test } from 'vitest'
import { csvAddress, isEmptyRange, isFiltered, readFilters, writeFilters } from './report-filters.ts'

const read = (query: string) => readFilters(new URLSearchParams(query))
const ALL =
  'deviceId=dev_1&technicalSystemId=ts_1&datapointId=dp_1&code=4005&from=2026-11-15T10%3A00%3A00.000Z&to=2026-11-16T10%3A00%3A00.000Z'

describe('the filters of the audit log', () => {
  test('round-trip through the address', () => {
    expect(read(ALL)).toEqual({
      deviceId: 'dev_1',
      technicalSystemId: 'ts_1',
      datapointId: 'dp_1',
      code: 4005,
      from: '2026-11-15T10:00:00.000Z',
      to: '2026-11-16T10:00:00.000Z',
    })
    expect(String(writeFilters(read(ALL)))).toBe(ALL)
    expect(isFiltered(read(ALL))).toBe(true)
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
    `datapointId=${'x'.repeat(256)}`,
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

test('the CSV file uses the filters of the page', () => {
  expect(csvAddress('org_1', 'site_1', {})).toBe('/api/orgs/org_1/reports?format=csv&siteId=site_1')
  expect(csvAddress('org_1', 'site_1', read(ALL))).toBe(`/api/orgs/org_1/reports?format=csv&siteId=site_1&${ALL}`)
})
