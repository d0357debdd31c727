import type { Clock } from '@plantroom/base/clock'
import type { Broadcast } from '@plantroom/contract/telemetry'
import { topics } from '@plantroom/contract/topics'
import type { DatapointValue } from '@plantroom/contract/values'
import { type JsonMember, type JsonText, jsonFields, jsonMember, jsonObject, toJson } from '../json-text.ts'
import type { Uplink } from '../store/confirmed-sender.ts'
import { createAlignedTimer } from './aligned-timer.ts'
import type { LiveDatapoint } from './live-reader.ts'

/** Largest broadcast message. On a slow link, a reply then waits for one message, not for all of them. */
const MAX_MESSAGE_BYTES = 256 * 1024

/** Sends the live value of every datapoint once per `broadcastInterval` while the cloud is connected. */
export interface Broadcasting {
  /** Reloads the datapoints after commissioning. */
  apply(): void
  close(): void
}

type ShownDatapoint = Pick<LiveDatapoint, 'datapoint' | 'current'>

export function startBroadcasting(deps: {
  live: { datapoints(): Iterable<ShownDatapoint> }
  uplink: Uplink
  deviceId: string
  clock: Clock
}): Broadcasting {
  const { live, uplink, deviceId, clock } = deps
  const topic = topics.broadcast(deviceId)
  const timer = createAlignedTimer<ShownDatapoint>({
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

/** Yields the `Broadcast` as JSON, in as many messages as needed. */
function* payloads(items: readonly ShownDatapoint[]): Generator<JsonText<Broadcast>> {
  let entries: JsonMember<DatapointValue>[] = []
  let bytes = 0
  for (const item of items) {
    const entry = jsonMember(item.datapoint.id, toJson(item.current()))
    const size = Buffer.byteLength(entry) + 1
    if (bytes > 0 && bytes + size > MAX_MESSAGE_BYTES) {
      yield broadcastOf(entries)
      entries = []
      bytes = 0
    }
    entries.push(entry)
    bytes += size
  }
  yield broadcastOf(entries)
}

const broadcastOf = (entries: readonly JsonMember<DatapointValue>[]) =>
  jsonFields<Broadcast>({ values: jsonObject(entries) })
