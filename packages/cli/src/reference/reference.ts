import { COMMON_FLAGS, type Command, type OptionTable } from '../command.ts'
import { entry, helpWidth, isCommon, nameOf, optionTerm, synopsisOf, withoutCommon, wrap } from '../help.ts'
import { type CommandReference, GROUPS, type VerbReference } from './model.ts'
import { PROGRAMS } from './programs.ts'

/** Everything that a person can type, by the name of the command. */
export type Reference = Readonly<Record<string, CommandReference>>

const isDeclared = (command: Command): command is Command & CommandReference => 'verbs' in command

/**
 * Unites what commands declare with the rows of other programs, without what they do. A release has neither the tools of
 * developers nor anything to prepare.
 */
export function referenceOf(commands: Readonly<Record<string, Command>>, inCheckout: boolean): Reference {
  const declared = Object.entries(commands).flatMap(([name, command]) =>
    isDeclared(command) ? [[name, withoutRun(command)] as const] : [],
  )
  const programs = Object.entries(PROGRAMS).filter(
    ([name, { group }]) => inCheckout || !(group === 'develop' || name === 'prepare'),
  )
  return Object.fromEntries([...programs, ...declared])
}

function withoutRun({ group, about, verbs, notes }: CommandReference): CommandReference {
  const plain = Object.entries(verbs).map(([name, verb]): [string, VerbReference] => {
    const { run: _run, ...reference } = verb as VerbReference & { run?: unknown }
    return [name, reference]
  })
  return { group, about, verbs: Object.fromEntries(plain), ...(notes !== undefined && { notes }) }
}

/** Returns the commands of each group that has some. */
export function byGroup(reference: Reference): { title: string; commands: [string, CommandReference][] }[] {
  return Object.entries(GROUPS)
    .map(([group, title]) => ({
      title,
      commands: Object.entries(reference).filter(([, command]) => command.group === group),
    }))
    .filter(({ commands }) => commands.length > 0)
}

/** Returns the list of all commands. */
export function overview(reference: Reference, width = helpWidth()): string {
  const groups = byGroup(reference).map(({ title, commands }) =>
    [title, ...commands.map(([name, { about }]) => entry(name, about, width))].join('\n'),
  )
  const tail = [
    'plantroom COMMAND --help shows the verbs and options of a command, plantroom COMMAND VERB --help those of a verb.',
    'Every command that prints a result accepts --json; then errors are JSON, too.',
  ]
  return ['Plantroom controls building equipment safely.', ...groups, wrap(tail.join(' '), width, 0)].join('\n\n')
}

/** Returns everything for tools that write documentation: groups, common options and commands without them. */
export function referenceAsJson(reference: Reference) {
  const commands = Object.entries(reference).map(([name, command]) => {
    const verbs = Object.entries(command.verbs).map(([verb, declared]) => {
      const words = nameOf(name, verb)
      const talksToService = isCommon('url', declared.options.url)
      return [words, { synopsis: synopsisOf(words, declared), talksToService, ...plain(withoutCommon(declared)) }]
    })
    return [name, { ...command, verbs: Object.fromEntries(verbs) }]
  })
  return { groups: GROUPS, common: terms(COMMON_FLAGS), commands: Object.fromEntries(commands) }
}

const plain = ({ about, arguments: expected, options, json, examples }: VerbReference) => ({
  about,
  arguments: expected,
  options: terms(options),
  json: json ?? null,
  examples: examples ?? [],
})

/** Options as documentation names them, with their values. */
const terms = (options: OptionTable) =>
  Object.entries(options).map(([name, option]) => ({
    term: optionTerm(name, option),
    about: option.about,
    choices: option.choices ?? [],
  }))
