import type { Datapoint } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import type { ReportedValue } from '@plantroom/contract/reports'
import type { Raw, Reading, Writable } from '@plantroom/drivers/driver'
import type { Place } from '../connections/connections.ts'
import { sameRaw, toExact } from '../connections/scaling.ts'
import type { Control, Plain } from './control.ts'
import { plainValue, wanted } from './controls.ts'

const UNKNOWN: Plain = { raw: null }

/**
 * Reads what the equipment holds, to be restored later. A datapoint that can only be written is restored to its
 * `releaseValue`, or to what its address reads; others to what was read, now or last. Rejects when the link is down.
 */
export async function readPlain(place: Place): Promise<Plain> {
  const { connection, datapoint } = place
  const isWriteOnly = datapoint.accessType === 'WRITE'
  if (isWriteOnly && datapoint.releaseValue !== undefined) return releasePlain(place)
  const reading = (await readIfItCan(place)) ?? (isWriteOnly ? undefined : connection.lastReading(datapoint.id))
  return reading ? plainOf(reading) : releasePlain(place)
}

function plainOf(reading: Reading): Plain {
  const raw = 'raw' in reading ? reading.raw : null
  return reading.image === undefined ? { raw } : { raw, image: reading.image }
}

function releasePlain({ connection, datapoint: { id, releaseValue } }: Place): Plain {
  return releaseValue === undefined ? UNKNOWN : { raw: connection.toRaw(id, releaseValue) }
}

/** Returns what the control asks the equipment to hold. `null`: nothing, since what was there before is not known. */
export function target(place: Place, control: Control): Writable | null {
  const { holder, plain } = control
  if (!holder) return plain?.image === undefined ? (plain?.raw ?? null) : { image: plain.image }
  const value = wanted(holder.claim, plainValue(control, place))
  if (value === null) throw new Failure('rejected', 'the plain value is not known, so an offset to it is not either')
  return place.connection.toRaw(place.datapoint.id, value)
}

/** Returns `undefined` where the datapoint cannot be read, at all or just now: then nothing contradicts the write. */
export async function readBackOf(place: Place): Promise<Reading | undefined> {
  return place.datapoint.accessType === 'WRITE' ? undefined : readIfItCan(place)
}

/** Reports whether a reading shows that the equipment holds what was written. */
export function holds(reading: Reading, written: Writable): boolean {
  if (isImage(written)) return reading.image === written.image
  return 'raw' in reading && sameRaw(reading.raw, written)
}

/** Reports whether two values are the same as far as the equipment can tell. */
export function sameWritten(a: Writable, b: Writable): boolean {
  if (isImage(a) || isImage(b)) return isImage(a) && isImage(b) && a.image === b.image
  return sameRaw(a, b)
}

/** What a reading says in engineering units; `null` where it is not a number. */
export function readingValue(reading: Reading | undefined, { scaler }: Datapoint): ReportedValue {
  return reading && 'raw' in reading ? toExact(reading.raw, scaler) : null
}

export function writtenValue(written: Writable, { scaler }: Datapoint): ReportedValue {
  return isImage(written) ? null : toExact(written, scaler)
}

const isImage = (value: Writable): value is Exclude<Writable, Raw> => typeof value === 'object'

/** Returns `undefined` when this datapoint alone cannot be read. Rejects when the link is down. */
async function readIfItCan({ connection, datapoint }: Place): Promise<Reading | undefined> {
  try {
    return await connection.read(datapoint.id)
  } catch (failure) {
    if (failure instanceof Failure && failure.kind === 'rejected') return undefined
    throw failure
  }
}
