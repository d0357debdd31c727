import type { Caller } from '../overrides/once.ts'

/** Carries out one command. Returns the reply as JSON text; throws a `Failure` when the device rejects it. */
export type CommandHandler = (data: Record<string, unknown>, caller: Caller) => string | Promise<string>

/** Everything this device can be asked, by the name of the command. */
export type CommandHandlers = Readonly<Record<string, CommandHandler>>
