import { type BacnetObject, createObject, presentValue } from '../bacnet/objects.ts'
import type { SimulatedPoint } from './start-values.ts'

/** The objects of a template, with the envelope of a setpoint as the bounds that they show. */
export function createTemplateObjects(points: readonly SimulatedPoint[]): {
  objects: readonly BacnetObject[]
  raw(name: string): number | undefined
} {
  const objects = new Map(
    points.map(({ datapoint: { name, unit, data, writeInputData: bounds }, raw }) => [
      name,
      createObject({ id: String(data.object), name, unit, bounds: boundsOf(bounds), start: raw }),
    ]),
  )
  return {
    objects: [...objects.values()],
    raw(name) {
      const found = objects.get(name)
      return found && presentValue(found)
    },
  }
}

const boundsOf = (given: { min?: number; max?: number } | undefined) =>
  given?.min === undefined || given.max === undefined ? undefined : { min: given.min, max: given.max }
