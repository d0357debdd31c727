import type { Clock } from '@plantroom/base/clock'
import { parseDeviceTopic, topics } from '@plantroom/contract/topics'
import type { BusReceiver, DeviceBus } from '../broker/index.ts'
import type { PendingReplies } from './pending-replies.ts'
import type { Presence } from './presence.ts'

/** The nonce of a time request, which the answer repeats in its topic. Our devices send shorter ones. */
const MAX_NONCE = 64

/** Receives the messages of one kind. The device is authenticated; the payload is not validated. */
interface Receiver {
  receive(deviceId: string, payload: Buffer): void
}

export type Receivers = Readonly<Record<'reports' | 'measurements' | 'broadcast', Receiver>>

/** Routes messages of devices to pending replies, presence or a receiver, and answers requests for the time. */
export function createInbox(deps: {
  bus: DeviceBus
  pending: PendingReplies
  presence: Presence
  clock: Clock
  receivers: Receivers
}): BusReceiver {
  const { bus, pending, presence, clock, receivers } = deps
  return {
    message(topic, payload) {
      const message = parseDeviceTopic(topic)
      if (message?.kind === 'reply') {
        pending.settle(message.deviceId, message.correlationId, message.status, payload)
      } else if (message?.kind === 'status') {
        presence.update(message.deviceId, payload)
      } else if (message?.kind === 'reports' || message?.kind === 'measurements' || message?.kind === 'broadcast') {
        receivers[message.kind].receive(message.deviceId, payload)
      } else if (message?.kind === 'askTime' && message.asked.length <= MAX_NONCE) {
        bus.send(message.deviceId, topics.time(message.deviceId, message.asked), Buffer.from(String(clock.now())))
      }
    },
    lost: () => presence.forgetAll(),
  }
}
