import { correlate, readRequestId } from '@plantroom/base/correlation'
import type { Log } from '@plantroom/base/log'
import { type CommandEnvelope, isChange, MAX_CALLER_NAME, MAX_MESSAGE_BYTES } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { RELEASING_COMMANDS } from '@plantroom/contract/software'
import type { ReplyStatus } from '@plantroom/contract/topics'
import type { MessageHandler } from '../commands/command.ts'
import type { Caller } from '../overrides/once.ts'
import type { CloudTime } from './cloud-time.ts'

/** Leaves room for the topic and the header beside the payload. */
const MAX_REPLY_BYTES = MAX_MESSAGE_BYTES - 1024
/** Length limit for the reason of an unexpected error, in characters. */
const LONGEST_REASON = 500

export interface Reply {
  status: ReplyStatus
  payload: Buffer
}

/** Runs the command in a message and returns the reply. There is always a reply, even to a command that fails. */
export async function runCommand(
  command: string,
  payload: Buffer,
  deps: {
    handlers: Readonly<Record<string, MessageHandler>>
    cloudTime: CloudTime
    /** Why the cloud and this device do not work together. Only releases are carried out then. */
    misfit?: string | undefined
    log: Log
  },
): Promise<Reply> {
  const envelope = readEnvelope(payload)
  const requestId = readRequestId(envelope?.requestId)
  const reqId = readRequestId(envelope?.reqId)
  return correlate({ ...(reqId && { reqId }), ...(requestId && { requestId }) }, async () => {
    const reply = await carryOut(command, envelope, deps)
    const isOk = reply.status === 'ok'
    const reason = isOk ? undefined : shown(reply.payload.toString(), LONGEST_REASON)
    deps.log[isChange(command) ? 'info' : 'debug']({ command, reason }, isOk ? 'command accepted' : 'command rejected')
    return reply
  })
}

/** `undefined` for a payload that is not JSON. */
function readEnvelope(payload: Buffer): CommandEnvelope | undefined {
  try {
    return (JSON.parse(payload.toString()) as CommandEnvelope | null) ?? undefined
  } catch {
    return undefined
  }
}

async function carryOut(
  command: string,
  envelope: CommandEnvelope | undefined,
  { handlers, cloudTime, misfit, log }: Parameters<typeof runCommand>[2],
): Promise<Reply> {
  try {
    if (misfit !== undefined && !RELEASING_COMMANDS.has(command)) throw new Failure('rejected', misfit)
    if (!envelope) throw new Failure('rejected', 'the command is not JSON; update the software of the cloud')
    const { deadline, data } = envelope
    // Written this way round, a command without a deadline counts as late.
    const inTime = () => cloudTime.latest() <= deadline
    const leftMs = () => deadline - cloudTime.latest()
    if (!inTime()) {
      throw new Failure('rejected', 'the command arrived after its deadline; nothing was done')
    }
    const handler = Object.hasOwn(handlers, command) ? handlers[command] : undefined
    if (!handler)
      throw new Failure('rejected', `this device does not know the command ${shown(command)}; update its software`)
    const reply = Buffer.from(await handler(data, { ...callerOf(envelope), inTime, leftMs }))
    if (reply.length > MAX_REPLY_BYTES) {
      throw new Failure(
        'rejected',
        `the reply has ${reply.length} bytes, more than a message may (${MAX_REPLY_BYTES}); ask for less, or spread the datapoints over more connections`,
      )
    }
    return { status: 'ok', payload: reply }
  } catch (error) {
    if (error instanceof Failure) return { status: 'rejected', payload: Buffer.from(error.message) }
    log.error({ err: error, command }, 'command failed')
    const reason = error instanceof Error ? error.message : String(error)
    return {
      status: 'rejected',
      payload: Buffer.from(`the device could not carry out ${shown(command)}: ${shown(reason, LONGEST_REASON)}`),
    }
  }
}

function callerOf(envelope: CommandEnvelope): Omit<Caller, 'inTime' | 'leftMs'> {
  const [keyId, reqId] = [String(envelope.keyId), String(envelope.reqId)]
  const { callerName } = envelope
  return {
    keyId,
    reqId,
    name: typeof callerName === 'string' ? callerName.slice(0, MAX_CALLER_NAME) : '',
  }
}
