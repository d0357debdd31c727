import type { ReportEntry } from '@plantroom/contract/reports'
import { SETPOINTS, type SetpointName, type Setpoints } from './override-setpoints.ts'

/** What the design allows after the end of a window. */
const LIVE_MS = 2_000
const AFTER_BOOT_MS = 5_000

/** An override as its caller knows it. Those of one datapoint are sent one after the other, and so accepted in this order. */
export interface Sent {
  name: SetpointName
  reqId: string
  value: number
  from: number
  to: number
  /** Missing as long as nobody has said yes or no. */
  answer?: { id: string } | 'refused'
  cancelSent?: true
  /** From when on its caller knows that it is cancelled. */
  cancelledAt?: number
}

/** One look at the equipment, somewhere between two times. */
export interface Sample {
  began: number
  ended: number
  setpoints: Setpoints
  /** Since when the device is up; infinity when it is down. */
  upSince: number
}

/** What has to stand in a register now, as far as the caller knows. */
export function expectedAt(time: number, name: SetpointName, sent: readonly Sent[], plain: Setpoints): number {
  const ruling = sent.findLast(
    (it) => it.name === name && isTaken(it) && !it.cancelSent && it.from <= time && time < it.to,
  )
  return ruling?.value ?? plain[name]
}

/** What a look at the equipment has shown that must never be seen. */
export function wrongIn(sample: Sample, sent: readonly Sent[], plain: Setpoints): string[] {
  return SETPOINTS.flatMap((name) => {
    const value = sample.setpoints[name]
    if (value === plain[name]) return []
    const source = sent.find((it) => it.name === name && it.value === value)
    if (!source) return [`${name} is at ${value}, which nobody asked for`]
    if (source.answer === 'refused') return [`${name} is at ${value}, which was refused`]
    if (sample.ended < source.from) return [`${name} is at ${value} before its window`]
    const end = Math.min(source.to, source.cancelledAt ?? source.to)
    const late = sample.began - Math.max(end + LIVE_MS, sample.upSince + AFTER_BOOT_MS)
    return late > 0 ? [`${name} is at ${value}, ${late} ms after the latest that it may be held`] : []
  })
}

/**
 * What is wrong with the audit when all is over: for each datapoint one writer after the other, from the plain value back
 * to it; for each override `applied` and `released` in turn; under each reqId one override, the one that its caller knows.
 */
export function wrongInAudit(
  entries: readonly ReportEntry[],
  sent: readonly Sent[],
  datapoints: readonly { name: SetpointName; id: string; plain: number; seen: ReadonlySet<number> }[],
): string[] {
  const problems: string[] = []
  for (const { name, id, plain, seen } of datapoints) {
    let value: ReportEntry['value'] = plain
    let holder: string | null = null
    const ofDatapoint = entries.filter((entry) => entry.datapointId === id && !isCalledOff(entry, entries))
    for (const [index, entry] of ofDatapoint.entries()) {
      const say = (what: string) => problems.push(`${name}, seq ${entry.seq}: ${what}`)
      if (entry.phase === 'applied') {
        if (holder) say(`applied while ${holder} holds it`)
        // Where it was over before the equipment was asked, nobody knows.
        const neverAsked = entry.valueBefore === null && entry.readBack === null
        if (entry.valueBefore !== value && !neverAsked) say(`was at ${value} before, not at ${entry.valueBefore}`)
        if (!sent.some((it) => isAbout(entry, it) && it.value === entry.value)) say('nobody asked for this')
        holder = entry.overrideId
        value = entry.value
      } else if (entry.phase === 'released') {
        if (holder !== entry.overrideId) say(`released by ${entry.overrideId}, held by ${holder}`)
        const next = ofDatapoint[index + 1]
        // `null`: it was over before anything was written.
        if (entry.value === plain || entry.value === null) value = plain
        else if (next?.phase !== 'applied' || next.value !== entry.value)
          say(`released to ${entry.value}: who is that?`)
        holder = null
      } else say(entry.phase)
      if (entry.readBack !== null && entry.readBack !== entry.value) say(`read back ${entry.readBack}`)
    }
    if (holder) problems.push(`${name}: ${holder} was never released`)
    const applied = new Set(ofDatapoint.filter(({ phase }) => phase === 'applied').map(({ value }) => value))
    for (const value of seen) if (!applied.has(value)) problems.push(`${name} was at ${value}, which the audit has not`)
  }
  return problems
}

const isTaken = ({ answer }: Sent) => answer !== undefined && answer !== 'refused'

function isAbout({ overrideId, reqId }: ReportEntry, { answer, reqId: asked }: Sent): boolean {
  return reqId === asked && typeof answer === 'object' && answer.id === overrideId
}

/** The end of a window that was cancelled before its time came. */
function isCalledOff(entry: ReportEntry, among: readonly ReportEntry[]): boolean {
  const { phase, reason, valueBefore, value, overrideId } = entry
  if (phase !== 'released' || reason !== 'cancelled' || valueBefore !== null || value !== null) return false
  return !among.some((other) => other.phase === 'applied' && other.overrideId === overrideId)
}
