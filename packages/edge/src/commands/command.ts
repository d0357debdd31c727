import { COMMAND_NAMES, type CommandName, type CommandReply, type CommandRequest } from '@plantroom/contract/commands'
import type { JsonText } from '../json-text.ts'
import type { Caller } from '../overrides/once.ts'
import { readRequest } from './read-request.ts'

/** A reply, or its text where that is at hand. */
type Reply<Name extends CommandName> = CommandReply<Name> | JsonText<CommandReply<Name>>

/** Carries out one command. Its data fits the contract. Throws a `Failure` when the device rejects it. */
export type CommandHandler<Name extends CommandName> = (
  data: CommandRequest<Name>,
  caller: Caller,
) => Reply<Name> | Promise<Reply<Name>>

/** One handler per command of the contract. A missing or an extra handler does not compile. */
export type CommandHandlers = { readonly [Name in CommandName]: CommandHandler<Name> }

/** Carries out a command with data as it arrived. Returns the reply as JSON text. */
export type MessageHandler = (data: Record<string, unknown>, caller: Caller) => string | Promise<string>

/** Checks the data of each command before its handler gets it, and serializes the reply. */
export function checkedHandlers(handlers: CommandHandlers): Readonly<Record<CommandName, MessageHandler>> {
  const entries = COMMAND_NAMES.map((name) => [name, checked(name, handlers)])
  return Object.fromEntries(entries) as Record<CommandName, MessageHandler>
}

function checked<Name extends CommandName>(name: Name, { [name]: handler }: CommandHandlers): MessageHandler {
  return (data, caller) => {
    const reply = handler(readRequest(name, data), caller)
    return reply instanceof Promise ? reply.then(toText) : toText(reply)
  }
}

const toText = (reply: object | string) => (typeof reply === 'string' ? reply : JSON.stringify(reply))
