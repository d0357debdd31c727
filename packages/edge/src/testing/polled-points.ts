import type { Clock } from '@plantroom/base/clock'
import type { Consumption, Datapoint } from '@plantroom/contract/datapoint'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { aDatapoint } from '@plantroom/testkit/technical-system'
import type { LiveDatapoint, LiveReader } from '../telemetry/live-reader.ts'

const POLL_MS = 500

/** A datapoint whose value the test sets. */
export interface PolledPoint extends Pick<LiveDatapoint, 'datapoint' | 'timeZone' | 'consumption' | 'pollSeconds'> {
  value: number | null
  live: boolean
}

export function polledPoint(
  about: Partial<Datapoint> & { id: string },
  {
    value = 1,
    timeZone = 'UTC',
    consumption,
  }: { value?: number | null; timeZone?: string; consumption?: Omit<Consumption, 'datapointId'> } = {},
): PolledPoint {
  return {
    datapoint: aDatapoint(about),
    timeZone,
    consumption: consumption && { datapointId: about.id, ...consumption },
    pollSeconds: POLL_MS / 1000,
    value,
    live: true,
  }
}

/** Reads the points every half second for as long as there is a watcher. */
export function pollPoints(points: readonly PolledPoint[], clock: Clock): LiveReader {
  const watchers = new Set<Parameters<LiveReader['watch']>[0]>()
  let cancel = () => {}

  function poll(): void {
    const at = clock.now()
    for (const { datapoint, live, value } of points) {
      for (const watcher of watchers) watcher(datapoint.id, { at, value: live ? value : null })
    }
    cancel = clock.after(POLL_MS, poll)
  }

  return {
    *datapoints() {
      for (const point of points) {
        const { datapoint, timeZone, consumption, pollSeconds } = point
        yield {
          datapoint,
          timeZone,
          consumption,
          pollSeconds,
          get live() {
            return point.live
          },
          current: () => ({ value: point.value, timestamp: formatTimestamp(clock.now()) }),
        }
      }
    },
    watch(watcher) {
      watchers.add(watcher)
      if (watchers.size === 1) poll()
      return () => {
        watchers.delete(watcher)
        if (watchers.size === 0) cancel()
      }
    },
  }
}
