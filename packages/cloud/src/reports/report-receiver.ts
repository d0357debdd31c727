import type { Log } from '@plantroom/base/log'
import { REPORT_CODES, REPORT_PHASES, REPORT_REASONS, type ReportEntry } from '@plantroom/contract/reports'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import { type BatchReceiver, createBatchReceiver, type DeviceBus, type ReadBatch } from '../broker/index.ts'
import { isStorable } from '../db/storable-text.ts'
import type { Place, ReportStore } from './report-store.ts'

/** Far more than any number needs. */
const MAX_DIGITS = 100

export interface ReportReceiverDeps {
  bus: Pick<DeviceBus, 'send'>
  store: Pick<ReportStore, 'add'>
  findDevice(deviceId: string): Place | undefined
  log: Log
}

/** Stores each audit entry once, and confirms it to its device. */
export function createReportReceiver(deps: ReportReceiverDeps): BatchReceiver {
  const { bus, store, findDevice, log } = deps
  return createBatchReceiver({
    kind: 'reports',
    bus,
    log,
    read: readReportBatch,
    async store(deviceId, entries) {
      const place = findDevice(deviceId)
      if (!place) throw new Error('the device no longer exists')
      return store.add(place, entries)
    },
  })
}

/**
 * Validates a batch of entries from a device. Rejects invalid entries with the reason. Returns `undefined` when no entry
 * has a position that could be confirmed.
 */
export function readReportBatch(deviceId: string, batch: unknown): ReadBatch<readonly ReportEntry[]> | undefined {
  const entries = (batch as { entries?: unknown } | null | undefined)?.entries
  if (!Array.isArray(entries)) return undefined
  const upTo = entries.map(seqOf).findLast((seq) => seq !== undefined)
  if (upTo === undefined) return undefined

  const items: ReportEntry[] = []
  const rejected: string[] = []
  for (const entry of entries) {
    const problem = problemOf(deviceId, entry)
    if (problem === undefined) items.push(entry)
    else rejected.push(`seq ${seqOf(entry) ?? 'unknown'}: ${problem}`)
  }
  return { items, upTo, rejected }
}

function seqOf(entry: unknown): number | undefined {
  const seq = typeof entry === 'object' && entry !== null && 'seq' in entry ? entry.seq : undefined
  return isSeq(seq) ? seq : undefined
}

/** Returns what is wrong with an entry; `undefined` when it is valid. */
function problemOf(deviceId: string, entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null) return 'not an object'
  const fields = entry as Record<string, unknown>
  if (fields.deviceId !== deviceId) return 'deviceId is not the sending device'
  const invalid = Object.entries(RULES).find(([name, isValid]) => !isValid(fields[name]))
  return invalid && `${invalid[0]} is invalid`
}

function isSeq(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

const isOneOf = (allowed: readonly string[]) => (value: unknown) => allowed.some((one) => one === value)
const isIdOrNull = (value: unknown) => value === null || isStorable(value)
const isTime = (value: unknown) => typeof value === 'string' && (parseTimestamp(value) ?? -1) >= 0
const isValue = (value: unknown) => value === null || Number.isFinite(value) || isStorable(value, MAX_DIGITS)

/** Without name, title, group and level: those follow from the code. */
const RULES: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: (value) => isStorable(value),
  code: (value) => typeof value === 'number' && Object.hasOwn(REPORT_CODES, value),
  at: isTime,
  technicalSystemId: (value) => isStorable(value),
  connectionId: (value) => isStorable(value),
  datapointId: (value) => isStorable(value),
  overrideId: isIdOrNull,
  reqId: isIdOrNull,
  phase: isOneOf(REPORT_PHASES),
  reason: isOneOf(REPORT_REASONS),
  valueBefore: isValue,
  value: isValue,
  readBack: isValue,
  seq: isSeq,
}
