import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/** The command line was wrong: exit 2, with what to do instead. */
export class UsageError extends Error {}

/** One `plantroom` command. */
export interface Command {
  /** What to type, and what it does, one line each: the first lines of its help. */
  usage: string
  run(args: readonly string[]): Promise<void>
}

/** What to do for each verb of a command, such as `add` and `list`. A verb that is none is told before anything else. */
export function byVerb(verbs: Readonly<Record<string, Command['run']>>): Command['run'] {
  return async ([verb, ...args]) => {
    const run = verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
    if (!run)
      throw new UsageError(
        `say ${Object.keys(verbs)
          .join(', ')
          .replace(/, (\w+)$/, ' or $1')}`,
      )
    await run(args)
  }
}

/** Flags that every command takes which prints a result of the service. */
export const COMMON_FLAGS = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  url: { type: 'string' },
  org: { type: 'string' },
} as const satisfies ParseArgsOptionsConfig

/** Parses what follows the name of a command; a mistake is a `UsageError`. */
export function parse<Options extends ParseArgsOptionsConfig>(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** The positional arguments by name; too few or too many is a `UsageError`. */
export function positionals<Name extends string>(
  given: readonly string[],
  ...names: readonly Name[]
): Record<Name, string> {
  const missing = names[given.length]
  if (missing !== undefined) throw new UsageError(`${missing} is missing`)
  if (given.length > names.length) throw new UsageError(`${given[names.length]} is one argument too many`)
  return Object.fromEntries(names.map((name, index) => [name, given[index]])) as Record<Name, string>
}

/** A setting that the command cannot do without. */
export function required(value: string | undefined, what: string): string {
  if (value === undefined || value === '') throw new UsageError(`${what} is missing`)
  return value
}
