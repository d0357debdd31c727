import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { type BatchReceiver, createBatchReceiver, type DeviceBus } from '../broker/index.ts'
import { readMeasurementBatch } from './measurement-batch.ts'
import type { MeasurementStore } from './measurement-store.ts'

export interface MeasurementReceiverDeps {
  bus: Pick<DeviceBus, 'send'>
  store: Pick<MeasurementStore, 'add'>
  findDevice(deviceId: string): object | undefined
  clock: Clock
  log: Log
}

/** Stores each measurement once, and confirms it to its device. */
export function createMeasurementReceiver(deps: MeasurementReceiverDeps): BatchReceiver {
  const { bus, store, findDevice, clock, log } = deps
  return createBatchReceiver({
    kind: 'measurements',
    bus,
    log,
    read: (_deviceId, batch) => readMeasurementBatch(batch, clock.now()),
    async store(deviceId, items) {
      if (!findDevice(deviceId)) throw new Error('the device no longer exists')
      return store.add(deviceId, items)
    },
  })
}
