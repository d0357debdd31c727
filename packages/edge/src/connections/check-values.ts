import type { Connection, Datapoint, Failsafe } from '@plantroom/contract/datapoint'
import type { Problem, Protocol, Raw } from '@plantroom/drivers/driver'
import { toEngineering, toRaw } from './scaling.ts'

/** Checks with the driver that each `releaseValue` fits. A driver opens nothing before it is used. */
export function releaseValueProblems(connection: Connection, protocol: Protocol): Problem[] {
  const given = connection.datapoints.flatMap((datapoint, index) =>
    datapoint.releaseValue === undefined ? [] : [{ datapoint, index, value: datapoint.releaseValue }],
  )
  if (given.length === 0) return []
  const driver = protocol.connect(connection)
  return given.flatMap(({ datapoint: { id, scaler }, index, value }) => {
    try {
      driver.nearest(id, toRaw(value, scaler))
      return []
    } catch (failure) {
      return [{ path: `datapoints[${index}].releaseValue`, message: (failure as Error).message }]
    }
  })
}

/**
 * Checks that the equipment can hold the limits: where it would round one outwards, or not notice a step, the limit
 * could not be enforced.
 */
export function limitProblems(connection: Connection, protocol: Protocol): Problem[] {
  const limited = connection.datapoints.flatMap((datapoint, index) => (datapoint.limits ? [{ datapoint, index }] : []))
  if (limited.length === 0) return []
  const driver = protocol.connect(connection)
  return limited.flatMap(({ datapoint: { id, scaler, limits = {} }, index }) => {
    const held = (value: number) => heldValue(() => driver.nearest(id, toRaw(value, scaler)), scaler)
    const { min, max, maxStepPerMinute: step } = limits
    const say = (field: string, message: string) => ({ path: `datapoints[${index}].limits.${field}`, message })
    const problems: Problem[] = []
    const [lowest, highest] = [min === undefined ? undefined : held(min), max === undefined ? undefined : held(max)]
    if (min !== undefined && lowest !== undefined && lowest < min - noise(min)) {
      problems.push(say('min', `the equipment would round ${min} down to ${lowest}; write a value that it can hold`))
    }
    if (max !== undefined && highest !== undefined && highest > max + noise(max)) {
      problems.push(say('max', `the equipment would round ${max} up to ${highest}; write a value that it can hold`))
    }
    const from = held(min ?? max ?? 0)
    if (step !== undefined && from !== undefined && held(from + step) === from && held(from - step) === from) {
      problems.push(say('maxStepPerMinute', `the equipment cannot hold steps as small as ${step}; write a larger one`))
    }
    return problems
  })
}

/**
 * Checks that the register of each failsafe can hold what is written to it. Rounded to 0, the seconds of a reversion timer
 * would switch it off, and a heartbeat would not change.
 */
export function failsafeProblems(
  connection: Connection,
  protocol: Protocol,
  failsafes: readonly Failsafe[] = [],
): Problem[] {
  const places = new Map(connection.datapoints.map((datapoint, index) => [datapoint.id, { datapoint, index }]))
  const own = failsafes.flatMap((failsafe) => {
    const [guarded, register] = [places.get(failsafe.datapointId), places.get(failsafe.registerId)?.datapoint]
    return guarded && register ? [{ ...failsafe, index: guarded.index, register }] : []
  })
  if (own.length === 0) return []
  const driver = protocol.connect(connection)
  return own.flatMap(({ kind, seconds, index, register: { id, name, scaler } }) => {
    const written = (value: number) => toEngineering(driver.nearest(id, toRaw(value, scaler)), scaler)
    const say = (message: string) => [{ path: `datapoints[${index}].failsafe`, message }]
    try {
      if (kind === 'heartbeat') {
        if (written(1) !== written(0)) return []
        return say(`"${name}" would round 0 and 1 to the same number, so it cannot change; correct its scaler or type`)
      }
      const armed = written(seconds)
      if (armed > 0) return []
      return say(`"${name}" would round ${seconds} to ${armed}, which switches the timer off; write more seconds`)
    } catch (failure) {
      return say(`"${name}" cannot be written: ${(failure as Error).message}`)
    }
  })
}

/** Returns what the equipment makes of a value; `undefined` where it does not fit at all. */
function heldValue(nearest: () => Raw, scaler: Datapoint['scaler']): number | undefined {
  try {
    return toEngineering(nearest(), scaler)
  } catch {
    return undefined
  }
}

/** Equipment with 32-bit floats holds most values only nearly. */
const noise = (value: number) => Math.abs(value) * 1e-6
