import { expect, test } from 'vitest'
import { readFilters } from '../../parts/address-filters.ts'
import { csvAddress, REPORT_FILTERS } from './report-filters.ts'

const ALL =
  'deviceId=dev_1&technicalSystemId=ts_1&datapointId=dp_1&code=4005&from=2026-11-15T10%3A00%3A00.000Z&to=2026-11-16T10%3A00%3A00.000Z'

test('the CSV file uses the filters of the page', () => {
  expect(csvAddress('org_1', 'site_1', {})).toBe('/api/orgs/org_1/reports?format=csv&siteId=site_1')
  const filters = readFilters(REPORT_FILTERS, new URLSearchParams(ALL))
  expect(csvAddress('org_1', 'site_1', filters)).toBe(`/api/orgs/org_1/reports?format=csv&siteId=site_1&${ALL}`)
})
