import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { optionProblem } from '@plantroom/base/option-problem'
import { nearest, similarNames } from './suggest.ts'

/** A wrong command line: exit code 2, with a hint at the help. */
export class UsageError extends Error {}

/** A failure that the output has already explained: no other message, and exit code 1 unless stated. */
export class ReportedFailure extends Error {
  readonly exitCode: number

  constructor(exitCode = 1) {
    super()
    this.exitCode = exitCode
  }
}

/** One `plantroom` command. */
export interface Command {
  /** The help text: what to type and what it does. */
  usage: string
  run(args: readonly string[]): Promise<void>
}

/** Dispatches to a verb of a command, such as `add` or `list`. An unknown verb is a `UsageError`. */
export function byVerb(verbs: Readonly<Record<string, Command['run']>>): Command['run'] {
  return async ([verb, ...args]) => {
    const run = verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
    if (!run) {
      const known = Object.keys(verbs)
      const problem =
        verb === undefined
          ? 'a subcommand is missing'
          : `unknown subcommand ${verb}${similarNames(nearest(verb, known))}`
      throw new UsageError(`${problem}; use ${known.join(', ').replace(/, ([\w-]+)$/, ' or $1')}`)
    }
    await run(args)
  }
}

/** An option of a verb. The help, the reference, the completion and the man page show what it says. */
export interface Option {
  type: 'string' | 'boolean'
  about: string
  /** What stands for the value, such as `TIME`. */
  value?: string
  short?: string
  multiple?: boolean
  /** The only values there are, or examples of lists of them. */
  choices?: readonly string[]
  completes?: Completes
}
export type OptionTable = Readonly<Record<string, Option>>

/** What a shell offers as a value. */
export type Completes =
  | 'file'
  | 'organization'
  | 'site'
  | 'device'
  | 'key'
  | 'member'
  | 'connection'
  | 'datapoint'
  | 'profile'

type Extra = Pick<Option, 'choices' | 'completes' | 'short'>

export const flag = (about: string) => ({ type: 'boolean', about }) as const
export const valued = (value: string, about: string, extra: Extra = {}) =>
  ({ type: 'string', value, about, ...extra }) as const
export const repeated = (value: string, about: string, extra: Extra = {}) =>
  ({ type: 'string', multiple: true, value, about, ...extra }) as const

/** Options of every command that prints a result from the service. */
export const COMMON_FLAGS = {
  json: flag('print the result as JSON'),
  profile: valued('NAME', 'use this profile (PLANTROOM_PROFILE)', { completes: 'profile' }),
  url: valued('URL', 'the service (PLANTROOM_URL)'),
  org: valued('ORG', 'the organization, by id or name (PLANTROOM_ORG)', { completes: 'organization' }),
} as const satisfies OptionTable

// parseArgs reads -20 as the flag -2. This prefix hides it; no process argument can contain the character.
const MARK = '\0'
const NEGATIVE = /^-\.?\d/

/**
 * Parses the flags and arguments of a command. Throws a `UsageError` if they are invalid. A negative number is an
 * argument or the value of the preceding flag, because no flag starts with a digit.
 */
export function parse<Options extends ParseArgsOptionsConfig>(args: readonly string[], options: Options) {
  const marked = args.map((arg) => (NEGATIVE.test(arg) ? `${MARK}${arg}` : arg))
  const problem = optionProblem(marked, options)
  if (problem !== undefined) throw new UsageError(problem.replaceAll(MARK, ''))
  const parsed = parseArgs({ args: marked, options, allowPositionals: true, strict: true })
  const values = Object.entries(parsed.values).map(([name, value]) => [name, unmarked(value)])
  return {
    values: Object.fromEntries(values) as typeof parsed.values,
    positionals: parsed.positionals.map((arg) => unmarked(arg) as string),
  }
}

function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked)
  return typeof value === 'string' && value.startsWith(MARK) ? value.slice(MARK.length) : value
}

/** Returns the positional arguments by name. Too few or too many are a `UsageError`. */
export function positionals<Name extends string>(
  given: readonly string[],
  ...names: readonly Name[]
): Record<Name, string> {
  const missing = names[given.length]
  if (missing !== undefined) throw new UsageError(`${missing} is missing`)
  if (given.length > names.length) throw new UsageError(`unexpected argument ${given[names.length]}`)
  return Object.fromEntries(names.map((name, index) => [name, given[index]])) as Record<Name, string>
}

/** Returns a setting that the command needs, or throws a `UsageError`. */
export function required(value: string | undefined, what: string): string {
  if (value === undefined || value === '') throw new UsageError(`${what} is missing`)
  return value
}
