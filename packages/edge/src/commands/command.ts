import type { COMMISSION, Command } from '@plantroom/contract/commands'
import type { GET_CONTROL_STATE } from '@plantroom/contract/control-state'
import type { Caller } from '../overrides/once.ts'

/** Every command that a device answers: those of partners, and those of the cloud alone. */
export type CommandName = Command | typeof COMMISSION | typeof GET_CONTROL_STATE

/** Carries out one command. Returns the reply as JSON text; throws a `Failure` when the device rejects it. */
export type CommandHandler = (data: Record<string, unknown>, caller: Caller) => string | Promise<string>

/** One handler per command. A missing or an extra handler does not compile. */
export type CommandHandlers = Readonly<Record<CommandName, CommandHandler>>
