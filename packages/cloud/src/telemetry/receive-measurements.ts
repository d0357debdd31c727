import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { DeviceBus } from '../broker/device-bus.ts'
import { createIntake, type Intake } from '../broker/intake.ts'
import { judgeMeasurements } from './judge-measurements.ts'
import type { MeasurementStore } from './measurement-store.ts'

/** Keeps what devices measure, each value once, and confirms it. */
export function receiveMeasurements(deps: {
  bus: Pick<DeviceBus, 'send'>
  store: Pick<MeasurementStore, 'add'>
  findDevice(deviceId: string): object | undefined
  /** So many measurements were kept that were not known before. */
  onStored(count: number): void
  clock: Clock
  log: Log
}): Intake {
  const { bus, store, findDevice, onStored, clock, log } = deps
  return createIntake({
    what: 'measurements',
    bus,
    log,
    judge: (_deviceId, batch) => judgeMeasurements(batch, clock.now()),
    async keep(deviceId, kept) {
      if (!findDevice(deviceId)) throw new Error('there is no such device any more')
      onStored(await store.add(deviceId, kept))
    },
  })
}
