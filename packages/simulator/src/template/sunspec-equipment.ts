import type { Clock } from '@plantroom/base/clock'
import type { Unit } from '../modbus/functions.ts'
import { createSunspecDevice } from '../sunspec/device.ts'
import type { SimulatedPoint } from './start-values.ts'

interface Address {
  model: number
  point: string
}

const addressOf = ({ datapoint }: SimulatedPoint) => datapoint.data as unknown as Address

/** A SunSpec device that has the models of a template. */
export function createTemplateDevice(
  { title, maker }: { title: string; maker: string },
  points: readonly SimulatedPoint[],
  clock: Clock,
): { unit: Unit; raw(name: string): number | undefined; stop(): void } {
  const common = { model: 1, values: { Mn: maker, Md: title.slice(0, 32), SN: 'simulated', DA: 1 } }
  const models = [...Map.groupBy(points, (point) => addressOf(point).model)].map(([model, own]) => ({
    model,
    values: Object.fromEntries(own.map((point) => [addressOf(point).point, point.raw])),
  }))
  const device = createSunspecDevice([common, ...models], clock)
  return {
    unit: device.unit,
    raw(name) {
      const point = points.find(({ datapoint }) => datapoint.name === name)
      return point && device.value(addressOf(point).model, addressOf(point).point)
    },
    stop: () => device.stop(),
  }
}
