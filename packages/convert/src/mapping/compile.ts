import type { Mapping, Target } from '@plantroom/contract/conversion'
import type { ConversionNote } from '@plantroom/contract/conversion-notes'
import type { TicketState } from '@plantroom/contract/request-fields'
import { shown } from '@plantroom/contract/shown'
import { note, noted } from '../notes.ts'
import { SourceError } from '../source.ts'
import type { DateReading } from '../text/dates.ts'
import { storable } from '../text/limits.ts'
import { zoneOf } from '../text/zone.ts'

/** A mapping in a form that is fast to apply. */
export interface CompiledMapping {
  readonly dates: DateReading
  /** Where the values of a column go, and the name of the column as it can be stored. */
  columnOf(name: string): { readonly column: string; readonly target: Target }
  /** Undefined for a value that the table does not list. */
  stateOf(value: string): TicketState | undefined
  priorityOf(value: string): 0 | 1 | 2 | 3 | null | undefined
  readonly otherState: TicketState
  readonly stateFromEvidence: boolean
  targets(columns: Iterable<string>): ReadonlySet<Target>
  /** Splits a cell with several tags or addresses. */
  split(value: string): string[]
  /** Columns that the mapping lists and the source lacks, and the other way round. */
  differences(columns: Iterable<string>): ConversionNote[]
}

const USUAL_SEPARATORS = /[;,\n|]/

/** Values and names are compared trimmed and without regard to case. */
export const plain = (text: string) => text.normalize('NFC').trim().toLowerCase()

/**
 * Throws a `SourceError` for a time zone that does not exist. `columnOf` turns a name that the mapping has from a file into
 * that of the records.
 */
export function compileMapping(mapping: Mapping, columnOf: (name: string) => string = (name) => name): CompiledMapping {
  const zone = zoneOf(mapping.timeZone)
  if (!zone) {
    const message = `${shown(mapping.timeZone)} is not a time zone; use a name such as Europe/Tallinn`
    throw new SourceError([{ place: 'mapping', column: 'timeZone', message }])
  }
  const byName = <Value>(table: Readonly<Record<string, Value>>) =>
    new Map(Object.entries(table).map(([name, value]) => [plain(name), value]))
  const aliases = Object.entries(mapping.columns).map(([name, target]): [string, Target] => [
    plain(columnOf(name)),
    target,
  ])
  const columns = new Map([...aliases, ...byName(mapping.columns)])
  const states = byName(mapping.states)
  const priorities = byName(mapping.priorities)
  const known = new Map<string, { column: string; target: Target }>()
  return {
    dates: { zone, order: mapping.dateOrder ?? undefined },
    columnOf(name) {
      let found = known.get(name)
      if (!found) {
        found = { column: storable(name), target: columns.get(plain(name)) ?? 'description+' }
        known.set(name, found)
      }
      return found
    },
    stateOf: (value) => states.get(plain(value)),
    priorityOf: (value) => priorities.get(plain(value)),
    otherState: mapping.otherState,
    stateFromEvidence: mapping.stateFromEvidence ?? true,
    targets: (present) => new Set([...present].map((name) => columns.get(plain(name)) ?? 'description+')),
    split: (value) => value.split(mapping.separator || USUAL_SEPARATORS).flatMap((part) => part.trim() || []),
    differences: (present) => differences(mapping, columns, columnOf, [...present]),
  }
}

function differences(
  mapping: Mapping,
  known: ReadonlyMap<string, Target>,
  columnOf: (name: string) => string,
  present: readonly string[],
): ConversionNote[] {
  const there = new Set(present.map(plain))
  const missing = Object.keys(mapping.columns).filter(
    (name) => !there.has(plain(name)) && !there.has(plain(columnOf(name))),
  )
  const unlisted = present.filter((name) => !known.has(plain(name)))
  return [
    ...(missing.length > 0 ? [note('columns-missing', noted(missing))] : []),
    ...(unlisted.length > 0 ? [note('columns-unlisted', noted(unlisted))] : []),
  ]
}
