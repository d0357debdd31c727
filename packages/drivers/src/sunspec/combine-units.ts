import { Failure } from '@plantroom/contract/failure'
import type { Driver, Reading } from '../driver.ts'

/** The driver of one device, and the ids of its points. */
export interface UnitDriver {
  pointIds: readonly string[]
  driver: Driver
}

/** Combines the drivers of devices behind one address. A device that does not answer is silent for its own points only. */
export function combineUnits(units: readonly UnitDriver[]): Driver {
  const drivers = new Map(units.flatMap(({ pointIds, driver }) => pointIds.map((id) => [id, driver] as const)))

  function driverOf(pointId: string): Driver {
    const driver = drivers.get(pointId)
    if (driver) return driver
    throw new Failure('rejected', `${pointId} is not a datapoint of this connection`)
  }

  return {
    async open(signal) {
      const opened = await Promise.allSettled(units.map(({ driver }) => driver.open(signal)))
      for (const each of opened) if (each.status === 'rejected') throw each.reason
    },

    async read(pointIds, options) {
      const asked = [...Map.groupBy(pointIds, (id) => drivers.get(id))].filter(([driver]) => driver !== undefined)
      const answers = await Promise.allSettled(asked.map(async ([driver, ids]) => driver?.read(ids, options) ?? []))
      const failed = answers.filter((answer) => answer.status === 'rejected')
      // The link is lost, or nothing behind it answers.
      if (failed[0] && failed.length === answers.length) throw failed[0].reason
      const readings = new Map<string, Reading>()
      for (const [index, [, ids]] of asked.entries()) {
        const answer = answers[index]
        for (const [place, id] of ids.entries()) {
          const reading =
            answer?.status === 'fulfilled' ? answer.value[place] : { error: String(answer?.reason.message) }
          readings.set(id, reading ?? { error: 'not read' })
        }
      }
      return pointIds.map((id) => readings.get(id) ?? { error: `${id} is not a datapoint of this connection` })
    },

    nearest: (pointId, raw) => driverOf(pointId).nearest(pointId, raw),
    write: async (pointId, value, options) => driverOf(pointId).write(pointId, value, options),
    armReversion: async (pointId) => driverOf(pointId).armReversion?.(pointId),
    disarmReversion: async (pointId) => driverOf(pointId).disarmReversion?.(pointId),
    async close() {
      for (const { driver } of units) await driver.close()
    },
  }
}
