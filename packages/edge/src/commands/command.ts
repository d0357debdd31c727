import type { CommandName } from '@plantroom/contract/commands'
import type { Caller } from '../overrides/once.ts'

/** Carries out one command. Returns the reply as JSON text; throws a `Failure` when the device rejects it. */
export type CommandHandler = (data: Record<string, unknown>, caller: Caller) => string | Promise<string>

/** One handler per command of the contract. A missing or an extra handler does not compile. */
export type CommandHandlers = Readonly<Record<CommandName, CommandHandler>>
