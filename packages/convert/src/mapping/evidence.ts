import type { TicketState } from '@plantroom/contract/request-fields'
import type { Source, SourceRecord } from '../source.ts'
import { readDate } from '../text/dates.ts'
import type { CompiledMapping } from './compile.ts'

/** The share of the requests of one status that must agree before the status is taken for a state. */
const MOST = 0.9

/** The state that is proven without the name of a status. What the source says counts more than a date. */
export function provenState(evidence: TicketState | undefined, hasResolvedDate: boolean): TicketState | undefined {
  return evidence ?? (hasResolvedDate ? 'resolved' : undefined)
}

/** Finds the states of `unknown` values, from everything else that the source says about the requests that have them. */
export async function statesByEvidence(
  source: Source,
  mapping: CompiledMapping,
  unknown: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<Map<string, TicketState>> {
  const tallies = new Map([...unknown].map((value) => [value, { total: 0, states: new Map<TicketState, number>() }]))
  let records = 0
  for await (const record of source.records()) {
    if (records % 500 === 0) signal?.throwIfAborted()
    records += 1
    const tally = tallies.get(statusOf(record, mapping) ?? '')
    if (!tally) continue
    tally.total += 1
    const proven = provenState(record.evidence, hasResolvedDate(record, mapping))
    if (proven) tally.states.set(proven, (tally.states.get(proven) ?? 0) + 1)
  }
  const found = new Map<string, TicketState>()
  for (const [value, { total, states }] of tallies) {
    for (const [state, count] of states) if (count >= total * MOST) found.set(value, state)
  }
  return found
}

function statusOf({ values }: SourceRecord, mapping: CompiledMapping): string | undefined {
  for (const [name, value] of values) {
    if (value.trim() !== '' && mapping.columnOf(name).target === 'state') return value.trim()
  }
  return undefined
}

function hasResolvedDate({ values }: SourceRecord, mapping: CompiledMapping): boolean {
  for (const [name, value] of values) {
    if (mapping.columnOf(name).target === 'resolvedAt' && readDate(value, mapping.dates)) return true
  }
  return false
}
