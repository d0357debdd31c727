import type { Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import type { Image, Raw } from '@plantroom/drivers/driver'
import type { ManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { onTestFinished } from 'vitest'
import { type Controller, startController } from './controller.ts'

/** A controller of `power`, which stands at 10 and can be written, and of a `meter`, which cannot; with what the test is about. */
export async function aPowerController(
  about: {
    power?: Partial<Datapoint>
    more?: readonly Datapoint[]
    points?: Readonly<Record<string, Raw | string | Image>>
    system?: Partial<TechnicalSystem>
    clock?: ManualClock
  } = {},
): Promise<Controller> {
  const { power, more = [], points, system, clock } = about
  const datapoints = [
    aDatapoint({ accessType: 'READ_WRITE', ...power, id: 'power' }),
    aDatapoint({ id: 'meter' }),
    ...more,
  ]
  const commissioned = { ...aSystem('sys', [aConnection({ datapoints })]), ...system }
  const controller = await startController(commissioned, {
    points: { power: 10, meter: 3, ...points },
    ...(clock && { clock }),
  })
  onTestFinished(() => controller.stop())
  return controller
}

/** What the cloud was told, an entry a line: the phase, why, what was there before, what was given, what was read back. */
export function told({ reports }: Controller): string[] {
  return reports.map(
    ({ phase, reason, valueBefore, value, readBack }) =>
      `${phase} (${reason}) ${valueBefore} > ${value}, reads ${readBack}`,
  )
}
