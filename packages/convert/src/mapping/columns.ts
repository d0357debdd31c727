import type { SourceAnalysis } from '@plantroom/contract/conversion'
import { shown } from '@plantroom/contract/shown'
import type { SourceRecord } from '../source.ts'
import { readAddress } from '../text/addresses.ts'
import { doubtfulNumbers, readDate } from '../text/dates.ts'
import { type Zone, zoneOf } from '../text/zone.ts'

const UTC = zoneOf('UTC') as Zone
const MOST_LISTED = 50
const MOST_SAMPLES = 5
const SHOWN = 100
const LONGEST_DATE = 45
/** A column without a date among this many values has none. */
const ENOUGH = 500
const MOST_REMEMBERED = 200_000

/** What the values of one column look like. */
export interface ColumnFacts {
  readonly name: string
  filled: number
  /** Values that are dates, addresses, whole numbers. */
  dates: number
  emails: number
  integers: number
  /** Values with a line break or of more than 100 characters. */
  longTexts: number
  /** Dates whose first or second number exceeds 12, and dates in which neither does. */
  readonly order: { dayFirst: number; monthFirst: number; doubtful: number }
  /** Dates that name no zone. */
  zoneless: number
  /** True for a column that may be an id, while no value has occurred twice. */
  isUnique: boolean
  /** Values with their counts; undefined once there are too many. */
  values: Map<string, number> | undefined
  readonly samples: string[]
}

/** Reads records and collects what their columns look like. */
export interface ColumnStudy {
  readonly records: () => number
  readonly columns: () => readonly ColumnFacts[]
  add(record: SourceRecord): void
}

/** `mayBeId` says for which columns it pays to remember all values. */
export function createColumnStudy(known: readonly string[], mayBeId: (name: string) => boolean): ColumnStudy {
  const columns = new Map<string, ColumnFacts & { seen: Set<string> }>()
  const factsOf = (name: string) => {
    let facts = columns.get(name)
    if (!facts) {
      facts = { ...emptyFacts(name), isUnique: mayBeId(name), seen: new Set() }
      columns.set(name, facts)
    }
    return facts
  }
  for (const name of known) factsOf(name)
  let records = 0
  return {
    records: () => records,
    columns: () => [...columns.values()],
    add({ values }) {
      records += 1
      for (const [name, value] of values) study(factsOf(name), value.trim())
    },
  }
}

function emptyFacts(name: string): ColumnFacts {
  const order = { dayFirst: 0, monthFirst: 0, doubtful: 0 }
  const none = { filled: 0, dates: 0, emails: 0, integers: 0, longTexts: 0, zoneless: 0 }
  return { name, ...none, order, isUnique: true, values: new Map(), samples: [] }
}

function study(facts: ColumnFacts & { seen: Set<string> }, value: string): void {
  facts.filled += 1
  if (value.length > SHOWN || value.includes('\n')) facts.longTexts += 1
  studyKinds(facts, value)
  if (facts.isUnique && facts.seen.size < MOST_REMEMBERED) {
    facts.isUnique = !facts.seen.has(value)
    if (facts.isUnique && value.length <= 255) facts.seen.add(value)
    else facts.seen.clear()
  }
  if (facts.samples.length < MOST_SAMPLES) {
    const sample = shown(value.slice(0, 2 * SHOWN).replaceAll(/\s+/g, ' '), SHOWN)
    if (!facts.samples.includes(sample)) facts.samples.push(sample)
  }
  if (!facts.values) return
  if (value.length > SHOWN || (facts.values.size === MOST_LISTED && !facts.values.has(value))) facts.values = undefined
  else facts.values.set(value, (facts.values.get(value) ?? 0) + 1)
}

function studyKinds(facts: ColumnFacts, value: string): void {
  if (/^-?\d{1,15}$/.test(value)) facts.integers += 1
  if (value.includes('@') && (facts.emails > 0 || facts.filled <= ENOUGH)) {
    if (readAddress(value)) facts.emails += 1
  }
  if (value.length > LONGEST_DATE || !/\d/.test(value)) return
  // Ids and counts are no dates, but a column of dates needs a look at all of them.
  if (facts.dates === 0 && facts.filled > ENOUGH) return
  const pair = doubtfulNumbers(value)
  const reading = { zone: UTC, order: pair && pair[1] > 12 ? 'mdy' : 'dmy' } as const
  const moment = readDate(value, reading)
  if (moment === undefined) return
  facts.dates += 1
  if (!/[zZ]$|[+-]\d{2}:?\d{2}\)?$|\b(?:UTC|GMT)\b|^\d{9,14}$/.test(value)) facts.zoneless += 1
  if (!pair) return
  if (pair[0] > 12) facts.order.dayFirst += 1
  else if (pair[1] > 12) facts.order.monthFirst += 1
  else if (pair[0] !== pair[1]) facts.order.doubtful += 1
}

/** Returns what a person sees of the columns, to edit a mapping. */
export function describeColumns(columns: readonly ColumnFacts[]): SourceAnalysis['columns'] {
  return columns.map(({ name, filled, samples, values }) => {
    const isList = values !== undefined && values.size > 0 && (values.size < filled || values.size <= MOST_SAMPLES)
    const sorted = isList ? [...values].sort(([, a], [, b]) => b - a) : []
    return {
      name,
      filled,
      samples,
      ...(isList && { values: sorted.map(([value, count]) => ({ value: shown(value, SHOWN), count })) }),
    }
  })
}
