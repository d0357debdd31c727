import { HOLD_STATES, type Hold, OverrideNote, PlainValue, type StateNotes } from '@plantroom/contract/control-state'
import { MovedLoad } from '@plantroom/contract/power-limit'
import { readIfValid } from '@plantroom/contract/read'
import type { Schema, Validated } from '@plantroom/contract/schema'
import { DatapointValue } from '@plantroom/contract/values'

type Given = Readonly<Record<string, unknown>>

/**
 * Returns the state that a controller of any version sent, in the form of this one: with defaults for fields that earlier
 * ones do not send, and without values and notes that cannot be read, of which the cloud then knows less.
 */
export function fromAnyVersion(state: unknown): unknown {
  if (!isObject(state)) return state
  const { connections, holds, notes, ...rest } = state
  return {
    clockSuspect: false,
    ...rest,
    connections: each(connections, (one) => ({ error: null, ...one, values: readable(DatapointValue, one.values) })),
    holds: each(holds, (hold) => ({ ...UNSET, beneath: hold.next, ...hold, state: stateOf(hold) })),
    ...(isObject(notes) && { notes: readableNotes(notes) }),
  }
}

const UNSET = { overrideId: null, until: null, trouble: null, troubleReason: null }

/** An earlier controller names no state, and a later one may name others. */
function stateOf({ state, by, trouble = null }: Given): Hold['state'] {
  const known = HOLD_STATES.find((one) => one === state)
  if (known) return known
  if (by === 'plain') return 'releasing'
  return trouble === null ? 'holding' : 'writing'
}

function readableNotes({ plain, overrides, limits, moved }: Given): StateNotes {
  const known = Object.entries(readable(PlainValue, plain))
  const exact = known.filter(([, { raw, digits }]) => raw !== undefined || digits !== undefined)
  return {
    plain: Object.fromEntries(exact),
    overrides: readable(OverrideNote, overrides),
    ...(limits !== undefined && { limits: readable(OverrideNote, limits) }),
    ...(moved !== undefined && { moved: readable(MovedLoad, moved) }),
  }
}

/** Returns the values of an object that fit a schema. */
function readable<Of extends Schema>(schema: Of, given: unknown): Record<string, Validated<Of>> {
  const entries = isObject(given) ? Object.entries(given) : []
  const read = entries.map(([name, value]) => [name, readIfValid(schema, value)] as const)
  return Object.fromEntries(read.filter((entry): entry is [string, Validated<Of>] => entry[1] !== undefined))
}

const each = (list: unknown, change: (one: Given) => unknown): unknown =>
  Array.isArray(list) ? list.map((one: unknown) => (isObject(one) ? change(one) : one)) : list

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
