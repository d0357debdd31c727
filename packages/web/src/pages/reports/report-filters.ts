import { pathOf } from '@plantroom/client/client'
import { REPORT_CODES, type ReportCode } from '@plantroom/contract/reports'
import { readTime } from '../../parts/time.ts'

/** The filters in the address of the page. Times are RFC 3339; `from` is inclusive, `to` exclusive. */
export interface ReportPageFilters {
  deviceId?: string
  technicalSystemId?: string
  datapointId?: string
  code?: ReportCode
  from?: string
  to?: string
}

const IDS = ['deviceId', 'technicalSystemId', 'datapointId'] as const
const TIMES = ['from', 'to'] as const
const MAX_ID = 255
const CODES = Object.keys(REPORT_CODES).map(Number) as ReportCode[]

/** Parses an address. Invalid filters are left out, so that an old or mistyped link still works. */
export function readFilters(params: URLSearchParams): ReportPageFilters {
  const code = CODES.find((each) => String(each) === params.get('code'))
  const ids = IDS.flatMap((name) => {
    const id = params.get(name)?.trim()
    return id && id.length <= MAX_ID ? [[name, id] as const] : []
  })
  const times = TIMES.flatMap((name) => {
    const at = readTime(params.get(name) ?? '')
    return at === undefined ? [] : [[name, at] as const]
  })
  return { ...Object.fromEntries(ids), ...(code && { code }), ...Object.fromEntries(times) }
}

export function writeFilters(filters: ReportPageFilters): URLSearchParams {
  const params = new URLSearchParams()
  for (const name of [...IDS, 'code', ...TIMES] as const) {
    const value = filters[name]
    if (value !== undefined) params.set(name, String(value))
  }
  return params
}

export function isFiltered(filters: ReportPageFilters): boolean {
  return writeFilters(filters).size > 0
}

/** Reports whether the period is empty. */
export function isEmptyRange({ from, to }: ReportPageFilters): boolean {
  return from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to)
}

/** Returns the address of all matching entries as a CSV file. */
export function csvAddress(orgId: string, siteId: string, filters: ReportPageFilters): string {
  return pathOf('listReports', { orgId, query: { format: 'csv', siteId, ...filters } })
}
