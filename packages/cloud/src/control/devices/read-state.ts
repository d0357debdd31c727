import {
  type ControlState,
  HOLD_STATES,
  type Hold,
  type HoldState,
  type Memory,
  type PlacedOverride,
  type PlainValue,
} from '@plantroom/contract/control-state'
import { CONNECTION_STATUS, type ConnectionValues, type DatapointValue } from '@plantroom/contract/values'
import { WRITER_NAMES } from '@plantroom/contract/writers'
import { findUnstorableText } from '../../platform/db/storable-text.ts'

/** What a device sent, before anything is known about it. */
type Given = Readonly<Record<string, unknown>>

/**
 * Returns the control state that a device sent, with the fields that the contract declares and no others, in texts that
 * the database can store; `undefined` when it is not one. The device may run any version: fields that earlier ones did
 * not send have a default.
 */
export function readState(text: string): ControlState | undefined {
  const given = parseStorable(text)
  return isObject(given) ? stateOf(given) : undefined
}

function stateOf({
  at,
  clockSuspect = false,
  overridesLeftOut,
  notes,
  memory,
  ...lists
}: Given): ControlState | undefined {
  const connections = readList(lists.connections, readConnection)
  const holds = readList(lists.holds, readHold)
  const overrides = readList(lists.overrides, readOverride)
  if (!connections || !holds || !overrides || !isTime(at) || typeof clockSuspect !== 'boolean') return undefined
  const leftOut = Number.isSafeInteger(overridesLeftOut) ? { overridesLeftOut: overridesLeftOut as number } : undefined
  const more = { ...leftOut, ...(isObject(notes) && readNotes(notes)), ...(isObject(memory) && readMemory(memory)) }
  return { at, clockSuspect, connections, holds, overrides, ...more }
}

function readMemory({ id, run, from, count, lost }: Given): { memory: Memory } | undefined {
  if (!isText(id) || !isText(run) || !Number.isSafeInteger(from) || !Number.isSafeInteger(count)) return undefined
  return { memory: { id, run, from: from as number, count: count as number, ...(isText(lost) && { lost }) } }
}

/** What is not as it should be is left out: a replacement then knows less of it. */
function readNotes({ plain, overrides }: Given): Pick<ControlState, 'notes'> | undefined {
  if (!isObject(plain) || !isObject(overrides)) return undefined
  const plains = Object.entries(plain).flatMap(([id, given]) => {
    const value = isObject(given) ? readPlain(given) : undefined
    return value ? [[id, value] as const] : []
  })
  const placed = Object.entries(overrides).flatMap(([id, given]) => {
    const { seq, placedByName, reason } = isObject(given) ? given : {}
    const isValid = Number.isSafeInteger(seq) && isText(placedByName) && isText(reason)
    return isValid ? [[id, { seq: seq as number, placedByName, reason }] as const] : []
  })
  return { notes: { plain: Object.fromEntries(plains), overrides: Object.fromEntries(placed) } }
}

function readPlain({ raw, digits, image }: Given): PlainValue | undefined {
  const own = { ...(isText(image) && { image }) }
  if (isText(digits)) return /^-?\d{1,20}$/.test(digits) ? { digits, ...own } : undefined
  return raw === null || isNumber(raw) ? { raw, ...own } : undefined
}

function readConnection(given: Given): ConnectionValues | undefined {
  const { connectionId, status, error = null, timestamp, values } = given
  if (!isText(connectionId) || !isStatus(status) || !isTextOrNull(error) || !isTime(timestamp)) return undefined
  if (!isObject(values)) return undefined
  const read = Object.entries(values).map(
    ([id, value]) => [id, isObject(value) ? readValue(value) : undefined] as const,
  )
  const known = read.filter((entry): entry is [string, DatapointValue] => entry[1] !== undefined)
  return { connectionId, status, error, timestamp, values: Object.fromEntries(known) }
}

