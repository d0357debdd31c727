import type { Connection, Datapoint } from '@plantroom/contract/datapoint'
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
