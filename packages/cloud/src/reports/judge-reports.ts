import { REPORT_CODES, REPORT_PHASES, REPORT_REASONS, type ReportEntry } from '@plantroom/contract/reports'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import type { Judged } from '../broker/intake.ts'
import { isStorable } from '../db/storable.ts'

/** A value with all its digits has far fewer. */
const MAX_DIGITS = 100

/**
 * Takes a batch apart as data from outside. An entry that is not right is left out, with the reason. `undefined` when
 * there is nothing that a confirmation could name.
 */
export function judgeReports(deviceId: string, batch: unknown): Judged<readonly ReportEntry[]> | undefined {
  const entries = (batch as { entries?: unknown } | null | undefined)?.entries
  if (!Array.isArray(entries)) return undefined
  const upTo = entries.map(seqOf).findLast((seq) => seq !== undefined)
  if (upTo === undefined) return undefined

  const kept: ReportEntry[] = []
  const leftOut: string[] = []
  for (const entry of entries) {
    const problem = problemOf(deviceId, entry)
    if (problem === undefined) kept.push(entry)
    else leftOut.push(`seq ${seqOf(entry) ?? 'unknown'}: ${problem}`)
  }
  return { kept, upTo, leftOut }
}

function seqOf(entry: unknown): number | undefined {
  const seq = (entry as { seq?: unknown } | null | undefined)?.seq
  return Number.isSafeInteger(seq) && (seq as number) >= 0 ? (seq as number) : undefined
}

/** What is wrong with an entry; `undefined` when it is right. */
function problemOf(deviceId: string, entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null) return 'it is no object'
  const fields = entry as Record<string, unknown>
  if (fields.deviceId !== deviceId) return 'deviceId is not the device that sent it'
  const wrong = Object.entries(RULES).find(([name, isRight]) => !isRight(fields[name]))
  return wrong && `${wrong[0]} is not right`
}

const isOneOf = (allowed: readonly string[]) => (value: unknown) => allowed.some((one) => one === value)
const isIdOrNull = (value: unknown) => value === null || isStorable(value)
const isTime = (value: unknown) => typeof value === 'string' && (parseTimestamp(value) ?? -1) >= 0
const isValue = (value: unknown) => value === null || Number.isFinite(value) || isStorable(value, MAX_DIGITS)

/** Not name, title, group and level: they are those of the code, whatever the entry says. */
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
  seq: (value) => seqOf({ seq: value }) !== undefined,
}
