import type { Clock } from '@plantroom/base/clock'
import { topics } from '@plantroom/contract/topics'
import type { Uplink } from '../store/confirmed-sender.ts'
import { createAlignedTimer } from './aligned-timer.ts'
import type { LiveDatapoint, LiveReader } from './live-reader.ts'

/** The reply to a command may have to wait for one message on a slow link, not for all of them. */
const LARGE_BYTES = 256 * 1024

/** Pushes the live value of every datapoint per its `broadcastInterval`, while there is someone to push it to. */
export interface Broadcasting {
  /** Commissioning has changed: reads the datapoints again. */
  apply(): void
  close(): void
}

export function startBroadcasting(deps: {
  live: LiveReader
  uplink: Uplink
  deviceId: string
  clock: Clock
}): Broadcasting {
  const { live, uplink, deviceId, clock } = deps
  const topic = topics.broadcast(deviceId)
  const timer = createAlignedTimer<LiveDatapoint>({
    clock,
    secondsOf: ({ datapoint }) => datapoint.broadcastInterval,
    due(groups) {
      if (!uplink.connected) return
      for (const payload of payloads(groups.flatMap(({ items }) => items))) uplink.publish(topic, payload, 0)
    },
  })
  timer.apply(live.datapoints())

  return { apply: () => timer.apply(live.datapoints()), close: () => timer.close() }
}

/** `Broadcast` as JSON, in as many messages as it takes. */
function* payloads(items: readonly LiveDatapoint[]): Generator<string> {
  let entries: string[] = []
  let bytes = 0
  for (const item of items) {
    const entry = `${JSON.stringify(item.datapoint.id)}:${JSON.stringify(item.current())}`
    const size = Buffer.byteLength(entry) + 1
    if (bytes > 0 && bytes + size > LARGE_BYTES) {
      yield message(entries)
      entries = []
      bytes = 0
    }
    entries.push(entry)
    bytes += size
  }
  yield message(entries)
}

function message(entries: readonly string[]): string {
  return `{"values":{${entries.join(',')}}}`
}
