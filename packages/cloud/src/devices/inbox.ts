import type { Clock } from '@plantroom/base/clock'
import { parseDeviceTopic, topics } from '@plantroom/contract/topics'
import type { BusReceiver, DeviceBus } from '../broker/device-bus.ts'
import type { PendingReplies } from './pending-replies.ts'
import type { Presence } from './presence.ts'

/** What comes back in the topic of the answer; more than this, no device of ours asks. */
const MAX_ASKED = 64

/** Takes what a device sent, in whole: whose it is was read off the topic, what it says is not yet judged. */
export type Receiver = (deviceId: string, payload: Buffer) => void

/** Sorts what devices send: replies to whoever waits, status to presence, the rest to its receiver; tells the time to whoever asks. */
export function createInbox(deps: {
  bus: DeviceBus
  pending: PendingReplies
  presence: Presence
  clock: Clock
  receivers: Readonly<Record<'reports' | 'measurements' | 'broadcast', Receiver>>
}): BusReceiver {
  const { bus, pending, presence, clock, receivers } = deps
  return {
    message(topic, payload) {
      const message = parseDeviceTopic(topic)
      if (message?.kind === 'reply') {
        pending.arrived(message.deviceId, message.correlationId, message.status, payload)
      } else if (message?.kind === 'status') {
        presence.heard(message.deviceId, payload)
      } else if (message?.kind === 'reports' || message?.kind === 'measurements' || message?.kind === 'broadcast') {
        receivers[message.kind](message.deviceId, payload)
      } else if (message?.kind === 'askTime' && message.asked.length <= MAX_ASKED) {
        bus.send(message.deviceId, topics.time(message.deviceId, message.asked), Buffer.from(String(clock.now())))
      }
    },
    lost: () => presence.forgetAll(),
  }
}
