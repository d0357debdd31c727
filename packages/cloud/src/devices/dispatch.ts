import type { Clock } from '@plantroom/base/clock'
import { type CommandEnvelope, MAX_MESSAGE_BYTES } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import { topics } from '@plantroom/contract/topics'
import type { DeviceBus } from '../broker/index.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import type { PendingReplies } from './pending-replies.ts'
import type { Presence } from './presence.ts'

/** Sends one command to one device and resolves with the bytes of its reply, unparsed. Rejects with a `Failure`. */
export type Dispatch = (
  deviceId: string,
  command: string,
  request: Omit<CommandEnvelope, 'deadline'>,
) => Promise<Buffer>

export function createDispatch(deps: {
  bus: DeviceBus
  presence: Presence
  /** Resolves when a device is online or its absence is certain; `undefined` when that is known already. */
  whenKnown(deviceId: string): Promise<void> | undefined
  pending: PendingReplies
  limit: ConcurrencyLimit
  clock: Clock
  cloudId: string
  replyTimeoutMs: number
}): Dispatch {
  const { bus, presence, whenKnown, pending, limit, clock, cloudId, replyTimeoutMs } = deps
  let sent = 0

  return (deviceId, command, request) => {
    const received = clock.monotonic()
    const send = (): Promise<Buffer> => {
      // Checked only now: the device may have disconnected while the command was queued.
      if (!bus.connected || !presence.isOnline(deviceId)) {
        throw new Failure('offline', 'the device is offline; retry with backoff after it has reconnected')
      }
      const left = replyTimeoutMs - (clock.monotonic() - received)
      if (left <= 0) {
        throw new Failure('offline', 'the device was busy for too long; the command was not sent: retry with backoff')
      }
      const { data, ...caller } = request
      const envelope: CommandEnvelope = { ...caller, deadline: clock.now() + left, data }
      const payload = Buffer.from(JSON.stringify(envelope))
      if (payload.length > MAX_MESSAGE_BYTES) {
        const message = `the command has ${payload.length} bytes, more than the ${MAX_MESSAGE_BYTES} that a device accepts`
        throw new Failure('invalid', message, 'data')
      }

      sent += 1
      const correlationId = sent.toString(36)
      const reply = pending.expect(deviceId, correlationId, left)
      bus.send(deviceId, topics.command(deviceId, command, cloudId, correlationId), payload)
      return reply
    }
    return limit.run(deviceId, () => {
      const known = bus.connected ? whenKnown(deviceId) : undefined
      return known ? known.then(send) : send()
    })
  }
}
