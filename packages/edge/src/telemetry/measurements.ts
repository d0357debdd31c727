import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { topics } from '@plantroom/contract/topics'
import { type ConfirmedSender, createConfirmedSender, type Uplink } from '../store/confirmed-sender.ts'
import type { MeasurementStore } from '../store/measurement-store.ts'
import { createAlignedTimer } from './aligned-timer.ts'
import { createIntervals } from './intervals.ts'
import type { LiveDatapoint, LiveReader } from './live-reader.ts'
import { createSpread } from './spread.ts'

/** Measures every datapoint in intervals of its `analyticsInterval`, aligned to the clock of the site. */
export interface Archive {
  /** Reloads the datapoints after commissioning. */
  apply(): void
  close(): void
}

export function startArchive(deps: {
  live: LiveReader
  store: Pick<MeasurementStore, 'add'>
  clock: Clock
  /** Called when the store has new measurements, with the shortest interval of those that were due. */
  archived(intervalSeconds: number): void
}): Archive {
  const { live, store, clock, archived } = deps
  const intervals = createIntervals()
  const timer = createAlignedTimer<LiveDatapoint>({
    clock,
    secondsOf: ({ datapoint }) => datapoint.analyticsInterval,
    timeZoneOf: ({ timeZone }) => timeZone,
    // What was seen of an interval is known however late it is.
    latestMs: Number.POSITIVE_INFINITY,
    due(groups) {
      const measurements = groups.flatMap(({ at, items }) => intervals.close(at, items))
      if (measurements.length === 0) return
      store.add(measurements)
      archived(
        Math.min(...groups.flatMap(({ items }) => items.slice(0, 1).map((item) => item.datapoint.analyticsInterval))),
      )
    },
  })
  function apply(): void {
    const archived = [...live.datapoints()].filter(({ datapoint }) => datapoint.analyticsInterval > 0)
    // First what ended before the change.
    timer.apply(archived)
    intervals.apply(archived, clock.now())
  }
  apply()
  const stopWatching = live.watch(intervals.add)

  return {
    apply,
    close() {
      stopWatching()
      timer.close()
    },
  }
}

/** About 200 KB: far below the largest message, and quick to send over a slow link. */
const MAX_MEASUREMENTS = 1_000

export interface MeasurementSender extends ConfirmedSender {
  /** Call when the store has new measurements, which are due again after this interval. */
  archived(intervalSeconds: number): void
}

/**
 * Sends the stored measurements, and deletes them once the cloud has confirmed them. It waits a little before it sends new
 * ones: all controllers measure in the same second.
 */
export function createMeasurementSender(deps: {
  store: Pick<MeasurementStore, 'next' | 'forget'>
  uplink: Uplink
  deviceId: string
  clock: Clock
  log: Log
  /** The longest wait; 20 s by default, and at most half of the interval. */
  maxDelayMs?: number
}): MeasurementSender {
  const { store, uplink, deviceId, clock, log, maxDelayMs } = deps
  const outbox = {
    nextBatch() {
      const batch = store.next(MAX_MEASUREMENTS)
      return batch && { upTo: batch.upTo, payload: JSON.stringify(batch) }
    },
    forget: (upTo: number) => store.forget(upTo),
  }
  const sender = createConfirmedSender({ outbox, uplink, topic: topics.measurements(deviceId), clock, log })
  const spread = createSpread({ deviceId, clock, action: sender.changed, maxDelayMs })
  return {
    ...sender,
    archived: spread.request,
    close() {
      spread.close()
      sender.close()
    },
  }
}
