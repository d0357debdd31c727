import { pathOf } from '@plantroom/client/client'
import { ReportFilters } from '@plantroom/contract/reports'
import { object, type Static } from '@plantroom/contract/schema'

const { deviceId, technicalSystemId, datapointId, code, from, to } = ReportFilters.properties

/** The filters in the address of the page. */
export const REPORT_FILTERS = object({ deviceId, technicalSystemId, datapointId, code, from, to })
export type ReportPageFilters = Static<typeof REPORT_FILTERS>

/** Returns the address of all matching entries as a CSV file. */
export function csvAddress(orgId: string, siteId: string, filters: ReportPageFilters): string {
  return pathOf('listReports', { orgId, query: { format: 'csv', siteId, ...filters } })
}
