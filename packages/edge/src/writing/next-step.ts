import { Failure } from '@plantroom/contract/failure'
import type { Raw, Writable } from '@plantroom/drivers/driver'
import type { Place } from '../connections/connections.ts'
import { readBackOf, readingValue, sameWritten, shows, writtenValue } from './equipment.ts'
import type { LimitKeeper } from './limit-keeper.ts'

/** Comparing sums of steps with their limit must not fail by the last digit. */
const NOISE = 1e-9

/** One step on the way to a value. */
export interface Step {
  value: Writable
  /** How far it moves; 0 when nothing may be written yet. */
  by: number
  /** The step reaches the value. */
  isLast: boolean
  /** When more of the way is allowed. */
  nextAt: number
}

/**
 * Returns the next step towards a value; `undefined` where no limit slows it down. Reads the equipment first. Rejects
 * when it cannot be read, except for a release: equipment must not be left at a setpoint because it cannot be read.
 */
export async function nextStep(
  { limits }: { limits: LimitKeeper },
  place: Place,
  goal: Writable,
  isRelease: boolean,
): Promise<Step | undefined> {
  const { connection, datapoint } = place
  const allowed = limits.step(place)
  const to = writtenValue(goal, datapoint)
  if (!allowed || typeof to !== 'number') return undefined
  const reading = await readBackOf(place)
  const from = readingValue(reading, datapoint)
  if (!reading || typeof from !== 'number' || !Number.isFinite(from)) {
    if (isRelease) return undefined
    throw new Failure('offline', 'the equipment cannot be read, so its value cannot be moved in steps')
  }
  const { nextAt } = allowed
  const distance = Math.abs(to - from)
  if (shows(reading, goal)) return { value: goal, by: 0, isLast: true, nextAt }
  if (distance <= allowed.by * (1 + NOISE)) return { value: goal, by: distance, isLast: true, nextAt }
  const value = reached(() => connection.toRaw(datapoint.id, from + Math.sign(to - from) * allowed.by))
  // The equipment cannot hold a part this small: the next one is larger.
  const isTooSmall = value === undefined || ('raw' in reading && sameWritten(value, reading.raw))
  if (isTooSmall) return { value: goal, by: 0, isLast: false, nextAt }
  return { value, by: Math.min(allowed.by, distance), isLast: false, nextAt }
}

function reached(toRaw: () => Raw): Raw | undefined {
  try {
    return toRaw()
  } catch {
    return undefined
  }
}
