import { byVerb, type Command, type OptionTable, parse, UsageError } from './command.ts'
import { commandHelp } from './help.ts'
import type { Argument, CommandReference, VerbReference } from './reference/model.ts'

export interface Verb extends VerbReference {
  run(args: readonly string[]): Promise<void>
}
export interface DeclaredCommand extends Command, CommandReference {
  verbs: Readonly<Record<string, Verb>>
}

type Given<Arguments extends readonly Argument[]> = {
  [Each in Arguments[number] as Each['name']]: Each extends { repeated: true }
    ? string[]
    : Each extends { optional: true }
      ? string | undefined
      : string
}
type Values<Options extends OptionTable> = ReturnType<typeof parse<Options>>['values']

/** Declares a verb. `run` gets its options and its arguments by name. */
export function verb<const Options extends OptionTable, const Arguments extends readonly Argument[]>(
  declared: Omit<VerbReference, 'options' | 'arguments'> & {
    options: Options
    arguments?: Arguments
    run(flags: Values<Options>, given: Given<Arguments>): Promise<void>
  },
): Verb {
  const { run, ...reference } = declared
  const expected: readonly Argument[] = declared.arguments ?? []
  return {
    ...reference,
    arguments: expected,
    async run(args) {
      const { values, positionals } = parse(args, declared.options)
      await run(values, assign(expected, positionals) as Given<Arguments>)
    },
  }
}

/** Gives each argument its value. Too few or too many are a `UsageError`. */
function assign(
  expected: readonly Argument[],
  given: readonly string[],
): Record<string, string | string[] | undefined> {
  const found: Record<string, string | string[] | undefined> = {}
  for (const [index, { name, optional, repeated }] of expected.entries()) {
    if (given[index] === undefined && !optional) throw new UsageError(`${name} is missing`)
    found[name] = repeated ? given.slice(index) : given[index]
  }
  const isOpen = expected.at(-1)?.repeated === true
  if (!isOpen && given.length > expected.length) throw new UsageError(`unexpected argument ${given[expected.length]}`)
  return found
}

/** Declares a command of several verbs. A verb may have two words: `schedule show`. */
export function command(
  name: string,
  declared: Omit<CommandReference, 'verbs'> & { verbs: Readonly<Record<string, Verb>> },
): DeclaredCommand {
  const single = declared.verbs['']
  return {
    ...declared,
    get usage() {
      return commandHelp(name, declared)
    },
    run: single ? single.run : byVerb(runners(declared.verbs)),
  }
}

function runners(verbs: Readonly<Record<string, Verb>>): Record<string, Command['run']> {
  const nested: Record<string, Record<string, Verb>> = {}
  const found: Record<string, Command['run']> = {}
  for (const [words, each] of Object.entries(verbs)) {
    const [first = '', second] = words.split(' ')
    if (second === undefined) {
      found[first] = each.run
      continue
    }
    nested[first] = { ...nested[first], [second]: each }
    found[first] = byVerb(runners(nested[first]))
  }
  return found
}
