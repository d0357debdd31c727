import type { Datapoint } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import type { ReportedValue } from '@plantroom/contract/reports'
import type { Raw, Reading, Writable } from '@plantroom/drivers/driver'
import type { Place } from '../connections/connections.ts'
import { holdsWritten, sameRaw, toExact } from '../connections/scaling.ts'
import { type Allowed, type Hold, type Plain, setpointOf, withSetpoint } from './hold.ts'

const UNKNOWN: Plain = { raw: null }

/** Returns the value to restore in engineering units. Until the equipment has been read, the live value is the best guess. */
export function plainValue({ plain, known }: Hold, { connection, datapoint }: Place): ReportedValue {
  if (!plain) return known ? known.value : connection.current(datapoint.id).value
  return plain.raw === null ? null : toExact(plain.raw, datapoint.scaler)
}

/** Returns the value from before the hold in engineering units, which is not what is restored where a file says so. */
export function valueBefore(hold: Hold, place: Place): ReportedValue {
  return hold.plain?.before === undefined ? plainValue(hold, place) : hold.plain.before
}

/**
 * Reads the value to restore later. A datapoint that can only be written is restored to its `releaseValue`, or to what
 * its address reads. Others are read; where that fails, only a `releaseValue` allows a write over an unread value.
 * Rejects with a `Failure` `offline` otherwise, and when the link is down.
 */
export async function readPlain(place: Place, recent: Hold['recent']): Promise<Plain> {
  const { connection, datapoint } = place
  const isWriteOnly = datapoint.accessType === 'WRITE'
  const isGiven = isWriteOnly && datapoint.releaseValue !== undefined
  const reading = await (isGiven ? readNow(place).catch(unread) : readNow(place))
  const read = isRestorable(reading) ? plainOf(reading, recent) : undefined
  if (isGiven) {
    const last = read ? toValue(read, datapoint) : connection.current(datapoint.id).value
    return { ...releasePlain(place), before: last }
  }
  if (read) return read
  if (datapoint.releaseValue !== undefined) return { ...releasePlain(place), before: null }
  if (isWriteOnly) return UNKNOWN
  const why = 'error' in reading ? reading.error : 'not read'
  throw new Failure('offline', `the value before cannot be read, so nothing is written over it: ${why}`)
}

/**
 * Returns the value to restore of a hold that another controller began. The equipment has the value of the hold, so only
 * `releaseValue` and what is known of the value before can say it.
 */
export function knownPlain(place: Place, { value }: NonNullable<Hold['known']>): Plain {
  const { connection, datapoint } = place
  const isGiven = datapoint.accessType === 'WRITE' && datapoint.releaseValue !== undefined
  if (isGiven || typeof value !== 'number') return { ...releasePlain(place), ...(isGiven && { before: value }) }
  try {
    return { raw: connection.toRaw(datapoint.id, value) }
  } catch {
    return releasePlain(place)
  }
}

const unread = (failure: Error): Reading => ({ error: failure.message })

const isRestorable = (reading: Reading) => 'raw' in reading || reading.image !== undefined

/** A setpoint of the release before, which came back late, is not the value to restore. */
export function plainOf(reading: Reading, recent: Hold['recent']): Plain {
  if (recent && showsSetpoint(reading, { setpoints: recent.setpoints, goal: writableOf(recent.plain) }))
    return recent.plain
  const raw = 'raw' in reading ? reading.raw : null
  return reading.image === undefined ? { raw } : { raw, image: reading.image }
}

/** Returns what to write to restore a plain value; NaN, which nothing equals, where it is not known. */
export const writableOf = ({ raw, image }: Plain): Writable => (image === undefined ? (raw ?? Number.NaN) : { image })

const isKnown = ({ raw, image }: Plain) => raw !== null || image !== undefined

const toValue = ({ raw }: Plain, { scaler }: Datapoint) => (raw === null ? null : toExact(raw, scaler))

function releasePlain(place: Place): Plain {
  const raw = releaseRaw(place)
  return raw === undefined ? UNKNOWN : { raw }
}

/** Returns the raw `releaseValue`; `undefined` where the file has none. */
export function releaseRaw({ connection, datapoint: { id, releaseValue } }: Place): Raw | undefined {
  return releaseValue === undefined ? undefined : connection.toRaw(id, releaseValue)
}

/** Returns what may be written now. */
export const allowedAt = ({ datapoint: { limits }, bound }: Place): Allowed => ({ limits, bound: bound() })

