import { hash } from 'node:crypto'
import { Failure } from '@plantroom/contract/failure'
import { type DispatchRequest, MAX_TARGETS, type Selector } from '@plantroom/contract/fleet'
import { shown } from '@plantroom/contract/shown'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import type { SelectedDatapoint } from './datapoint-store.ts'
import { splitTotal } from './split.ts'

const DAY_MS = 86_400_000

/** The times of a dispatch, in milliseconds since 1970. */
export interface Window {
  from: number
  to: number
  deadline: number
}

/** One datapoint of a dispatch, as it is stored. */
export interface PlannedTarget {
  deviceId: string
  siteId: string
  datapointId: string
  value: number
  from: number
}

/** The times of a request, as they are sent. */
interface SentTimes {
  from?: string
  to: string
  deadline?: string
  staggerSeconds?: number
}

/**
 * Checks the times of a request. A start that is missing or past is now. A deadline that is missing is the latest allowed one,
 * or so long after the start. Throws `invalid` with the field. Pure.
 */
export function windowOf(request: SentTimes, now: number, triesForMs = Number.POSITIVE_INFINITY): Window {
  const to = timeOf('to', request.to)
  const from = Math.max(now, request.from === undefined ? now : timeOf('from', request.from))
  if (to <= now) throw invalid('to', 'to is in the past: send a time in the future')
  if (to <= from) throw invalid('to', 'to must be after from')
  if (to - from > DAY_MS) throw invalid('to', 'the window is longer than 24 hours: send a shorter one')
  if (request.deadline === undefined) return { from, to, deadline: Math.min(to, now + DAY_MS, from + triesForMs) }
  const deadline = timeOf('deadline', request.deadline)
  if (deadline <= now) throw invalid('deadline', 'deadline is in the past: send a time in the future')
  if (deadline > to) throw invalid('deadline', 'deadline must not be after to: nothing would be left of the window')
  if (deadline - now > DAY_MS) throw invalid('deadline', 'deadline is more than 24 hours ahead: send an earlier one')
  if (from + (request.staggerSeconds ?? 0) * 1000 >= to) {
    throw invalid(
      'staggerSeconds',
      'staggerSeconds leaves the last datapoint no time: send a smaller number or a later to',
    )
  }
  return { from, to, deadline }
}

/** Returns the value and the start of each selected datapoint. Throws `invalid` with the field. Pure. */
export function planTargets(
  request: DispatchRequest,
  { from }: Window,
  selected: readonly SelectedDatapoint[],
): PlannedTarget[] {
  const { value, totalKw, staggerSeconds = 0 } = request
  if ((value === undefined) === (totalKw === undefined)) {
    throw invalid('value', 'send either value, for every datapoint, or totalKw, to be split')
  }
  requireSelection(request.select, selected)
  const values = totalKw === undefined ? undefined : splitTotal(totalKw, selected)
  return selected.map(({ id, deviceId, siteId }, index) => ({
    deviceId,
    siteId,
    datapointId: id,
    value: values?.[index] ?? value ?? 0,
    from: from + Math.floor((index * staggerSeconds * 1000) / selected.length),
  }))
}

function requireSelection(select: Selector, selected: readonly SelectedDatapoint[]): void {
  if (selected.length === 0) {
    throw invalid('select', 'no writable datapoint that you may control matches the selection: check ids and tags')
  }
  if (selected.length > MAX_TARGETS) {
    throw invalid('select', `the selection has more than ${MAX_TARGETS} datapoints: split it into several dispatches`)
  }
  if (select.tags || select.datapointIds) return
  // One value for a valve, a temperature and a battery is never meant.
  const seen = new Set<string>()
  for (const { deviceId } of selected) {
    if (seen.has(deviceId)) {
      throw invalid(
        'select',
        `device ${shown(deviceId)} has several writable datapoints: select them by tags or datapointIds`,
      )
    }
    seen.add(deviceId)
  }
}

/** True when a value is outside what the datapoint was commissioned for. */
export function isOutsideEnvelope({ min, max }: SelectedDatapoint, value: number): boolean {
  return (min !== null && value < min) || (max !== null && value > max)
}

/** The same for the same request, however its times are written and in whichever order ids and tags are. Pure. */
export function requestHash(request: DispatchRequest): string {
  const { select, value, totalKw, from, to, deadline, staggerSeconds = 0, reason } = request
  const set = (items: readonly string[] | undefined) => items && [...new Set(items)].toSorted()
  const selector = [select.deviceIds, select.siteIds, select.tags, select.datapointIds].map((part) => set(part) ?? null)
  const times = [from, to, deadline].map((text) => (text === undefined ? null : parseTimestamp(text)))
  return hash('sha256', JSON.stringify([selector, value, totalKw, times, staggerSeconds, reason]))
}

/**
 * The reqId of a target: always the same, so that a controller carries it out once however often it is sent. It is a UUID
 * of version 8, which is for hashes. `round` grows when a total is split again.
 */
export function targetReqId(dispatchId: string, datapointId: string, round = 0): string {
  const digest = hash('sha256', JSON.stringify([dispatchId, datapointId, ...(round > 0 ? [round] : [])]))
  const variant = ((Number.parseInt(digest.slice(16, 17), 16) & 3) | 8).toString(16)
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-')
}

function timeOf(field: string, text: string): number {
  const time = parseTimestamp(text)
  if (time === undefined) throw invalid(field, `${field} must be a time with a zone`)
  return time
}

const invalid = (field: string, message: string) => new Failure('invalid', message, field)
