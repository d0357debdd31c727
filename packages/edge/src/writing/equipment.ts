import { Failure } from '@plantroom/contract/failure'
import type { Raw } from '@plantroom/drivers/driver'
import type { Place } from '../connections/connections.ts'
import type { Control } from './control.ts'
import { plainValue, wanted } from './controls.ts'

/** What the equipment is at, to be given back one day. `null` when nobody can know. Rejects when the link is down. */
export async function askPlain(place: Place): Promise<Raw | null> {
  const { connection, datapoint } = place
  if (datapoint.accessType === 'WRITE') return null
  return (await readIfItCan(place)) ?? connection.lastRaw(datapoint.id) ?? null
}

/** What the control asks the equipment to be at. `null`: nothing, since what was there before is not known. */
export function target(place: Place, control: Control): Raw | null {
  if (!control.holder) return control.plain?.raw ?? null
  const value = wanted(control.holder.claim, plainValue(control, place))
  if (value === null) throw new Failure('rejected', 'the plain value is not known, so an offset to it is neither')
  return place.connection.toRaw(place.datapoint.id, value)
}

/** `undefined` where this datapoint cannot be read, at all or just now: then nothing speaks against what was written. */
export async function readBackOf(place: Place): Promise<Raw | undefined> {
  return place.datapoint.accessType === 'WRITE' ? undefined : readIfItCan(place)
}

/** `undefined` when this datapoint alone cannot be read. Rejects when the link is down. */
async function readIfItCan({ connection, datapoint }: Place): Promise<Raw | undefined> {
  try {
    return await connection.read(datapoint.id)
  } catch (failure) {
    if (failure instanceof Failure && failure.kind === 'rejected') return undefined
    throw failure
  }
}
