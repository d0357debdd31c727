import type { Clock } from '@plantroom/base/clock'
import { currentCorrelation } from '@plantroom/base/correlation'
import type { FairQueue } from '@plantroom/base/fair-queue'
import type { Log } from '@plantroom/base/log'
import { type Trace, traced } from '@plantroom/base/trace'
import { type CommandEnvelope, isChange, MAX_MESSAGE_BYTES } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import { deviceMisfit, fitOf, RELEASING_COMMANDS, type Software } from '@plantroom/contract/software'
import { topics } from '@plantroom/contract/topics'
import type { DeviceBus } from '../../platform/broker/index.ts'
import type { PendingReplies } from './pending-replies.ts'
import type { Presence } from './presence.ts'

/** Sends one command to one device and resolves with the bytes of its reply, unparsed. Rejects with a `Failure`. */
export type Dispatch = (
  deviceId: string,
  command: string,
  request: Omit<CommandEnvelope, 'deadline'>,
  options?: DispatchOptions,
) => Promise<Buffer>

export interface DispatchOptions {
  /** The device must not act on the command after this time, and its reply is not awaited longer. */
  deadline?: number
  /** Called when the command leaves: from then on the device may have received it, whatever comes back. */
  onSent?(): void
}

export function createDispatch(deps: {
  bus: DeviceBus
  presence: Presence
  /** Resolves when a device is online or its absence is certain; `undefined` when that is known already. */
  whenKnown(deviceId: string): Promise<void> | undefined
  pending: PendingReplies
  /** By device. */
  queue: FairQueue
  clock: Clock
  cloudId: string
  replyTimeoutMs: number
  log: Log
  trace?: Trace | undefined
}): Dispatch {
  const { bus, presence, whenKnown, pending, queue, clock, cloudId, replyTimeoutMs, trace } = deps
  let sent = 0

  return (deviceId, command, request, { deadline = Number.POSITIVE_INFINITY, onSent } = {}) => {
    const received = clock.monotonic()
    // Read now: a command that was queued leaves in the context of the one before it.
    const { requestId } = currentCorrelation()
    const send = (): Promise<Buffer> => {
      // Checked only now: the device may have disconnected while the command was queued.
      if (!bus.connected || !presence.isOnline(deviceId)) {
        throw new Failure('offline', 'the device is offline; retry with backoff after it has reconnected')
      }
      rejectMisfit(presence.softwareOf(deviceId), command)
      const left = Math.min(replyTimeoutMs - (clock.monotonic() - received), deadline - clock.now())
      if (left <= 0) {
        throw new Failure('offline', 'the device was busy for too long; the command was not sent: retry with backoff')
      }
      const { data, ...caller } = request
      const envelope: CommandEnvelope = {
        ...caller,
        ...(requestId !== undefined && { requestId }),
        deadline: clock.now() + left,
        data,
      }
      const payload = Buffer.from(JSON.stringify(envelope))
      if (payload.length > MAX_MESSAGE_BYTES) {
        const message = `the command has ${payload.length} bytes, more than the ${MAX_MESSAGE_BYTES} that a device accepts`
        throw new Failure('invalid', message, 'data')
      }

      sent += 1
      const correlationId = sent.toString(36)
      const reply = pending.expect(deviceId, correlationId, left)
      onSent?.()
      bus.send(deviceId, topics.command(deviceId, command, cloudId, correlationId), payload)
      return reply
    }
    const about = {
      name: `send ${command}`,
      kind: 'client' as const,
      attributes: { 'messaging.system': 'mqtt', 'plantroom.device.id': deviceId, 'plantroom.req.id': request.reqId },
    }
    const answered = traced(trace, about, () =>
      queue.run(deviceId, () => {
        const known = bus.connected ? whenKnown(deviceId) : undefined
        return known ? known.then(send) : send()
      }),
    )
    const ms = () => Math.round(clock.monotonic() - received)
    return logged(deps.log, answered, { command, device: deviceId, reqId: request.reqId, requestId }, ms)
  }
}

/** Logs how a command ended: at the usual level if it changes something, because people look for it later. */
async function logged(
  log: Log,
  answered: Promise<Buffer>,
  about: { command: string; device: string; reqId: string; requestId: string | undefined },
  ms: () => number,
): Promise<Buffer> {
  const level = isChange(about.command) ? 'info' : 'debug'
  try {
    const reply = await answered
    log[level]({ ...about, ms: ms() }, 'the device answered the command')
    return reply
  } catch (error) {
    log[level]({ ...about, ms: ms(), reason: (error as Error).message }, 'the command was not carried out')
    throw error
  }
}

/** Sends only releases to a device whose software does not fit. */
function rejectMisfit(software: Software | undefined, command: string): void {
  const fit = software ? fitOf(software) : 'yes'
  if (!software || fit === 'yes' || RELEASING_COMMANDS.has(command)) return
  throw new Failure('rejected', deviceMisfit(software, fit))
}
