import type { ActivityEntry } from '@plantroom/contract/activity'
import type { Datapoint, Limits } from '@plantroom/contract/datapoint'
import type { ReportCaller, ReportEntry } from '@plantroom/contract/reports'
import type { ConnectionValues, DatapointValue } from '@plantroom/contract/values'
import { orDash, printable, table } from './output.ts'

export function pointsTable(points: readonly Datapoint[]): string {
  const rows = points.map((point) => [
    point.id,
    point.name,
    point.accessType,
    point.writeInputData ? `${point.writeInputData.min} to ${point.writeInputData.max}` : '',
    limitsText(point.limits),
    JSON.stringify(point.data),
  ])
  return table(['ID', 'NAME', 'ACCESS', 'ENVELOPE', 'LIMITS', 'ADDRESS'], rows, 'this connection has no datapoints')
}

/** Formats what the controller enforces, for example `0 to 20, on for 300 s or more`. */
function limitsText({ min, max, maxStepPerMinute, minOnSeconds, minOffSeconds, maxStartsPerDay }: Limits = {}): string {
  const range = min !== undefined && max !== undefined
  return [
    range && `${min} to ${max}`,
    !range && min !== undefined && `${min} or more`,
    !range && max !== undefined && `${max} or less`,
    maxStepPerMinute !== undefined && `${maxStepPerMinute} a minute`,
    minOnSeconds !== undefined && `on for ${minOnSeconds} s or more`,
    minOffSeconds !== undefined && `off for ${minOffSeconds} s or more`,
    maxStartsPerDay !== undefined && `${maxStartsPerDay} starts a day`,
  ]
    .filter((text) => text !== false)
    .join(', ')
}

const STATUS_WORDS: Readonly<Record<number, string>> = {
  1: 'connected',
  2: 'connecting',
  0: 'disconnected, last known values',
  [-1]: 'error, last known values',
}

/** Names and units by id, as far as they are known. */
interface KnownNames {
  names: ReadonlyMap<string, string>
  units: ReadonlyMap<string, string>
  connections?: ReadonlyMap<string, string>
}

/** Formats the live values of a connection, with the writer that holds each datapoint and schedule deviations. */
export function valuesTable(snapshot: ConnectionValues, { names, units, connections }: KnownNames): string {
  const rows = Object.entries(snapshot.values).map(([id, value]) => [
    id,
    names.get(id) ?? '',
    withUnit(value.value, units.get(id)),
    value.timestamp,
    value.lockedBy ?? (value.locked ? 'unknown' : ''),
    deviation(value),
    value.error ?? '',
  ])
  const state = STATUS_WORDS[snapshot.status] ?? String(snapshot.status)
  const name = connections?.get(snapshot.connectionId)
  const named = name === undefined ? snapshot.connectionId : `${snapshot.connectionId} ${printable(name)}`
  const head = `${named} at ${snapshot.timestamp}: ${state}${snapshot.error ? ` (${snapshot.error})` : ''}`
  const header = ['ID', 'NAME', 'VALUE', 'READ AT', 'HELD BY', 'DEVIATION', 'ERROR']
  return `${head}\n${table(header, rows, 'no datapoints')}`
}

const withUnit = (value: DatapointValue['value'], unit: string | undefined) =>
  value === null || unit === undefined ? orDash(value) : `${value} ${unit}`

function deviation({ deviationActivated, deviationCachedValue }: DatapointValue): string {
  if (!deviationActivated) return ''
  return deviationCachedValue === undefined ? 'active' : `active, was ${deviationCachedValue}`
}

/** Formats audit entries in the given order. A datapoint without a known name is shown by its id. */
export function reportsTable(reports: readonly ReportEntry[], names: ReadonlyMap<string, string>): string {
  const rows = reports.map((report) => [
    report.at,
    String(report.code),
    report.phase,
    report.reason,
    names.get(report.datapointId) ?? report.datapointId,
    orDash(report.valueBefore),
    orDash(report.value),
    readBackOf(report),
    orDash(report.overrideId),
    callerOf(report.placedBy),
    callerOf(report.cancelledBy),
  ])
  const values = ['BEFORE', 'VALUE', 'READ BACK']
  const header = ['AT', 'CODE', 'PHASE', 'REASON', 'DATAPOINT', ...values, 'OVERRIDE', 'PLACED BY', 'ENDED BY']
  return table(header, rows, 'no reports')
}

/** What was read back, with what the equipment follows instead of the controller. */
function readBackOf({ readBack, inCharge }: ReportEntry): string {
  const text = orDash(readBack)
  if (!inCharge) return text
  const value = inCharge.value === null ? '' : `: ${inCharge.value}`
  return `${text} (${inCharge.outranks ? 'outranked by' : 'follows'} priority ${inCharge.priority}${value})`
}

/** The name of a caller, with the reason that they gave. */
function callerOf(by: ReportCaller | null): string {
  const name = orDash(by?.name || by?.id || null)
  return by?.reason ? `${name} (${by.reason})` : name
}

/** Formats entries of the activity log in the given order. */
export function activityTable(entries: readonly ActivityEntry[]): string {
  const rows = entries.map(({ at, action, outcome, actor, address, subject, details }) => [
    at,
    outcome === 'done' ? action : `${action} (${outcome})`,
    actor.name ?? actor.kind,
    orDash(address),
    subject ? `${subject.kind} ${subject.name ?? subject.id ?? ''}`.trimEnd() : '-',
    Object.keys(details).length === 0 ? '-' : JSON.stringify(details),
  ])
  return table(['AT', 'ACTION', 'WHO', 'FROM', 'WHAT', 'DETAILS'], rows, 'no activity')
}
