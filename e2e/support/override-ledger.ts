import type { ReportEntry } from '@plantroom/contract/reports'
import { SETPOINTS, type SetpointName, type Setpoints } from './override-setpoints.ts'

/** Longest time that an override may be held after its end. */
const LIVE_MS = 2_000
const AFTER_BOOT_MS = 5_000

/** An override as its caller knows it. The overrides of one datapoint are sent and accepted in this order. */
export interface Sent {
  name: SetpointName
  reqId: string
  value: number
  from: number
  to: number
  /** Missing until the controller has accepted or refused it. */
  answer?: { id: string } | 'refused'
  cancelSent?: true
  /** Time at which the caller knew that it is cancelled. */
  cancelledAt?: number
}

/** One reading of the equipment, taken between `began` and `ended`. */
export interface Sample {
  began: number
  ended: number
  setpoints: Setpoints
  /** Start of the controller; infinity while it is down. */
  upSince: number
}

/** Returns the value that a register must have, as far as the caller knows. */
export function expectedAt(time: number, name: SetpointName, sent: readonly Sent[], plain: Setpoints): number {
  const active = sent.findLast(
    (it) => it.name === name && isTaken(it) && !it.cancelSent && it.from <= time && time < it.to,
  )
  return active?.value ?? plain[name]
}

/** Lists the values in a sample that violate an invariant. */
export function wrongIn(sample: Sample, sent: readonly Sent[], plain: Setpoints): string[] {
  return SETPOINTS.flatMap((name) => {
    const value = sample.setpoints[name]
    if (value === plain[name]) return []
    const source = sent.find((it) => it.name === name && it.value === value)
    if (!source) return [`${name} is at ${value}, which no caller sent`]
    if (source.answer === 'refused') return [`${name} is at ${value}, which was refused`]
    if (sample.ended < source.from) return [`${name} is at ${value} before its start`]
    const end = Math.min(source.to, source.cancelledAt ?? source.to)
    const late = sample.began - Math.max(end + LIVE_MS, sample.upSince + AFTER_BOOT_MS)
    return late > 0 ? [`${name} is at ${value}, ${late} ms after the latest that it may be held`] : []
  })
}

interface AuditedDatapoint {
  name: SetpointName
  id: string
  plain: number
  /** Every sampled value of the register. */
  seen: ReadonlySet<number>
}

/**
 * Lists the errors in the audit after all overrides have ended. Each accepted override has one `released` entry and, if it was
 * ever active, one `applied` entry before it. The values lead from the plain value back to it without a gap.
 */
export function wrongInAudit(
  entries: readonly ReportEntry[],
  sent: readonly Sent[],
  datapoints: readonly AuditedDatapoint[],
): string[] {
  const accepted = sent.flatMap(({ answer }) => (typeof answer === 'object' ? [answer.id] : []))
  const closings = entries.filter(({ phase }) => phase === 'released').map(({ overrideId }) => overrideId)
  const unclosed = accepted
    .filter((id) => closings.filter((closed) => closed === id).length !== 1)
    .map((id) => `${id} does not have exactly one closing entry`)
  return [...unclosed, ...datapoints.flatMap((datapoint) => wrongInChain(entries, sent, datapoint))]
}

function wrongInChain(all: readonly ReportEntry[], sent: readonly Sent[], datapoint: AuditedDatapoint): string[] {
  const { name, id, plain, seen } = datapoint
  const entries = all.filter((entry) => entry.datapointId === id)
  const problems: string[] = []
  /** Applied and not released; the last one holds the datapoint. */
  let open: ReportEntry[] = []
  let value: ReportEntry['value'] = plain
  for (const [index, entry] of entries.entries()) {
    const say = (what: string) => problems.push(`${name}, seq ${entry.seq}: ${what}`)
    const holds = open.at(-1)?.overrideId === entry.overrideId
    if (entry.phase === 'applied') {
      // If the override ended before the equipment was read, the value before it is unknown.
      const neverAsked = entry.valueBefore === null && entry.readBack === null
      if (entry.valueBefore !== value && !neverAsked) say(`was at ${value} before, not at ${entry.valueBefore}`)
      if (!sent.some((it) => isAbout(entry, it) && it.value === entry.value)) say('no caller sent this')
      open.push(entry)
      value = entry.value
    } else if (entry.phase === 'released') {
      open = open.filter(({ overrideId }) => overrideId !== entry.overrideId)
      const below = open.at(-1)?.value ?? plain
      const next = entries[index + 1]
      const takesOver = next?.phase === 'applied' && next.value === entry.value
      if (!holds && entry.value !== null) say(`released to ${entry.value}, though it did not hold it`)
      if (holds && entry.value !== null && entry.value !== below && !takesOver) say(`released to ${entry.value}`)
      if (holds && !takesOver) value = entry.value ?? below
    } else say(entry.phase)
    if (entry.readBack !== null && entry.readBack !== entry.value) say(`read back ${entry.readBack}`)
  }
  for (const { overrideId } of open) problems.push(`${name}: ${overrideId} was never released`)
  const applied = new Set(entries.filter(({ phase }) => phase === 'applied').map((entry) => entry.value))
  for (const one of seen) if (!applied.has(one)) problems.push(`${name} was at ${one}, which is missing in the audit`)
  return problems
}

const isTaken = ({ answer }: Sent) => answer !== undefined && answer !== 'refused'

function isAbout({ overrideId, reqId }: ReportEntry, { answer, reqId: asked }: Sent): boolean {
  return reqId === asked && typeof answer === 'object' && answer.id === overrideId
}
