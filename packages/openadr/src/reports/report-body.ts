import type { OpenadrVersion, ReportRule } from '@plantroom/contract/openadr-profile'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { END_OF_TIME, formatDuration } from '../normal/durations.ts'
import type { VtnReport } from '../normal/objects.ts'
import type { DueReport, OperatingState, ReportInterval, ReportItem } from './due-reports.ts'

/** What was measured in an interval. */
export interface Measured {
  /** The mean power in kW, import positive; `null` when nothing was read. */
  readonly meanKw: number | null
  readonly energyKwh: number | null
  /** How much of the interval was read, in percent. */
  readonly coverage: number
}

/** What a report is made from. `undefined`: not known. */
export interface ReportData {
  readonly measured: (resourceName: string, from: number, to: number) => Measured | undefined
  readonly setpoint: (resourceName: string, from: number, to: number) => number | undefined
  readonly operatingState: (resourceName: string, from: number, to: number) => OperatingState | undefined
  /** The power in kW that a resource usually has at this time. */
  readonly usualKw: (resourceName: string, from: number, to: number) => number | undefined
  /** The power in kW that resources together would have without the event, as the VTN published it. */
  readonly baselineKw: (resourceNames: readonly string[], from: number, to: number) => number | undefined
}

export const AGGREGATED = 'AGGREGATED_REPORT'
const MAX_REPORT_NAME = 128

/** What a body is made of: the event of a stored report is a row. */
export interface ReportToMake extends Omit<DueReport, 'event'> {
  readonly event: Pick<DueReport['event'], 'id' | 'programId'>
}

/** Makes the body of a report; `undefined` when nothing is known that it could say. */
export function reportBody(
  due: ReportToMake,
  { version, clientName }: { readonly version: OpenadrVersion; readonly clientName: string },
  data: ReportData,
): Record<string, unknown> | undefined {
  const groups = due.isAggregated
    ? [{ resourceName: AGGREGATED, members: due.resources }]
    : due.resources.map((resourceName) => ({ resourceName, members: [resourceName] }))
  const resources = groups.flatMap(({ resourceName, members }) => {
    const intervals = due.intervals.length === 0 ? timeless(due, members) : timed(due, members, data)
    return intervals.length > 0 ? [{ resourceName, intervals }] : []
  })
  if (resources.length === 0) return undefined
  const described = due.items.filter(({ rule }) => !rule.isUndescribed)
  return {
    ...(version === '3.0' && { programID: due.event.programId }),
    eventID: due.event.id,
    clientName,
    reportName: reportNameOf(due),
    ...(described.length > 0 && { payloadDescriptors: described.map(descriptorOf) }),
    resources,
  }
}

const descriptorOf = ({ payloadType, readingType, units }: ReportItem) => ({
  objectType: 'REPORT_PAYLOAD_DESCRIPTOR',
  payloadType,
  ...(readingType !== null && { readingType }),
  ...(units !== null && { units }),
})

/** As the program requires, or one that no other report of ours has. */
export function reportNameOf({ items, key }: Pick<DueReport, 'items' | 'key'>): string {
  const [first] = items
  return first?.rule.reportName ?? `${first?.payloadType ?? ''}-${key}`.slice(-MAX_REPORT_NAME)
}

/** Reports whether a report that the VTN has is the one with this body: what we sent without hearing the answer. */
export function isStored(found: VtnReport, body: Readonly<Record<string, unknown>>): boolean {
  const { eventID, clientName, reportName, resources } = body
  const isSameName = found.eventId === eventID && found.clientName === clientName && found.reportName === reportName
  return isSameName && essence(found.resources) === essence(resources)
}

/** A text of what matters: VTNs write times differently, and add what is missing. */
const essence = (resources: unknown): string => {
  const list = (value: unknown) => (Array.isArray(value) ? value : []) as Record<string, unknown>[]
  return JSON.stringify(
    list(resources).map(({ resourceName, intervals }) => [
      resourceName,
      list(intervals).map(({ id, payloads }) => [id, list(payloads).map(({ type, values }) => [type, values])]),
    ]),
  )
}

function timeless({ items, statuses }: ReportToMake, members: readonly string[]) {
  const payloads = items.flatMap(({ payloadType, rule }): { type: string; values: readonly (string | boolean)[] }[] => {
    if (rule.content === 'acknowledgement') return [{ type: payloadType, values: [true] }]
    const status = statuses[members[0] ?? '']
    return status ? [{ type: payloadType, values: [status] }] : []
  })
  return payloads.length > 0 ? [{ id: 0, payloads }] : []
}

function timed(due: ReportToMake, members: readonly string[], data: ReportData) {
  const contents = due.items.map(({ rule }) => rule.content)
  // The quality of data is that of its companions.
  const isAboutUsual = contents.includes('baseline') && !contents.some((one) => one === 'usage' || one === 'demand')
  return due.intervals.flatMap((interval) => {
    const payloads = due.items.flatMap((item) => {
      const values = valuesOf(item, interval, members, data, isAboutUsual)
      return values ? [{ type: item.payloadType, values }] : []
    })
    // A payload about the others says nothing alone, except that they are missing.
    return payloads.length > 0 ? [{ id: interval.id, intervalPeriod: periodOf(interval), payloads }] : []
  })
}

