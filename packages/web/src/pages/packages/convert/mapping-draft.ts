import { DATE_ORDERS, type Mapping, type SourceAnalysis, TARGETS, type Target } from '@plantroom/contract/conversion'
import { TICKET_STATES } from '@plantroom/contract/request-fields'
import { parse, stringify } from 'yaml'
import { listed } from '../../../parts/value.ts'
import { convert } from '../../../texts/convert.ts'
import { format } from '../../../texts/format.ts'
import { targetName } from './target-name.ts'

const { yaml: texts, mapping: mappingTexts } = convert

/** A mapping that is being edited. */
export interface MappingProps {
  readonly analysis: SourceAnalysis
  readonly mapping: Mapping
  readonly onChange: (mapping: Mapping) => void
}

/** A column with few values, which a table can list. */
export interface ListedColumn {
  readonly name: string
  /** Undefined when the column has too many different values. */
  readonly values: readonly { readonly value: string; readonly count: number }[] | undefined
}

/** Returns the columns that become a field whose values have a table. An empty column has none, not too many. */
export const columnsThatBecome = (analysis: SourceAnalysis, mapping: Mapping, target: Target): ListedColumn[] =>
  analysis.columns
    .filter(({ name }) => targetOf(mapping, name) === target)
    .map(({ name, values, filled }) => ({ name, values: filled === 0 ? [] : values }))

/** What a column becomes. One that the mapping does not name is appended to the description. */
export const targetOf = (mapping: Mapping, column: string): Target =>
  Object.hasOwn(mapping.columns, column) ? (mapping.columns[column] ?? 'description+') : 'description+'

const folded = (value: string) => value.trim().toLowerCase()

/** Finds the entry of a value, as conversions do: trimmed and without regard to case. */
export function entryOf<Value>(table: Readonly<Record<string, Value>>, value: string): Value | undefined {
  const key = Object.keys(table).find((known) => folded(known) === folded(value))
  return key === undefined ? undefined : table[key]
}

/** Returns the table with another meaning of a value; undefined removes it. */
export function withEntry<Value>(
  table: Readonly<Record<string, Value>>,
  value: string,
  meaning: Value | undefined,
): Record<string, Value> {
  const others = Object.entries(table).filter(([known]) => folded(known) !== folded(value))
  return Object.fromEntries(meaning === undefined ? others : [...others, [value.trim(), meaning]])
}

/** Fields that several columns can fill. */
const SHARED: readonly Target[] = [
  'description+',
  'notes+',
  'comment',
  'attachments',
  'omit',
  'tags',
  'watchers',
  'ccEmails',
]

/** True while somebody must say how to read dates that fit two orders. */
export const needsOrder = ({ notes = [] }: SourceAnalysis, mapping: Mapping): boolean =>
  mapping.dateOrder === undefined && notes.some(({ code }) => code === 'date-order-needed')

/** Returns what is worth a second look before the conversion. Columns are only those of the export. */
export function doubtsOf(analysis: SourceAnalysis, mapping: Mapping): string[] {
  const names = analysis.columns.map(({ name }) => name)
  const byTarget = Map.groupBy(names, (name) => targetOf(mapping, name))
  const doubts: string[] = []
  if (!byTarget.has('title')) doubts.push(mappingTexts.noTitle)
  if (!byTarget.has('externalId')) doubts.push(mappingTexts.noId)
  if (needsOrder(analysis, mapping)) doubts.push(mappingTexts.noOrder)
  for (const [target, columns] of byTarget) {
    if (columns.length < 2 || SHARED.includes(target)) continue
    doubts.push(format(mappingTexts.twice, { columns: listed(columns), target: targetName(target) }))
  }
  return doubts
}

/** Writes a mapping in the order of the form, and its columns in the order of the export: the service keeps neither. */
export function toYaml(mapping: Mapping, names: readonly string[] = []): string {
  const { preset, timeZone, dateOrder, columns, states, otherState, stateFromEvidence, priorities, separator } = mapping
  const ordered = new Set([...names.filter((name) => Object.hasOwn(columns, name)), ...Object.keys(columns)])
  const shown = {
    ...(preset !== undefined && { preset }),
    timeZone,
    ...(dateOrder !== undefined && { dateOrder }),
    columns: Object.fromEntries([...ordered].map((name) => [name, columns[name]])),
    states,
    otherState,
    ...(stateFromEvidence !== undefined && { stateFromEvidence }),
    priorities,
    ...(separator !== undefined && { separator }),
  }
  return stringify(shown, { lineWidth: 0 })
}

/** Reads a mapping that somebody wrote. The service checks it again. */
export function fromYaml(text: string): { mapping: Mapping } | { problem: string } {
  let read: unknown
  try {
    read = parse(text)
  } catch (error) {
    const [message = ''] = (error as Error).message.split('\n')
    return { problem: format(texts.syntax, { message }) }
  }
  if (!isTable(read)) return { problem: texts.notAMapping }
  const problem = problemOf(read)
  return problem === undefined ? { mapping: read as unknown as Mapping } : { problem }
}

const TABLES = {
  columns: TARGETS,
  states: TICKET_STATES,
  priorities: [0, 1, 2, 3, null],
} as const satisfies Partial<Record<keyof Mapping, readonly unknown[]>>
const CHOICES = { dateOrder: DATE_ORDERS, otherState: TICKET_STATES, stateFromEvidence: [true, false] } as const
const TEXTS = ['timeZone', 'preset', 'separator']

function problemOf(read: Readonly<Record<string, unknown>>): string | undefined {
  for (const field of ['timeZone', 'columns', 'states', 'otherState', 'priorities']) {
    if (read[field] === undefined) return format(texts.missing, { field })
  }
  for (const [field, value] of Object.entries(read)) {
    if (TEXTS.includes(field)) {
      if (typeof value !== 'string') return badValue(field, value, ['text'])
    } else if (field in CHOICES) {
      const choices: readonly unknown[] = CHOICES[field as keyof typeof CHOICES]
      if (!choices.includes(value)) return badValue(field, value, choices)
    } else if (field in TABLES) {
      if (!isTable(value)) return format(texts.notATable, { field })
      const choices: readonly unknown[] = TABLES[field as keyof typeof TABLES]
      const wrong = Object.entries(value).find(([, meaning]) => !choices.includes(meaning))
      if (wrong) return badValue(`${field}.${wrong[0]}`, wrong[1], choices)
    } else return format(texts.unknown, { field })
  }
  return undefined
}

const badValue = (field: string, value: unknown, choices: readonly unknown[]) =>
  format(texts.badValue, { field, value: JSON.stringify(value), choices: choices.join(', ') })

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const keyOf = (analysisId: string) => `plantroom.mapping.${analysisId}`

/** Keeps what somebody edited while the tab is open, so that a reload or a visit to another page loses nothing. */
export const drafts = {
  read(analysisId: string): Mapping | undefined {
    const text = storage()?.getItem(keyOf(analysisId))
    if (!text) return undefined
    const read = fromYaml(text)
    return 'mapping' in read ? read.mapping : undefined
  },
  write(analysisId: string, mapping: Mapping): void {
    try {
      storage()?.setItem(keyOf(analysisId), JSON.stringify(mapping))
    } catch {
      // A full storage only loses the draft on a reload.
    }
  },
}

/** A browser may forbid it. */
function storage(): Storage | undefined {
  try {
    return globalThis.sessionStorage
  } catch {
    return undefined
  }
}
