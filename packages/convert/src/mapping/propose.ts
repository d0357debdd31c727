import { type DateOrder, type Mapping, TARGETS, type Target } from '@plantroom/contract/conversion'
import { MAPPING_PRESETS } from '@plantroom/contract/conversion-jobs'
import type { ConversionNote, ZoneOrigin } from '@plantroom/contract/conversion-notes'
import type { TicketState } from '@plantroom/contract/request-fields'
import { shown } from '@plantroom/contract/shown'
import { note, noted, notedCounts, quoted } from '../notes.ts'
import { OWN_COLUMNS } from '../parts/own-columns.ts'
import type { SourceKind } from '../source.ts'
import { folded } from '../text/folded.ts'
import { numberIn } from '../text/numbers.ts'
import type { ColumnFacts, HeaderHints } from './columns.ts'
import { PRESETS, type Preset } from './presets.ts'
import { isRecognized } from './recognized.ts'
import { TABLE_HEADERS } from './table-headers.ts'
import { HEADERS, priorityOf, stateOf } from './vocabulary.ts'

/** A mapping to begin with, and what was assumed to make it. */
export interface Proposal {
  readonly mapping: Mapping
  /** Values of the state that are not in the mapping. */
  readonly unknownStates: ReadonlySet<string>
  readonly timeZoneFrom: ZoneOrigin
  readonly notes: readonly ConversionNote[]
}

/** A time zone that the caller knows, and how. */
export interface ProposedZone {
  readonly name: string
  readonly from: 'site' | 'computer' | 'option'
}

/** Targets that several columns may share. */
const SHARED: ReadonlySet<Target> = new Set([
  'description+',
  'notes+',
  'comment',
  'attachments',
  'omit',
  'tags',
  'watchers',
])
const DATES: ReadonlySet<Target> = new Set(['createdAt', 'updatedAt', 'resolvedAt', 'stateChangedAt'])
/** The share of values that must have the form which a field needs. */
const MOST = 0.8

/** What a study found. */
export interface StudiedFacts {
  readonly columns: readonly ColumnFacts[]
  readonly commentDates: ColumnFacts
}

/** What a person says before the mapping is made. */
export interface ProposalOptions {
  readonly preset?: string | undefined
  readonly timeZone?: ProposedZone | undefined
  readonly dateOrder?: DateOrder | undefined
}

/**
 * Proposes a mapping from headers and values, and from the states that evidence gives to unknown values. Throws an error
 * for an unknown preset.
 */
export function proposeMapping(
  kind: SourceKind,
  { columns, commentDates }: StudiedFacts,
  { preset: presetName, timeZone, dateOrder }: ProposalOptions = {},
  evidence: ReadonlyMap<string, TicketState> = new Map(),
): Proposal {
  const preset = presetName === undefined ? undefined : presetOf(presetName)
  const { targets, byValues } = chooseTargets(kind, columns, preset)
  const notes: ConversionNote[] = []
  const byTarget = (target: Target) => columns.filter(({ name }) => targets.get(name) === target)
  const knownStates = { ...kind.defaultMapping?.states, ...preset?.states } as Readonly<Record<string, TicketState>>
  const states = tableOf(byTarget('state'), knownStates, (value) => stateOf(value) ?? evidence.get(value))
  const priorities = tableOf(
    byTarget('priority'),
    { ...kind.defaultMapping?.priorities, ...preset?.priorities },
    numberedPriority(byTarget('priority')),
  )
  if (states.unknown.size > 0) notes.push(note('unknown-states', notedCounts(states.unknown)))
  if (priorities.unknown.size > 0) notes.push(note('unknown-priorities', notedCounts(priorities.unknown)))
  const proven = [...evidence].map(([value, state]) => `${value}: ${state}`)
  if (proven.length > 0) notes.push(note('states-by-evidence', noted(proven)))
  for (const { name, unlisted } of [...byTarget('state'), ...byTarget('priority')]) {
    if (unlisted > 0) notes.push(note('values-unlisted', { subject: quoted(name), count: unlisted }))
  }
  if (byValues.length > 0) notes.push(note('columns-by-values', noted(byValues)))
  const dated = columns.filter(({ name }) => DATES.has(targets.get(name) ?? 'omit'))
  const { order, assumed } = orderOf([...dated, commentDates], dateOrder)
  if (assumed) notes.push(assumed)
  const { name: zone, from } = zoneFor(kind, timeZone)
  if (isAssumed(from) && dated.some(({ zoneless }) => zoneless > 0)) {
    notes.push(note('zone-assumed', { subject: zone, from }))
  }
  if (byTarget('externalId').length === 0) notes.push(note('no-id-column'))
  if (byTarget('title').length === 0) notes.push(note('no-title-column'))
  if (!isRecognized(kind, new Set(targets.values()))) {
    const names = columns.map(({ name }) => name)
    notes.unshift(note('system-unrecognized', { subject: kind.label, ...noted(names) }))
  }
  return {
    notes,
    unknownStates: new Set(states.unknown.keys()),
    timeZoneFrom: from,
    mapping: {
      ...(presetName !== undefined && { preset: presetName }),
      timeZone: zone,
      ...(order && { dateOrder: order }),
      columns: Object.fromEntries(targets),
      states: states.table,
      otherState: 'new',
      stateFromEvidence: true,
      priorities: priorities.table,
    },
  }
}

