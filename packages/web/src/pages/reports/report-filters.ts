import { queryOf } from '@plantroom/client/http'
import { REPORT_CODES, type ReportCode } from '@plantroom/contract/reports'

/** Which reports the page shows, as its address says it. Times are RFC 3339; from inclusive, to exclusive. */
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
/** Inputs of times, and what is reported, know no others. */
const EARLIEST = 0
const LATEST = Date.parse('9999-12-31T23:59:59Z')

/** What an address asks for. What cannot be asked for is left out: an old or mistyped link still shows reports. */
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

/** A time as it stands in an address; `undefined` for what is none, or one that cannot be asked for. */
export function readTime(text: string): string | undefined {
  const at = Date.parse(text)
  return at >= EARLIEST && at <= LATEST ? new Date(at).toISOString() : undefined
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

/** Whether no time is in between. */
export function isEmptyRange({ from, to }: ReportPageFilters): boolean {
  return from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to)
}

/** Where all that matches is to be had as a file. */
export function csvAddress(orgId: string, siteId: string, filters: ReportPageFilters): string {
  return `/api/orgs/${encodeURIComponent(orgId)}/reports${queryOf({ format: 'csv', siteId, ...filters })}`
}
