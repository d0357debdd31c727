import type { Clock } from '@plantroom/base/clock'
import { parseDeviceTopic, topics } from '@plantroom/contract/topics'
import type { BusReceiver, DeviceBus } from '../broker/index.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { createDispatch, type Dispatch } from './dispatch.ts'
import { createPendingReplies, type PendingReplies } from './pending-replies.ts'
import { createPresence, type Presence } from './presence.ts'

/** The nonce of a time request, which the answer repeats in its topic. Our devices send shorter ones. */
const MAX_NONCE = 64
/** Per device: commands sent and not yet answered, and commands waiting to be sent. */
const COMMAND_LIMITS = { running: 32, queued: 256 }

/** Receives the messages of one kind. The device is authenticated; the payload is not validated. */
interface Receiver {
  receive(deviceId: string, payload: Buffer): void
}

type Receivers = Readonly<Record<'reports' | 'measurements' | 'broadcast' | 'health', Receiver>>

/** The connection to all devices: which are online, and commands to them. */
export interface DeviceLink {
  presence: Presence
  dispatch: Dispatch
  /** Sets the only listener for devices that come online. */
  onBack(listener: (deviceId: string) => void): void
}

/** Starts receiving from the bus: replies and presence stay here, the rest goes to `receivers`. */
export function connectDevices(deps: {
  bus: DeviceBus
  receivers: Receivers
  clock: Clock
  cloudId: string
  replyTimeoutMs: number
}): DeviceLink {
  const { bus, receivers, clock } = deps
  const pending = createPendingReplies(clock)
  let onBack = (_deviceId: string) => {}
  const presence = createPresence(pending.abandon, (deviceId) => onBack(deviceId))
  bus.receive(createInbox({ bus, pending, presence, clock, receivers }))
  const limit = createConcurrencyLimit(COMMAND_LIMITS)
  return {
    presence,
    dispatch: createDispatch({ ...deps, presence, pending, limit }),
    onBack(listener) {
      onBack = listener
    },
  }
}

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
      } else if (message?.kind === 'askTime') {
        if (message.asked.length > MAX_NONCE) return
        bus.send(message.deviceId, topics.time(message.deviceId, message.asked), Buffer.from(String(clock.now())))
      } else if (message) {
        receivers[message.kind].receive(message.deviceId, payload)
      }
    },
    lost: () => presence.forgetAll(),
  }
}
