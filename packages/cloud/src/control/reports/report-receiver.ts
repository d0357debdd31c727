import { isSignedBy } from '@plantroom/base/audit-key'
import type { Log } from '@plantroom/base/log'
import { sha256 } from '@plantroom/base/sha256'
import { OutputTestResult } from '@plantroom/contract/output-test'
import { LimitInterval } from '@plantroom/contract/power-limit'
import { readIfValid } from '@plantroom/contract/read'
import {
  type EntrySignature,
  REPORT_CODES,
  REPORT_PHASES,
  REPORT_REASONS,
  SourceInCharge,
} from '@plantroom/contract/reports'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import type { SigningDevice } from '../../organization/activity/index.ts'
import {
  type BatchReceiver,
  createBatchReceiver,
  type DeviceBus,
  type Intake,
  type ReadBatch,
} from '../../platform/broker/index.ts'
import { isStorable } from '../../platform/db/storable-text.ts'
import type { ChainLink, ChainStore } from './chain-store.ts'
import type { Place, ReceivedEntry, ReportStore } from './report-store.ts'

/** Far more than any number needs. */
const MAX_DIGITS = 100
/** Far more than any entry needs. */
const MAX_ENTRY_CHARACTERS = 20_000

interface ReportStores {
  store: Pick<ReportStore, 'add'>
  chain: Pick<ChainStore, 'add'>
  /** Records the keys of devices where they are not the ones recorded last. Must be the last step. */
  recordKeys(given: readonly SigningDevice[]): Promise<void>
}

export interface ReportReceiverDeps {
  bus: Pick<DeviceBus, 'send'>
  /** Everything that `work` stores is committed together. */
  inOneCommit<Result>(work: (stores: ReportStores) => Promise<Result>): Promise<Result>
  findDevice(deviceId: string): (Place & { name?: string }) | undefined
  intake?: Intake | undefined
  log: Log
}

/** Stores each audit entry once, and confirms it to its device. */
export function createReportReceiver(deps: ReportReceiverDeps): BatchReceiver {
  const { bus, inOneCommit, findDevice, intake, log } = deps
  /** The key of each device that is recorded as far as this process knows. */
  const recorded = new Map<string, string>()
  return createBatchReceiver({
    kind: 'reports',
    bus,
    log,
    intake,
    read(deviceId, batch) {
      const read = readReportBatch(deviceId, batch)
      return read && { ...read, items: { entries: read.items, signed: signatureOf(batch), upTo: read.upTo } }
    },
    async store(batches) {
      const { added, signing } = await inOneCommit((stores) => storeAll(stores, batches))
      for (const { device, key } of signing) recorded.set(device.id, key)
      return added
    },
  })

  async function storeAll({ store, chain, recordKeys }: ReportStores, batches: readonly ReceivedBatch[]) {
    let added = 0
    const signing: SigningDevice[] = []
    // In one order in all processes: two that store the same would otherwise wait for each other.
    for (const { deviceId, items } of batches.toSorted(byDevice)) {
      const place = findDevice(deviceId)
      if (!place) throw new Error('the device no longer exists')
      const { entries, signed, upTo } = items
      // Both ignore what they already have, so a device that repeats a batch completes it.
      await chain.add(place.organizationId, deviceId, linksOf(entries, signed, upTo))
      added += await store.add(place, entries)
      if (signed && signed.key !== recorded.get(deviceId) && signs(signed, entries, upTo)) {
        signing.push({ device: { ...place, id: deviceId }, key: signed.key })
      }
    }
    if (signing.length > 0) await recordKeys(signing)
    return { added, signing }
  }
}

interface ReceivedBatch {
  deviceId: string
  items: { entries: readonly ReceivedEntry[]; signed: EntrySignature | undefined; upTo: number }
}

const byDevice = (a: { deviceId: string }, b: { deviceId: string }) => (a.deviceId < b.deviceId ? -1 : 1)

/**
 * Validates a batch of entries from a device. Rejects invalid entries with the reason. Returns `undefined` when no entry
 * has a position that could be confirmed.
 */
export function readReportBatch(deviceId: string, batch: unknown): ReadBatch<readonly ReceivedEntry[]> | undefined {
  const entries = (batch as { entries?: unknown } | null | undefined)?.entries
  if (!Array.isArray(entries)) return undefined
  const upTo = entries.map(seqOf).findLast((seq) => seq !== undefined)
  if (upTo === undefined) return undefined

  const items: ReceivedEntry[] = []
  const rejected: string[] = []
  for (const entry of entries) {
    const problem = problemOf(deviceId, entry)
    if (problem === undefined) items.push(entry)
    else rejected.push(`seq ${seqOf(entry) ?? 'unknown'}: ${problem}`)
  }
  return { items, rows: items.length, upTo, rejected }
}

/** Reports whether a signature is one over the last entry: a key that did not sign it is not recorded. */
function signs(signed: EntrySignature, entries: readonly ReceivedEntry[], upTo: number): boolean {
  const last = entries.find(({ seq }) => seq === upTo)
  return last !== undefined && isSignedBy(signed, sha256(JSON.stringify(last)))
}

/** Entries keep the exact text that the device wrote: it is JSON of JavaScript, which survives being read and written. */
function linksOf(entries: readonly ReceivedEntry[], signed: EntrySignature | undefined, upTo: number): ChainLink[] {
  return entries.map((entry) => ({
    id: entry.id,
    entry: JSON.stringify(entry),
    signed: entry.seq === upTo ? signed : undefined,
  }))
}

function signatureOf(batch: unknown): EntrySignature | undefined {
  const { key, signature } = (batch as { signed?: Partial<Record<keyof EntrySignature, unknown>> }).signed ?? {}
  return isStorable(key) && isStorable(signature) ? { key, signature } : undefined
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
  if (JSON.stringify(fields).length > MAX_ENTRY_CHARACTERS) return 'it is too long'
  const invalid = Object.entries(RULES).find(([name, isValid]) => !isValid(fields[name]))
  if (invalid) return `${invalid[0]} is invalid`
  if (fields.phase === 'interval' && !isInterval(fields.interval)) return 'interval is invalid'
  if (fields.inCharge !== undefined && !isInCharge(fields.inCharge)) return 'inCharge is invalid'
  return fields.phase === 'tested' && !isTest(fields.test) ? 'test is invalid' : undefined
}

function isTest(value: unknown): boolean {
  const test = readIfValid(OutputTestResult, value)
  return test !== undefined && isIdOrNull(test.meterId)
}

function isInCharge(value: unknown): boolean {
  const inCharge = readIfValid(SourceInCharge, value)
  return inCharge !== undefined && isValue(inCharge.value)
}

/** Reports whether a value is an interval of a power limit. */
function isInterval(value: unknown): boolean {
  const interval = readIfValid(LimitInterval, value)
  return (
    interval !== undefined &&
    isTime(interval.from) &&
    isTime(interval.to) &&
    interval.moved.every((id) => isStorable(id))
  )
}

function isSeq(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

const isOneOf = (allowed: readonly string[]) => (value: unknown) => allowed.some((one) => one === value)
const isIdOrNull = (value: unknown) => value === null || isStorable(value)
const isTime = (value: unknown) => typeof value === 'string' && (parseTimestamp(value) ?? -1) >= 0
const isValue = (value: unknown) => value === null || Number.isFinite(value) || isStorable(value, MAX_DIGITS)

/**
 * Without name, title, group and level, which follow from the code, and without the callers, which are free text: a
 * caller must not be able to keep an entry out of the audit.
 */
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
