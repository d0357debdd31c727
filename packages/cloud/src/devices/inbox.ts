import type { Clock } from '@plantroom/base/clock'
import { parseDeviceTopic, topics } from '@plantroom/contract/topics'
import type { BusReceiver, DeviceBus } from '../broker/device-bus.ts'
import type { PendingReplies } from './pending-replies.ts'
import type { Presence } from './presence.ts'

/** What comes back in the topic of the answer; more than this, no device of ours asks. */
const MAX_ASKED = 64

/** Sorts what devices send: replies to whoever waits, status to presence, and the time of day to whoever asks. */
export function createInbox(deps: {
  bus: DeviceBus
  pending: PendingReplies
  presence: Presence
  clock: Clock
}): BusReceiver {
  const { bus, pending, presence, clock } = deps
  return {
    message(topic, payload) {
      const message = parseDeviceTopic(topic)
      if (message?.kind === 'reply') {
        pending.arrived(message.deviceId, message.correlationId, message.status, payload)
      } else if (message?.kind === 'status') {
        presence.heard(message.deviceId, payload)
      } else if (message?.kind === 'askTime' && message.asked.length <= MAX_ASKED) {
        bus.send(message.deviceId, topics.time(message.deviceId, message.asked), Buffer.from(String(clock.now())))
      }
    },
    lost: () => presence.forgetAll(),
  }
}
