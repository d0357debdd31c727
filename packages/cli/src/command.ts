import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/** The command line was wrong: exit 2, with what to do instead. */
export class UsageError extends Error {}

/** It did not turn out well, as what was printed says already: exit 1, and not a word more. */
export class ReportedFailure extends Error {}

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

// parseArgs takes -20 for the flag -2. A mark in front hides it; no argument of a process can hold this character.
const MARK = '\0'
const NEGATIVE = /^-\.?\d/

/**
 * Parses what follows the name of a command; a mistake is a `UsageError`. A negative number is an argument, or the value
 * of the flag before it: no flag of ours begins with a digit.
 */
export function parse<Options extends ParseArgsOptionsConfig>(args: readonly string[], options: Options) {
  const marked = args.map((arg) => (NEGATIVE.test(arg) ? `${MARK}${arg}` : arg))
  try {
    const parsed = parseArgs({ args: marked, options, allowPositionals: true, strict: true })
    const values = Object.entries(parsed.values).map(([name, value]) => [name, unmarked(value)])
    return {
      values: Object.fromEntries(values) as typeof parsed.values,
      positionals: parsed.positionals.map((arg) => unmarked(arg) as string),
    }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked)
  return typeof value === 'string' && value.startsWith(MARK) ? value.slice(MARK.length) : value
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
