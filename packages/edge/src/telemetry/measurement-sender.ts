import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { topics } from '@plantroom/contract/topics'
import { type ConfirmedSender, createConfirmedSender, type Uplink } from '../store/confirmed-sender.ts'
import type { MeasurementStore } from '../store/measurement-store.ts'

/** About 100 KB: far below the largest message, and quick to send over a slow link. */
const MAX_MEASUREMENTS = 1_000

/** Sends the stored measurements, and deletes them once the cloud has confirmed them. */
export function createMeasurementSender(deps: {
  store: Pick<MeasurementStore, 'next' | 'forget'>
  uplink: Uplink
  deviceId: string
  clock: Clock
  log: Log
}): ConfirmedSender {
  const { store, uplink, deviceId, clock, log } = deps
  const outbox = {
    nextBatch() {
      const batch = store.next(MAX_MEASUREMENTS)
      return batch && { upTo: batch.upTo, payload: JSON.stringify(batch) }
    },
    forget: (upTo: number) => store.forget(upTo),
  }
  return createConfirmedSender({ outbox, uplink, topic: topics.measurements(deviceId), clock, log })
}
