import type { ReportCode, ReportEntry } from '@plantroom/contract/reports'
import { queryOf, type Send } from './http.ts'

/** Which reports; times are RFC 3339, `from` inclusive, `to` exclusive. */
export interface ReportFilters {
  /** Of the site that the device stands on. */
  siteId?: string | undefined
  technicalSystemId?: string | undefined
  datapointId?: string | undefined
  deviceId?: string | undefined
  code?: ReportCode | undefined
  from?: string | undefined
  to?: string | undefined
  /** At most 1000. */
  limit?: number | undefined
  /** The `nextCursor` of the page before, of the same filters. */
  cursor?: string | undefined
}

/** The newest first. `nextCursor` is `null` on the last page. */
export interface ReportPage {
  reports: ReportEntry[]
  nextCursor: string | null
}

/** Without `to` up to now, without `from` the 24 hours before `to`. */
export interface MeasurementRange {
  from?: string | undefined
  to?: string | undefined
  /** At most 10,000. */
  limit?: number | undefined
  cursor?: string | undefined
}

/** The oldest first. A gap says how many values, of all its datapoints, the device had to give up. */
export interface MeasurementPage {
  measurements: { at: string; value: number }[]
  gaps: { from: string; to: string; dropped: number }[]
  nextCursor: string | null
}

export type History = ReturnType<typeof createHistory>

/** What devices did and what they measured, as the cloud keeps it. For an operator's token and for a partner's key. */
export function createHistory(send: Send) {
  const org = (orgId: string) => `/api/orgs/${encodeURIComponent(orgId)}`
  const datapoint = (orgId: string, deviceId: string, datapointId: string) =>
    `${org(orgId)}/devices/${encodeURIComponent(deviceId)}/datapoints/${encodeURIComponent(datapointId)}`
  return {
    reports: (orgId: string, filters: ReportFilters = {}) =>
      send<ReportPage>('GET', `${org(orgId)}/reports${queryOf({ ...filters })}`),
    measurements: (orgId: string, deviceId: string, datapointId: string, range: MeasurementRange = {}) =>
      send<MeasurementPage>('GET', `${datapoint(orgId, deviceId, datapointId)}/measurements${queryOf({ ...range })}`),
  }
}

/** Page after page until the last. `fetchPage` is given the cursor to go on from, first `undefined`. */
export async function* pages<Page extends { nextCursor: string | null }>(
  fetchPage: (cursor: string | undefined) => Promise<Page>,
): AsyncGenerator<Page, void> {
  let cursor: string | undefined
  for (;;) {
    const page = await fetchPage(cursor)
    yield page
    if (page.nextCursor === null) return
    // It would be asked for the same page for ever.
    if (page.nextCursor === cursor) throw new Error(`the service gave the cursor ${cursor} twice`)
    cursor = page.nextCursor
  }
}
