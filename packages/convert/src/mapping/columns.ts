import type { SourceAnalysis } from '@plantroom/contract/conversion'
import { shown } from '@plantroom/contract/shown'
import type { SourceRecord } from '../source.ts'
import { readAddress } from '../text/addresses.ts'
import { doubtfulNumbers, readDate } from '../text/dates.ts'
import { type Zone, zoneOf } from '../text/zone.ts'

const UTC = zoneOf('UTC') as Zone
/** So many different values are a list of choices, whatever the column is called. More are one if they repeat often. */
const FEW = 50
const REPEATED = 10
/** So many are remembered until it shows whether they repeat. */
const EARLY = 500
/** Bounds of the values that are remembered: of one column, and of all whose header does not say that it is a list. */
const MOST_VALUES = 10_000
const LONGEST_VALUE = 200
const COLUMN_CHARACTERS = 400_000
const OTHER_CHARACTERS = 400_000
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
  /** The first date of the last kind. */
  doubtfulDate: string | undefined
  /** Dates that name no zone. */
  zoneless: number
  /** True for a column that may be an id, while no value has occurred twice. */
  isUnique: boolean
  /** True if its header says that its values are choices: all of them must be listed. */
  readonly isList: boolean
  /** Values with their counts; undefined for a column that is no list of choices. */
  values: Map<string, number> | undefined
  /** Different or repeated values that exceed the bounds of a list. */
  unlisted: number
  readonly samples: string[]
}

/** Reads records and collects what their columns look like. */
export interface ColumnStudy {
  readonly records: () => number
  readonly columns: () => readonly ColumnFacts[]
  /** The dates of comments, as if they were a column. */
  readonly commentDates: ColumnFacts
  add(record: SourceRecord): void
}

/** A column under study, with what is not needed at the end. */
interface Studied extends ColumnFacts {
  readonly seen: Set<string>
  /** The characters that its list still takes. */
  readonly room: { characters: number }
}

/** What headers say: for which columns it pays to remember all values. */
export interface HeaderHints {
  mayBeId(name: string): boolean
  isList(name: string): boolean
}

export function createColumnStudy(known: readonly string[], hints: HeaderHints): ColumnStudy {
  const columns = new Map<string, Studied>()
  const shared = { characters: OTHER_CHARACTERS }
  const factsOf = (name: string) => {
    let facts = columns.get(name)
    if (!facts) {
      const isList = hints.isList(name)
      const room = isList ? { characters: COLUMN_CHARACTERS } : shared
      facts = { ...emptyFacts(name, isList), isUnique: hints.mayBeId(name), seen: new Set(), room }
      columns.set(name, facts)
    }
    return facts
  }
  for (const name of known) factsOf(name)
  const commentDates = emptyFacts('comments')
  let records = 0
  return {
    commentDates,
    records: () => records,
    columns: () => [...columns.values()],
    add({ values, comments }) {
      records += 1
      for (const [name, value] of values) study(factsOf(name), value.trim())
      for (const { createdAt } of comments) {
        commentDates.filled += 1
        if (createdAt !== undefined) studyKinds(commentDates, createdAt.trim())
      }
    },
  }
}

function emptyFacts(name: string, isList = false): ColumnFacts {
  const order = { dayFirst: 0, monthFirst: 0, doubtful: 0 }
  const none = { filled: 0, dates: 0, emails: 0, integers: 0, longTexts: 0, zoneless: 0 }
  return {
    name,
    ...none,
    order,
    doubtfulDate: undefined,
    isUnique: true,
    isList,
    values: new Map(),
    unlisted: 0,
    samples: [],
  }
}

function study(facts: Studied, value: string): void {
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
  if (facts.values) list(facts, facts.values, value)
}

function list(facts: Studied, values: Map<string, number>, value: string): void {
  const count = values.get(value) ?? 0
  const hasRoom = facts.room.characters > value.length || (!facts.isList && values.size < FEW)
  const isBounded = value.length <= LONGEST_VALUE && values.size < MOST_VALUES && hasRoom
  if (count === 0 && !facts.isList) {
    const isChoice = value.length <= SHOWN && (values.size < EARLY || repeats(values, facts))
    if (!isChoice || !isBounded) {
      for (const known of values.keys()) facts.room.characters += known.length + 1
      facts.values = undefined
      return
    }
  }
  if (count === 0 && !isBounded) {
    facts.unlisted += 1
    return
  }
  if (count === 0) facts.room.characters -= value.length + 1
  values.set(value, count + 1)
}

const repeats = ({ size }: ReadonlyMap<string, number>, { filled }: ColumnFacts) =>
  size < FEW || size * REPEATED <= filled

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
  else if (pair[0] !== pair[1]) {
    facts.order.doubtful += 1
    facts.doubtfulDate ??= value
  }
}

/** Returns what a person sees of the columns, to edit a mapping. */
export function describeColumns(columns: readonly ColumnFacts[]): SourceAnalysis['columns'] {
  return columns.map((facts) => {
    const { name, filled, samples, values } = facts
    const isFew = (all: ReadonlyMap<string, number>) =>
      repeats(all, facts) && (all.size < filled || all.size <= MOST_SAMPLES)
    const isList = values !== undefined && values.size > 0 && (facts.isList || isFew(values))
    const sorted = isList ? [...values].sort(([, a], [, b]) => b - a) : []
    return {
      name,
      filled,
      samples,
      ...(isList && { values: sorted.map(([value, count]) => ({ value: shown(value, LONGEST_VALUE), count })) }),
    }
  })
}
