import type { DateOrder, Mapping, Target } from '@plantroom/contract/conversion'
import { MAPPING_PRESETS } from '@plantroom/contract/conversion-jobs'
import type { ConversionNote, ZoneOrigin } from '@plantroom/contract/conversion-notes'
import { shown } from '@plantroom/contract/shown'
import { note, noted } from '../notes.ts'
import type { SourceKind } from '../source.ts'
import { folded } from '../text/folded.ts'
import { numberIn } from '../text/numbers.ts'
import type { ColumnFacts } from './columns.ts'
import { PRESETS, type Preset } from './presets.ts'
import { HEADERS, priorityOf, stateOf } from './vocabulary.ts'

/** A mapping to begin with, and what was assumed to make it. */
export interface Proposal {
  readonly mapping: Mapping
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

/** Proposes a mapping from headers and values. Throws an error for an unknown preset. */
export function proposeMapping(
  kind: SourceKind,
  columns: readonly ColumnFacts[],
  { preset: presetName, timeZone }: { preset?: string | undefined; timeZone?: ProposedZone | undefined } = {},
): Proposal {
  const preset = presetName === undefined ? undefined : presetOf(presetName)
  const targets = chooseTargets(kind, columns, preset)
  const notes: ConversionNote[] = []
  const byTarget = (target: Target) => columns.filter(({ name }) => targets.get(name) === target)
  const states = tableOf(byTarget('state'), { ...kind.defaultMapping?.states, ...preset?.states }, stateOf)
  const priorities = tableOf(
    byTarget('priority'),
    { ...kind.defaultMapping?.priorities, ...preset?.priorities },
    numberedPriority(byTarget('priority')),
  )
  if (states.unknown.length > 0) notes.push(note('unknown-states', noted(states.unknown)))
  if (priorities.unknown.length > 0) notes.push(note('unknown-priorities', noted(priorities.unknown)))
  const dated = columns.filter(({ name }) => DATES.has(targets.get(name) ?? 'omit'))
  const { order, assumed } = dateOrder(dated)
  if (assumed) notes.push(assumed)
  const { name: zone, from } = zoneFor(kind, timeZone)
  if (isAssumed(from) && dated.some(({ zoneless }) => zoneless > 0)) {
    notes.push(note('zone-assumed', { subject: zone, from }))
  }
  if (byTarget('externalId').length === 0) notes.push(note('no-id-column'))
  if (byTarget('title').length === 0) notes.push(note('no-title-column'))
  return {
    notes,
    timeZoneFrom: from,
    mapping: {
      ...(presetName !== undefined && { preset: presetName }),
      timeZone: zone,
      dateOrder: order,
      columns: Object.fromEntries(targets),
      states: states.table as Mapping['states'],
      otherState: 'new',
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

/** Returns a function that tells whether a column may contain the ids of the source, by its header. */
export function idColumns(kind: SourceKind): (name: string) => boolean {
  const tables = [kind.defaultMapping?.columns ?? {}, ...Object.values(PRESETS).map(({ columns }) => columns)]
  const known = tables.flatMap((columns) => Object.keys(columns).filter((name) => columns[name] === 'externalId'))
  const names = new Set([...known, ...(HEADERS.externalId ?? []), ...(HEADERS.number ?? [])].map(folded))
  return (name) => names.has(folded(name))
}

function presetOf(name: string): Preset {
  const known = MAPPING_PRESETS.find((preset) => preset === name.toLowerCase())
  if (!known) throw new Error(`there is no preset ${shown(name)}; use ${MAPPING_PRESETS.join(', ')}`)
  return PRESETS[known]
}

function chooseTargets(kind: SourceKind, columns: readonly ColumnFacts[], preset?: Preset): Map<string, Target> {
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
  if (!kind.defaultMapping) {
    chooseByHeader(columns, chosen, taken, take)
    chooseByValues(columns, chosen, taken, take)
  }
  // In the order of the source.
  return new Map(columns.map(({ name }) => [name, chosen.get(name) ?? 'description+']))
}

type Take = (name: string, target: Target) => void

function chooseByHeader(
  columns: readonly ColumnFacts[],
  chosen: ReadonlyMap<string, Target>,
  taken: ReadonlySet<Target>,
  take: Take,
): void {
  for (const [target, headers] of Object.entries(HEADERS) as [Target, readonly string[]][]) {
    for (const header of headers) {
      if (taken.has(target)) break
      for (const facts of columns) {
        if (chosen.has(facts.name) || folded(facts.name) !== folded(header)) continue
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
}

/** 0 to 3 are our own priorities. Other numbers may count up or down, so nothing is assumed about them. */
function numberedPriority(columns: readonly ColumnFacts[]) {
  const values = columns.flatMap(({ values: counts }) => [...(counts?.keys() ?? [])])
  const areOurs = values.every((value) => /^[0-3]$/.test(value))
  return (value: string) => (areOurs && /^[0-3]$/.test(value) ? (numberIn(value) as 0 | 1 | 2 | 3) : priorityOf(value))
}

/** Lists every value of the columns with its meaning, and the values without one. */
function tableOf<Meaning>(
  columns: readonly ColumnFacts[],
  known: Readonly<Record<string, unknown>>,
  meaningOf: (value: string) => Meaning | undefined,
): { table: Record<string, Meaning>; unknown: string[] } {
  const byValue = new Map(Object.entries(known).map(([value, meaning]) => [folded(value), meaning as Meaning]))
  const table: Record<string, Meaning> = {}
  const unknown: string[] = []
  for (const { values } of columns) {
    for (const value of values?.keys() ?? []) {
      const meaning = byValue.has(folded(value)) ? byValue.get(folded(value)) : meaningOf(value)
      if (meaning === undefined) unknown.push(value)
      else table[value] = meaning
    }
  }
  return { table, unknown }
}

/** Decides from all dates of all columns; one date such as 31/12/2026 is enough. */
function dateOrder(columns: readonly ColumnFacts[]): { order: DateOrder; assumed?: ConversionNote } {
  const sum = (key: 'dayFirst' | 'monthFirst' | 'doubtful') => columns.reduce((all, { order }) => all + order[key], 0)
  const [dayFirst, monthFirst] = [sum('dayFirst'), sum('monthFirst')]
  if (dayFirst > 0 && monthFirst > 0) {
    const order = dayFirst >= monthFirst ? 'dmy' : 'mdy'
    return { order, assumed: note('two-date-orders', { subject: order, dayFirst, monthFirst }) }
  }
  if (monthFirst > 0) return { order: 'mdy' }
  const isDoubtful = dayFirst === 0 && sum('doubtful') > 0
  if (!isDoubtful) return { order: 'dmy' }
  return { order: 'dmy', assumed: note('date-order-assumed') }
}