/** What a person states counts most; then what is known of the system. */
function zoneFor({ defaultMapping }: SourceKind, given: ProposedZone | undefined): { name: string; from: ZoneOrigin } {
  if (given?.from === 'option') return given
  if (defaultMapping?.timeZone !== undefined) return { name: defaultMapping.timeZone, from: 'system' }
  return given ?? { name: 'UTC', from: 'default' }
}

const isAssumed = (from: ZoneOrigin) => from !== 'option' && from !== 'system'

/** Returns what a header says about its column: whether it may contain the ids of the source, or is a list of choices. */
export function headerHints(kind: SourceKind): HeaderHints {
  const tables = [kind.defaultMapping?.columns ?? {}, ...Object.values(PRESETS).map(({ columns }) => columns)]
  const hasHeader = (...targets: readonly Target[]) => {
    const isOne = (target: Target | undefined) => target !== undefined && targets.includes(target)
    const known = tables.flatMap((columns) => Object.keys(columns).filter((name) => isOne(columns[name])))
    const names = new Set([...known, ...targets.flatMap(headersOf)].map(folded))
    return (name: string) => names.has(folded(name))
  }
  return { mayBeId: hasHeader('externalId', 'number'), isList: hasHeader('state', 'priority') }
}

function headersOf(target: Target): readonly string[] {
  const own = Object.keys(OWN_COLUMNS).filter((column) => OWN_COLUMNS[column] === target)
  return [...(HEADERS[target] ?? []), ...(TABLE_HEADERS[target] ?? []), ...own]
}

function presetOf(name: string): Preset {
  const known = MAPPING_PRESETS.find((preset) => preset === name.toLowerCase())
  if (!known) throw new Error(`there is no preset ${shown(name)}; use ${MAPPING_PRESETS.join(', ')}`)
  return PRESETS[known]
}

interface Chosen {
  /** By column, in the order of the source. */
  readonly targets: ReadonlyMap<string, Target>
  /** What was recognized by values alone, as `column: target`. */
  readonly byValues: readonly string[]
}

function chooseTargets(kind: SourceKind, columns: readonly ColumnFacts[], preset?: Preset): Chosen {
  const chosen = new Map<string, Target>()
  const taken = new Set<Target>()
  const take = (name: string, target: Target) => {
    chosen.set(name, target)
    if (!SHARED.has(target)) taken.add(target)
  }
  for (const known of [kind.defaultMapping?.columns, preset?.columns]) {
    const byName = new Map(Object.entries(known ?? {}).map(([name, target]) => [folded(name), target]))
    for (const facts of columns) {
      const target = byName.get(folded(facts.name))
      if (!target || chosen.has(facts.name)) continue
      if (!taken.has(target) && isUsable(target, facts)) take(facts.name, target)
    }
  }
  // A system whose columns are known has no others that mean the same.
  const byValues: string[] = []
  if (!kind.defaultMapping) {
    chooseByHeader(columns, chosen, taken, take)
    chooseByValues(columns, chosen, taken, (name, target) => {
      take(name, target)
      byValues.push(`${name}: ${target}`)
    })
  }
  return { targets: new Map(columns.map(({ name }) => [name, chosen.get(name) ?? 'description+'])), byValues }
}

type Take = (name: string, target: Target) => void

function chooseByHeader(
  columns: readonly ColumnFacts[],
  chosen: ReadonlyMap<string, Target>,
  taken: ReadonlySet<Target>,
  take: Take,
): void {
  const byHeader = Map.groupBy(columns, ({ name }) => folded(name))
  for (const target of TARGETS) {
    for (const header of headersOf(target)) {
      if (taken.has(target)) break
      for (const facts of byHeader.get(folded(header)) ?? []) {
        if (chosen.has(facts.name)) continue
        const fitting = fittingTarget(target, facts)
        if (fitting && !taken.has(fitting)) take(facts.name, fitting)
      }
    }
  }
  // A number that is unique is the best id that the source has.
  const number = columns.find(({ name }) => chosen.get(name) === 'number')
  if (number && !taken.has('externalId') && isUsable('externalId', number)) take(number.name, 'externalId')
}

/** Returns the target, or a better one for what the column really contains; undefined for none. */
function fittingTarget(target: Target, facts: ColumnFacts): Target | undefined {
  if (target === 'assignee' || target === 'supervisor') return isMostly(facts.emails, facts) ? target : 'notes+'
  if (target === 'reporter.name' && isMostly(facts.emails, facts)) return 'reporter.email'
  if (target === 'feedback' && !isMostly(facts.integers, facts)) return 'feedbackText'
  return isUsable(target, facts) ? target : undefined
}