function readValue(given: Given): DatapointValue | undefined {
  const { value, timestamp, error, locked, lockedBy, deviationActivated, deviationCachedValue: cached } = given
  if (!(value === null || isNumber(value)) || !isTime(timestamp)) return undefined
  return {
    value,
    timestamp,
    ...(isText(error) && { error }),
    ...(locked === true && isWriter(lockedBy) && lockedBy !== 'plain' && { locked, lockedBy }),
    ...(deviationActivated === true && { deviationActivated }),
    ...((isNumber(cached) || isText(cached)) && { deviationCachedValue: cached }),
  }
}

function readHold(given: Given): Hold | undefined {
  const { datapointId, by, value, overrideId = null, until = null, next, trouble = null, troubleReason = null } = given
  const following = readWriter(next)
  const beneath = given.beneath === undefined ? following : readWriter(given.beneath)
  if (!isText(datapointId) || !isWriter(by) || !isReported(value) || !isTextOrNull(overrideId)) return undefined
  if (!(until === null || isTime(until)) || !following || !beneath) return undefined
  if (!(trouble === null || trouble === 'write-failed' || trouble === 'not-taken')) return undefined
  if (!isTextOrNull(troubleReason)) return undefined
  const state = holdStateOf({ state: given.state, by, trouble })
  return { datapointId, state, by, value, overrideId, until, next: following, beneath, trouble, troubleReason }
}

/** Returns the state of a hold. An earlier controller names none, and a later one may name others. */
export function holdStateOf({ state, by, trouble }: Pick<Hold, 'by' | 'trouble'> & { state?: unknown }): HoldState {
  if (isHoldState(state)) return state
  if (by === 'plain') return 'releasing'
  return trouble === null ? 'holding' : 'writing'
}

function readWriter(given: unknown): Hold['next'] | undefined {
  if (!isObject(given)) return undefined
  const { by, value } = given
  return isWriter(by) && isReported(value) ? { by, value } : undefined
}

function readOverride(given: Given): PlacedOverride | undefined {
  const { id, datapointId, value, from, to, reqId, placedBy, state } = given
  if (!isText(id) || !isText(datapointId) || !isNumber(value) || !isTime(from) || !isTime(to)) return undefined
  if (!isText(reqId) || !isText(placedBy)) return undefined
  if (!(state === 'queued' || state === 'active' || state === 'superseded')) return undefined
  return { id, datapointId, value, from, to, reqId, placedBy, state }
}

/** Every item, or nothing: a list that lacks some would say that the others are not there. */
function readList<Item>(list: unknown, read: (given: Given) => Item | undefined): Item[] | undefined {
  if (!Array.isArray(list)) return undefined
  const items = list.map((given: unknown) => (isObject(given) ? read(given) : undefined))
  const known = items.filter((item) => item !== undefined)
  return known.length === items.length ? known : undefined
}

/** Parses JSON. Replaces characters that no column can store: equipment puts anything into its messages. */
function parseStorable(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text)
    if (!findUnstorableText(text, parsed)) return parsed
    const cleaned = JSON.stringify(parsed, (_, value: unknown) =>
      typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value,
    )
    const again: unknown = JSON.parse(cleaned)
    return findUnstorableText(cleaned, again) ? undefined : again
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value)
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isReported = (value: unknown): value is Hold['value'] => isNumber(value) || isTextOrNull(value)
const isTime = (value: unknown): value is string =>
  isText(value) && value.length <= 40 && !Number.isNaN(Date.parse(value))
const isWriter = (value: unknown): value is Hold['by'] => WRITER_NAMES.includes(value as Hold['by'])
const isHoldState = (value: unknown): value is HoldState => HOLD_STATES.includes(value as HoldState)
const isStatus = (value: unknown): value is ConnectionValues['status'] =>
  Object.values(CONNECTION_STATUS).includes(value as ConnectionValues['status'])
