import type { Log } from '@plantroom/base/log'
import { type BatchReceiver, createBatchReceiver, type DeviceBus } from '../broker/index.ts'
import { readReportBatch } from './report-batch.ts'
import type { Place, ReportStore } from './report-store.ts'

export interface ReportReceiverDeps {
  bus: Pick<DeviceBus, 'send'>
  store: Pick<ReportStore, 'add'>
  findDevice(deviceId: string): Place | undefined
  log: Log
}

/** Stores each audit entry once, and confirms it to its device. */
export function createReportReceiver(deps: ReportReceiverDeps): BatchReceiver {
  const { bus, store, findDevice, log } = deps
  return createBatchReceiver({
    kind: 'reports',
    bus,
    log,
    read: readReportBatch,
    async store(deviceId, entries) {
      const place = findDevice(deviceId)
      if (!place) throw new Error('the device no longer exists')
      return store.add(place, entries)
    },
  })
}