const periodOf = ({ from, to }: ReportInterval) => ({
  start: formatTimestamp(from),
  duration: to >= END_OF_TIME ? 'P9999Y' : formatDuration(to - from),
})

const MAX_STEPS = 10_000

function valuesOf(
  item: ReportItem,
  { from, to }: ReportInterval,
  members: readonly string[],
  data: ReportData,
  isAboutUsual: boolean,
): readonly (number | string)[] | undefined {
  const { stepSeconds } = item.rule
  if (stepSeconds === undefined) {
    const value = oneValue(item, { from, to }, members, data, isAboutUsual)
    return value === undefined ? undefined : [value]
  }
  const step = stepSeconds * 1000
  const count = Math.min(Math.floor((to - from) / step), MAX_STEPS)
  const values = Array.from({ length: count }, (_, index) => {
    const start = from + index * step
    return oneValue(item, { from: start, to: start + step }, members, data, isAboutUsual)
  })
  const known = values.filter((value) => value !== undefined)
  // A list has no place for what is not known, and 0 would say that it was measured.
  return known.length === count && count > 0 ? known : undefined
}

function oneValue(
  { rule, units }: ReportItem,
  { from, to }: { readonly from: number; readonly to: number },
  members: readonly string[],
  data: ReportData,
  isAboutUsual: boolean,
): number | string | undefined {
  const sum = (one: (resourceName: string) => number | null | undefined) => sumOf(members.map(one))
  const measured = (name: string) => data.measured(name, from, to)
  switch (rule.content) {
    case 'setpoint':
      return rounded(
        sum((name) => data.setpoint(name, from, to)),
        rule,
      )
    case 'usage':
      return rounded(inUnit(atLeastZero(sum((name) => measured(name)?.energyKwh)), units), rule)
    case 'demand':
      return rounded(inUnit(atLeastZero(sum((name) => measured(name)?.meanKw)), units), rule)
    case 'baseline':
      return rounded(
        inUnit(
          sum((name) => data.usualKw(name, from, to)),
          units,
          (to - from) / HOUR_MS,
        ),
        rule,
      )
    case 'delivered-flexibility': {
      const baseline = data.baselineKw(members, from, to)
      const mean = sum((name) => measured(name)?.meanKw)
      const delivered = baseline === undefined || mean === undefined ? undefined : baseline - mean
      return rounded(inUnit(atLeastZero(delivered), units), rule)
    }
    case 'operating-state':
      return worstOf(members.map((name) => data.operatingState(name, from, to)))
    case 'data-quality':
      if (isAboutUsual) return sum((name) => data.usualKw(name, from, to)) === undefined ? 'MISSING' : 'ESTIMATED'
      return qualityOf(Math.min(...members.map((name) => measured(name)?.coverage ?? 0)))
    default:
      return undefined
  }
}

/** What is missing of one is missing of the sum. */
function sumOf(values: readonly (number | null | undefined)[]): number | undefined {
  return values.reduce<number | undefined>(
    (sum, value) => (sum === undefined || value === undefined || value === null ? undefined : sum + value),
    0,
  )
}

/** The definitions have no negative usage: what flows out is not used. */
const atLeastZero = (value: number | undefined) => value && Math.max(value, 0)

const FACTORS: Readonly<Record<string, number>> = { W: 1000, KW: 1, MW: 0.001, WH: 1000, KWH: 1, MWH: 0.001 }
const HOUR_MS = 3_600_000
/** Converts kW or kWh. With `hours`, a power becomes an energy where the unit is one. */
function inUnit(value: number | undefined, unit: string | null, hours = 1): number | undefined {
  const name = unit?.toUpperCase() ?? ''
  return value && value * (FACTORS[name] ?? 1) * (name.endsWith('WH') ? hours : 1)
}

const DEFAULT_DECIMALS = 3
function rounded(value: number | undefined, { decimals = DEFAULT_DECIMALS }: ReportRule): number | undefined {
  // Adding 0 turns -0 into 0.
  return value === undefined ? undefined : Number(value.toFixed(decimals)) + 0
}

function qualityOf(coverage: number): string {
  if (coverage <= 0) return 'MISSING'
  if (coverage < 50) return 'BAD'
  return coverage < 95 ? 'ESTIMATED' : 'OK'
}

/** An error of one resource is an error of all; otherwise the state of the first one that has another than normal. */
function worstOf(states: readonly (OperatingState | undefined)[]): OperatingState | undefined {
  const known = states.filter((state) => state !== undefined)
  return known.find((state) => state.endsWith('ERROR')) ?? known.find((state) => !state.endsWith('NORMAL')) ?? known[0]
}
