import type { Log } from '@plantroom/base/log'
import type { DeviceBus } from '../broker/device-bus.ts'
import { createIntake, type Intake } from '../broker/intake.ts'
import { judgeReports } from './judge-reports.ts'
import type { Place, ReportStore } from './report-store.ts'

/** Keeps what devices report, each entry once, and confirms it. */
export function receiveReports(deps: {
  bus: Pick<DeviceBus, 'send'>
  store: Pick<ReportStore, 'add'>
  findDevice(deviceId: string): Place | undefined
  /** So many entries were kept that were not known before. */
  onStored(count: number): void
  log: Log
}): Intake {
  const { bus, store, findDevice, onStored, log } = deps
  return createIntake({
    what: 'reports',
    bus,
    log,
    judge: judgeReports,
    async keep(deviceId, entries) {
      const place = findDevice(deviceId)
      if (!place) throw new Error('there is no such device any more')
      onStored(await store.add(place, entries))
    },
  })
}
