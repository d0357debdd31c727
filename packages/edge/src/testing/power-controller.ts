import type { Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import type { Image, Raw } from '@plantroom/drivers/driver'
import type { ManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { onTestFinished } from 'vitest'
import type { Point } from '../device-parts.ts'
import { type Controller, startController } from './controller.ts'
import type { MemoryDriver } from './memory-driver.ts'

/** Starts a controller with a writable datapoint `power` at 10 and a read-only `meter`. */
export async function aPowerController(
  about: {
    power?: Partial<Datapoint>
    more?: readonly Datapoint[]
    points?: Readonly<Record<string, Raw | string | Image>>
    system?: Partial<TechnicalSystem>
    clock?: ManualClock
    journal?: string
    isEmpty?: boolean
    equipment?: MemoryDriver
    reached?: (point: Point) => void
    folder?: string
  } = {},
): Promise<Controller> {
  const { power, more = [], points, system, clock, journal, isEmpty, equipment, reached, folder } = about
  const datapoints = [
    aDatapoint({ accessType: 'READ_WRITE', ...power, id: 'power' }),
    aDatapoint({ id: 'meter' }),
    ...more,
  ]
  const commissioned = { ...aSystem('sys', [aConnection({ datapoints })]), ...system }
  const controller = await startController(commissioned, {
    points: { power: 10, meter: 3, ...points },
    ...(clock && { clock }),
    ...(journal !== undefined && { journal }),
    ...(isEmpty && { isEmpty }),
    ...(equipment && { equipment }),
    ...(reached && { reached }),
    ...(folder !== undefined && { folder }),
  })
  onTestFinished(() => controller.stop())
  return controller
}

/** Formats the audit entries in the cloud, one per line: phase, reason, value before, value, value read back. */
export function auditLines({ reports }: Controller): string[] {
  return reports.map(
    ({ phase, reason, valueBefore, value, readBack }) =>
      `${phase} (${reason}) ${valueBefore} > ${value}, reads ${readBack}`,
  )
}