/** Returns the value that the hold asks the equipment to keep; `null` for a release to an unknown plain value. */
export function target(place: Place, hold: Hold): Writable | null {
  const { holder, plain } = hold
  if (!holder) return plain && isKnown(plain) ? writableOf(plain) : null
  const value = setpointOf(holder.claim, plainValue(hold, place), allowedAt(place))
  if (value === null)
    throw new Failure('rejected', 'the plain value is not known, so an offset to it cannot be applied')
  return place.connection.toRaw(place.datapoint.id, value)
}

/** Returns the raw setpoints that may be on the equipment, or come back late, while it is being released. */
export function setpointsOf(hold: Hold, place: Place): readonly Raw[] {
  const { setpoints = [], recent, releasing, left, shows } = hold
  const { claim } = releasing?.holder ?? {}
  const last = claim && setpointOf(claim, plainValue(hold, place), allowedAt(place))
  const raws = [...(recent?.setpoints ?? []), ...setpoints, rawOf(place, last), rawOf(place, left), shows]
  return raws.reduce(withSetpoint, [])
}

/** Returns the raw value of a setpoint; `undefined` where it is not a number or does not fit. */
export function rawOf({ connection, datapoint }: Place, value: ReportedValue | undefined): Raw | undefined {
  try {
    return typeof value === 'number' ? connection.toRaw(datapoint.id, value) : undefined
  } catch {
    return undefined
  }
}

/** Returns what the equipment holds now; `undefined` for a datapoint that can only be written. Rejects like `readNow`. */
export async function readBackOf(place: Place): Promise<Reading | undefined> {
  return place.datapoint.accessType === 'WRITE' ? undefined : readNow(place)
}

/** Reports whether a reading shows that the equipment holds what was written. */
export function shows(reading: Reading, written: Writable): boolean {
  if (isImage(written)) return reading.image === written.image
  return 'raw' in reading && holdsWritten(reading.raw, written)
}

/** Equipment may show a noisy actual value: this share of the setpoint, and of the way to the other value, counts as it. */
const NEAR = 0.02

/** Reports whether a reading shows one of our setpoints, or a value near it, and not the value that should be there. */
export function showsSetpoint(
  reading: Reading,
  { setpoints, goal }: { setpoints: readonly Raw[]; goal: Writable },
): boolean {
  if (shows(reading, goal)) return false
  return setpoints.some((setpoint) => {
    if (shows(reading, setpoint)) return true
    if (!('raw' in reading) || isImage(goal)) return false
    const value = Number(setpoint)
    const reach = NEAR * Math.min(Math.abs(Number(goal) - value), Math.abs(value))
    return Math.abs(Number(reading.raw) - value) <= reach
  })
}

/**
 * Reports whether the equipment has left the value that it showed before a write. Noise around that value is no answer to
 * the setpoint, and must not be taken for one: the value restored later shows the same noise.
 */
export function hasMoved({ before, after, written }: { before: Reading; after: Reading; written: Writable }): boolean {
  if (!('raw' in after) || shows(before, after.raw)) return false
  if (!('raw' in before) || isImage(written)) return true
  const from = Number(before.raw)
  return Math.abs(Number(after.raw) - from) > NEAR * Math.abs(Number(written) - from)
}

/** Reports whether the two values are the same. */
export function sameWritten(a: Writable, b: Writable): boolean {
  if (isImage(a) || isImage(b)) return isImage(a) && isImage(b) && a.image === b.image
  return sameRaw(a, b)
}

/** Returns a reading in engineering units; `null` where it is not a number. */
export function readingValue(reading: Reading | undefined, { scaler }: Datapoint): ReportedValue {
  return reading && 'raw' in reading ? toExact(reading.raw, scaler) : null
}

export function writtenValue(written: Writable, { scaler }: Datapoint): ReportedValue {
  return isImage(written) ? null : toExact(written, scaler)
}

export const isImage = (value: Writable): value is Exclude<Writable, Raw> => typeof value === 'object'

/** Returns an `error` reading when this datapoint alone cannot be read. Rejects when the link is down. */
async function readNow({ connection, datapoint }: Place): Promise<Reading> {
  try {
    return await connection.read(datapoint.id)
  } catch (failure) {
    if (failure instanceof Failure && failure.kind === 'rejected') return { error: failure.message }
    throw failure
  }
}
