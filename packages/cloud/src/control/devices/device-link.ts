import type { Clock } from '@plantroom/base/clock'
import { createFairQueue } from '@plantroom/base/fair-queue'
import type { Log } from '@plantroom/base/log'
import type { Trace } from '@plantroom/base/trace'
import { Failure } from '@plantroom/contract/failure'
import { deviceMisfit, fitOf, timeAnswer } from '@plantroom/contract/software'
import { type DeviceMessage, parseDeviceTopic, topics } from '@plantroom/contract/topics'
import type { BusReceiver, DeviceBus } from '../../platform/broker/index.ts'
import type { Mirror } from '../../platform/db/mirror.ts'
import { reportEachMinute } from '../../platform/routes/index.ts'
import { type Ask, createAsk } from './ask.ts'
import { createDispatch, type Dispatch } from './dispatch.ts'
import { newestMessages } from './newest-messages.ts'
import { createPendingReplies, type PendingReplies } from './pending-replies.ts'
import { PING_CORRELATION } from './pings.ts'
import { createPresence, type Presence } from './presence.ts'
import { createPresenceCheck, type PresenceCheck } from './presence-check.ts'
import { gatherReturns } from './returns.ts'

/** The nonce of a time request, which the answer repeats in its topic. Our devices send shorter ones. */
const MAX_NONCE = 64
/** Per device: commands sent and not yet answered, and commands waiting to be sent. */
const COMMAND_LIMITS = { atOncePerGroup: 32, waitingPerGroup: 256 }

const deviceBusy = () =>
  new Failure('offline', 'the device is busy: 288 commands are ahead of this one; retry with backoff')

/** Receives the messages of one kind. The device is authenticated; the payload is not validated. */
interface Receiver {
  receive(deviceId: string, payload: Buffer): void
}

type Receivers = Readonly<Record<'reports' | 'measurements' | 'broadcast' | 'health' | 'state', Receiver>>

/** The devices that exist. */
export type KnownDevices = Pick<Mirror<{ id: string }>, 'get' | 'ids' | 'subscribe'>

/** The connection to all devices: which are online, and commands to them. */
export interface DeviceLink {
  presence: Presence
  dispatch: Dispatch
  /** Sends one command, as `dispatch`, and resolves with the checked reply. */
  ask: Ask
  /** Adds a listener for devices that come online, gathered over a moment. */
  onBack(listener: (deviceIds: readonly string[]) => void): void
  /** Every device has been looked at since the broker is connected. */
  readonly isComplete: boolean
  close(): void
}

/** Starts receiving from the bus: replies and presence stay here, the rest goes to `receivers`. */
export function connectDevices(deps: {
  bus: DeviceBus
  devices: KnownDevices
  receivers: Receivers
  clock: Clock
  log: Log
  cloudId: string
  replyTimeoutMs: number
  trace?: Trace | undefined
}): DeviceLink {
  const { bus, devices, clock, log } = deps
  const pending = createPendingReplies(clock)
  const returns = gatherReturns(clock)
  const presence = createPresence(pending.abandon, returns.add)
  const check = createPresenceCheck({ ...deps, presence, deviceIds: devices.ids })
  devices.subscribe((before, after) => {
    if (before && !after) presence.forget(before.id)
    // It may have announced itself before this process knew that it exists.
    if (!before && after) check.doubt(after.id)
  })
  const [health, state] = [newestMessages(clock, deps.receivers.health), newestMessages(clock, deps.receivers.state)]
  const receivers = { ...deps.receivers, health, state }
  bus.receive(createInbox({ bus, devices, pending, presence, check, clock, log, receivers }))
  const queue = createFairQueue(COMMAND_LIMITS, deviceBusy)
  const dispatch = createDispatch({ ...deps, presence, whenKnown: check.whenKnown, pending, queue })
  return {
    presence,
    dispatch,
    ask: createAsk(dispatch),
    onBack: returns.onBack,
    get isComplete() {
      return check.isComplete
    },
    close() {
      for (const part of [returns, check, health, state]) part.close()
    },
  }
}

interface InboxDeps {
  bus: DeviceBus
  devices: Pick<KnownDevices, 'get'>
  pending: PendingReplies
  presence: Presence
  check: PresenceCheck
  clock: Clock
  log: Log
  receivers: Receivers
}

/** Routes messages of devices to pending replies, presence or a receiver, and answers requests for the time. */
export function createInbox(deps: InboxDeps): BusReceiver {
  const { devices, presence, check, clock, log, receivers } = deps
  // A foreign broker keeps the connection of a device that was removed.
  const ignore = reportEachMinute(clock.monotonic, (device, count) =>
    log.warn({ device, count }, 'ignored messages of devices that do not exist; remove their accounts from the broker'),
  )
  return {
    message(topic, payload, isRetained = false) {
      const message = parseDeviceTopic(topic)
      if (!message) return
      const { deviceId } = message
      if (!devices.get(deviceId)) {
        // The broker keeps the last status of a removed device for ever, which is no sign of a connection.
        if (!isRetained) ignore(deviceId)
        return
      }
      if (!isRetained) check.heard(deviceId)
      if (message.kind === 'status') {
        const outcome = presence.update(deviceId, payload, isRetained)
        check.status(deviceId, outcome, isRetained)
        if (outcome === 'changed') warnOfMisfit(deps, deviceId)
      } else if (message.kind === 'reply' || message.kind === 'askTime') {
        answer(deps, message, payload)
      } else {
        if (!presence.isOnline(deviceId)) check.doubt(deviceId)
        receivers[message.kind].receive(deviceId, payload)
      }
    },
    found: check.found,
    lost() {
      check.lost()
      presence.forgetAll()
    },
  }
}

function answer({ bus, pending, presence, check, clock }: InboxDeps, message: DeviceMessage, payload: Buffer): void {
  const { deviceId } = message
  if (message.kind === 'askTime' && message.asked.length <= MAX_NONCE) {
    bus.send(deviceId, topics.time(deviceId, message.asked), Buffer.from(timeAnswer(clock.now())))
  }
  if (message.kind !== 'reply') return
  if (message.correlationId !== PING_CORRELATION) {
    pending.settle(deviceId, message.correlationId, message.status, payload)
    return
  }
  if (message.status === 'ok') presence.update(deviceId, payload)
  presence.answered(deviceId)
  check.answered(deviceId)
}

function warnOfMisfit({ presence, log }: InboxDeps, device: string): void {
  const software = presence.softwareOf(device)
  const fit = software ? fitOf(software) : 'yes'
  if (software && fit !== 'yes' && presence.isOnline(device)) {
    log.warn({ device, reason: deviceMisfit(software, fit) }, 'a device gets no commands, except cancels')
  }
}