function isUsable(target: Target, facts: ColumnFacts): boolean {
  if (facts.filled === 0) return true
  if (DATES.has(target)) return isMostly(facts.dates, facts)
  if (target === 'externalId') return facts.isUnique && facts.longTexts === 0
  if (target === 'number') return isMostly(facts.integers, facts)
  // A number of comments is no comment.
  if (target === 'comment' || target === 'attachments') return !isMostly(facts.integers, facts)
  return true
}

const isMostly = (count: number, { filled }: ColumnFacts) => count >= filled * MOST

function chooseByValues(
  columns: readonly ColumnFacts[],
  chosen: ReadonlyMap<string, Target>,
  taken: ReadonlySet<Target>,
  take: Take,
): void {
  for (const facts of columns) {
    if (chosen.has(facts.name) || facts.filled === 0) continue
    const values = [...(facts.values?.keys() ?? [])]
    const areAll = (known: (value: string) => unknown) =>
      values.length > 1 && values.every((value) => known(value) !== undefined)
    if (!taken.has('state') && areAll(stateOf)) take(facts.name, 'state')
    else if (!taken.has('priority') && areAll(priorityOf)) take(facts.name, 'priority')
    else if (!taken.has('reporter.email') && isMostly(facts.emails, facts)) take(facts.name, 'reporter.email')
  }
  if (taken.has('createdAt')) return
  const dates = columns.filter((facts) => !chosen.has(facts.name) && isAllDates(facts))
  const [only, ...others] = dates
  if (only && others.length === 0 && !OTHER_DATE.test(folded(only.name))) take(only.name, 'createdAt')
}

/** Names of dates that are not the creation of a request: due, planned, begun, in English, German and Estonian. */
const OTHER_DATE =
  /due|dead|target|plan|sched|start|begin|end|finish|expir|next|birth|warrant|frist|fällig|termin|soll|ende|tähtaeg|algus|lõpp/

/** Numbers alone are no sign: ids look like days of a spreadsheet. */
const isAllDates = (facts: ColumnFacts) => facts.filled > 1 && facts.dates === facts.filled && facts.integers === 0

/** 0 to 3 are our own priorities. Other numbers may count up or down, so nothing is assumed about them. */
function numberedPriority(columns: readonly ColumnFacts[]) {
  const values = columns.flatMap(({ values: counts }) => [...(counts?.keys() ?? [])])
  const areOurs = values.every((value) => /^[0-3]$/.test(value))
  return (value: string) => (areOurs && /^[0-3]$/.test(value) ? (numberIn(value) as 0 | 1 | 2 | 3) : priorityOf(value))
}

/** Lists every value of the columns with its meaning, and the values without one. */
function tableOf<Meaning>(
  columns: readonly ColumnFacts[],
  known: Readonly<Record<string, Meaning>>,
  meaningOf: (value: string) => Meaning | undefined,
): { table: Record<string, Meaning>; unknown: ReadonlyMap<string, number> } {
  const byValue = new Map(Object.entries(known).map(([value, meaning]) => [folded(value), meaning]))
  const table: Record<string, Meaning> = {}
  const unknown = new Map<string, number>()
  for (const { values } of columns) {
    for (const [value, count] of values ?? []) {
      const meaning = byValue.has(folded(value)) ? byValue.get(folded(value)) : meaningOf(value)
      if (meaning === undefined) unknown.set(value, (unknown.get(value) ?? 0) + count)
      else table[value] = meaning
    }
  }
  return { table, unknown }
}

/** Decides from all dates of all columns; one date such as 31/12/2026 is enough. Nothing else is: somebody must say it. */
function orderOf(
  columns: readonly ColumnFacts[],
  given: DateOrder | undefined,
): { order: DateOrder | undefined; assumed?: ConversionNote } {
  if (given !== undefined) return { order: given }
  const sum = (key: 'dayFirst' | 'monthFirst' | 'doubtful') => columns.reduce((all, { order }) => all + order[key], 0)
  const [dayFirst, monthFirst] = [sum('dayFirst'), sum('monthFirst')]
  if (dayFirst > 0 && monthFirst > 0) {
    const order = dayFirst >= monthFirst ? 'dmy' : 'mdy'
    return { order, assumed: note('two-date-orders', { subject: order, dayFirst, monthFirst }) }
  }
  if (monthFirst > 0) return { order: 'mdy' }
  const isDoubtful = dayFirst === 0 && sum('doubtful') > 0
  if (!isDoubtful) return { order: 'dmy' }
  const sample = columns.find(({ order }) => order.doubtful > 0)?.doubtfulDate ?? ''
  return { order: undefined, assumed: note('date-order-needed', noted([sample])) }
}
