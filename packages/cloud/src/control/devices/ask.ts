import { randomUUID } from 'node:crypto'
import {
  COMMANDS,
  type CommandEnvelope,
  type CommandName,
  type CommandReply,
  type CommandRequest,
} from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import { read } from '@plantroom/contract/read'
import { findUnstorableText, storableJson } from '../../platform/db/storable-text.ts'
import type { Dispatch, DispatchOptions } from './dispatch.ts'
import { fromAnyVersion } from './earlier-state.ts'

/** Who asks. The service itself unless stated. */
type AskedBy = Partial<Omit<CommandEnvelope, 'data' | 'deadline' | 'requestId'>>

/** Sends one command to one device and resolves with its checked reply. Rejects with a `Failure`. */
export type Ask = <Name extends CommandName>(
  deviceId: string,
  command: Name,
  data: CommandRequest<Name>,
  by?: AskedBy,
  options?: DispatchOptions,
) => Promise<CommandReply<Name>>

/** The device answered something else than the contract says. It may have done what it was asked to do. */
export class UnreadableReply extends Failure {
  constructor(command: string, problem: string) {
    super(
      'offline',
      `the device answered ${command} with a reply that this service cannot read (${problem}); update its software`,
    )
  }
}

export function createAsk(dispatch: Dispatch): Ask {
  return async (deviceId, command, data, by, options) => {
    const request = { reqId: randomUUID(), keyId: 'operator', ...by, data: { ...data } }
    return readReply(command, await dispatch(deviceId, command, request, options))
  }
}

/** Returns the declared fields of a reply, in texts that the database can store. Throws an `UnreadableReply`. */
export function readReply<Name extends CommandName>(command: Name, reply: Buffer): CommandReply<Name> {
  try {
    const text = reply.toString()
    // Equipment puts anything into its messages, and a state has all of them.
    const given = command === 'getControlState' ? fromAnyVersion(parse(cleaned(text))) : parse(text)
    return read(COMMANDS[command].reply, given) as CommandReply<Name>
  } catch (error) {
    throw new UnreadableReply(command, error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message)
  }
}

/** The same; `undefined` instead of an error. */
export function readReplyIfValid<Name extends CommandName>(
  command: Name,
  reply: Buffer,
): CommandReply<Name> | undefined {
  try {
    return readReply(command, reply)
  } catch {
    return undefined
  }
}

function parse(text: string): unknown {
  const parsed: unknown = JSON.parse(text)
  const unstorable = findUnstorableText(text, parsed)
  if (unstorable) throw new Error(`${unstorable.field} ${unstorable.rule}`)
  return parsed
}

/** Replaces characters that no column can store. */
function cleaned(text: string): string {
  const parsed: unknown = JSON.parse(text)
  if (!findUnstorableText(text, parsed)) return text
  return storableJson(parsed)
}
