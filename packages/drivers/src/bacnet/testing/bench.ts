import { every, systemClock } from '@plantroom/base/clock'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint } from '@plantroom/testkit/technical-system'
import { onTestFinished } from 'vitest'
import { createCountingListener } from '../../testing/counting-listener.ts'
import { never } from '../../testing/driver-rig.ts'
import { createBacnetProtocol } from '../driver.ts'
import { type SimulatedDevice, startDevice } from './device-simulator.ts'
import { type SimulatedObject, simulatedObject } from './objects.ts'

/** The objects of a device by their id, with what is special about them; inputs are commissioned read-only. */
export type Objects = Record<string, Partial<SimulatedObject>>

interface About {
  device?: Partial<SimulatedDevice>
  settings?: Record<string, unknown>
  /** More `data` of a datapoint, by object. */
  data?: Record<string, Record<string, unknown>>
}

export function connectionOf(objects: readonly string[], settings: Record<string, unknown>, data: About['data'] = {}) {
  return aConnection({
    protocol: 'bacnet-ip',
    settings: { ...(settings.foreignDevice === undefined && { host: '127.0.0.1' }), ...settings },
    datapoints: objects.map((object) =>
      aDatapoint({
        id: object,
        accessType: object.includes('input') ? 'READ' : 'READ_WRITE',
        data: { object, ...data[object] },
      }),
    ),
  })
}

/** Starts a simulated device and a driver for all of its objects, on a clock that stands still. */
export async function startBench(objects: Objects, { device: about = {}, settings = {}, data }: About = {}) {
  const map = new Map(Object.entries(objects).map(([id, special]) => [id, simulatedObject(id, special)]))
  const device = await startDevice(map, about)
  onTestFinished(() => device.stop())
  const clock = createManualClock()
  const events = createCountingListener()
  const ids = Object.keys(objects)
  const connection = connectionOf(ids, { port: device.port, timeoutMs: 10_000, retries: 0, ...settings }, data)
  const driver = createBacnetProtocol({ clock }).connect(connection, events)
  onTestFinished(() => driver.close())

  return {
    ...{ device, clock, events, driver, ids },
    open: () => driver.open(never),
    read: () => driver.read(ids),
    object: (id: string): SimulatedObject => map.get(id) ?? simulatedObject(id),
    /** Moves the clock while `work` waits for what does not come. What does come has half a second for it. */
    async whileTimePasses<Result>(work: Promise<Result>): Promise<Result> {
      const stop = every(systemClock, 1, () => clock.advanceNow(20))
      return work.finally(stop)
    },
  }
}
