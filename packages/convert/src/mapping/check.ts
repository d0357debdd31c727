import { DATE_ORDERS, Mapping, TARGETS } from '@plantroom/contract/conversion'
import { TICKET_STATES } from '@plantroom/contract/request-fields'
import { shown } from '@plantroom/contract/shown'
import { zoneOf } from '../text/zone.ts'

/** A mistake in a mapping. */
export interface MappingProblem {
  /** Where it is: `['columns', 'Status']`. */
  readonly steps: readonly string[]
  /** What is wrong and what to do. */
  readonly message: string
}

const FIELDS = Object.keys(Mapping.properties)
const PRIORITIES = [0, 1, 2, 3, null]

/** Returns every mistake of a mapping that a person wrote. Without any, the value is a `Mapping`. */
export function checkMapping(value: unknown): MappingProblem[] {
  if (!isTable(value)) return [{ steps: [], message: 'must have timeZone, columns, states, otherState and priorities' }]
  return [
    ...Object.keys(value)
      .filter((name) => !FIELDS.includes(name))
      .map((name) => ({ steps: [name], message: `is not part of a mapping; use ${FIELDS.join(', ')}` })),
    ...(Mapping.required ?? [])
      .filter((name) => value[name] === undefined || value[name] === null)
      .map((name) => ({ steps: [name], message: 'is missing; add it' })),
    ...texts(value, 'preset', 'separator', 'timeZone'),
    ...zoneProblems(value.timeZone),
    ...oneOf(['dateOrder'], value.dateOrder, DATE_ORDERS),
    ...oneOf(['otherState'], value.otherState, TICKET_STATES),
    ...oneOf(['stateFromEvidence'], value.stateFromEvidence, [true, false]),
    ...table('columns', value.columns, TARGETS),
    ...table('states', value.states, TICKET_STATES),
    ...table('priorities', value.priorities, PRIORITIES),
  ]
}

type Table = Readonly<Record<string, unknown>>

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function texts(value: Table, ...names: readonly string[]): MappingProblem[] {
  return names
    .filter((name) => value[name] !== undefined && value[name] !== null && typeof value[name] !== 'string')
    .map((name) => ({ steps: [name], message: 'must be text; put it in quotation marks' }))
}

function zoneProblems(zone: unknown): MappingProblem[] {
  if (typeof zone !== 'string' || zoneOf(zone)) return []
  return [{ steps: ['timeZone'], message: `${shown(zone)} is not a time zone; use a name such as Europe/Tallinn` }]
}

function table(name: string, value: unknown, allowed: readonly unknown[]): MappingProblem[] {
  if (value === undefined || value === null) return []
  if (!isTable(value)) return [{ steps: [name], message: 'must be a table; write one line "name: value" for each' }]
  return Object.entries(value).flatMap(([key, item]) => oneOf([name, key], item, allowed))
}

function oneOf(steps: readonly string[], value: unknown, allowed: readonly unknown[]): MappingProblem[] {
  if (value === undefined || allowed.includes(value)) return []
  if (value === null && steps.length === 1) return []
  const choices = allowed.map((choice) => String(choice)).join(', ')
  return [{ steps, message: `${shown(String(value), 60)} is not allowed; use one of: ${choices}` }]
}
