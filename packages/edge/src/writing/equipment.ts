import type { Datapoint } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import type { ReportedValue } from '@plantroom/contract/reports'
import type { Raw, Reading, Writable } from '@plantroom/drivers/driver'
import type { Place } from '../connections/connections.ts'
import { sameRaw, toExact } from '../connections/scaling.ts'
import { type Hold, type Plain, setpointOf } from './hold.ts'

const UNKNOWN: Plain = { raw: null }

/** Returns the plain value in engineering units. Until the equipment has been read, the live value is the best guess. */
export function plainValue({ plain, known }: Hold, { connection, datapoint }: Place): ReportedValue {
  if (!plain) return known ? known.value : connection.current(datapoint.id).value
  return plain.raw === null ? null : toExact(plain.raw, datapoint.scaler)
}

/**
 * Reads the value to restore later. A datapoint that can only be written is restored to its `releaseValue`, or to what
 * its address reads; others to the current or the last reading. Rejects when the link is down.
 */
export async function readPlain(place: Place): Promise<Plain> {
  const { connection, datapoint } = place
  const isWriteOnly = datapoint.accessType === 'WRITE'
  if (isWriteOnly && datapoint.releaseValue !== undefined) return releasePlain(place)
  const reading = (await readIfPossible(place)) ?? (isWriteOnly ? undefined : connection.lastReading(datapoint.id))
  return reading ? plainOf(reading) : releasePlain(place)
}

/**
 * Returns the value to restore of a hold that another controller began. The equipment has the value of the hold, so only
 * `releaseValue` and what is known of the value before can say it.
 */
export function knownPlain(place: Place, { value }: NonNullable<Hold['known']>): Plain {
  const { connection, datapoint } = place
  const isGiven = datapoint.accessType === 'WRITE' && datapoint.releaseValue !== undefined
  if (isGiven || typeof value !== 'number') return releasePlain(place)
  try {
    return { raw: connection.toRaw(datapoint.id, value) }
  } catch {
    return releasePlain(place)
  }
}

function plainOf(reading: Reading): Plain {
  const raw = 'raw' in reading ? reading.raw : null
  return reading.image === undefined ? { raw } : { raw, image: reading.image }
}

function releasePlain({ connection, datapoint: { id, releaseValue } }: Place): Plain {
  return releaseValue === undefined ? UNKNOWN : { raw: connection.toRaw(id, releaseValue) }
}

/** Returns the value that the hold asks the equipment to keep; `null` for a release to an unknown plain value. */
export function target(place: Place, hold: Hold): Writable | null {
  const { holder, plain } = hold
  if (!holder) return plain?.image === undefined ? (plain?.raw ?? null) : { image: plain.image }
  const value = setpointOf(holder.claim, plainValue(hold, place), place.datapoint.limits)
  if (value === null)
    throw new Failure('rejected', 'the plain value is not known, so an offset to it cannot be applied')
  return place.connection.toRaw(place.datapoint.id, value)
}

/** Returns `undefined` where the datapoint cannot be read, ever or at the moment: then nothing contradicts the write. */
export async function readBackOf(place: Place): Promise<Reading | undefined> {
  return place.datapoint.accessType === 'WRITE' ? undefined : readIfPossible(place)
}

/** Reports whether a reading shows that the equipment holds what was written. */
export function shows(reading: Reading, written: Writable): boolean {
  if (isImage(written)) return reading.image === written.image
  return 'raw' in reading && sameRaw(reading.raw, written)
}

/** Reports whether the equipment cannot tell the two values apart. */
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

const isImage = (value: Writable): value is Exclude<Writable, Raw> => typeof value === 'object'

/** Returns `undefined` when this datapoint alone cannot be read. Rejects when the link is down. */
async function readIfPossible({ connection, datapoint }: Place): Promise<Reading | undefined> {
  try {
    return await connection.read(datapoint.id)
  } catch (failure) {
    if (failure instanceof Failure && failure.kind === 'rejected') return undefined
    throw failure
  }
}
