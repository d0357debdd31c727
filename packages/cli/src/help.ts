import { COMMON_FLAGS, type Option } from './command.ts'
import type { CommandReference, VerbReference } from './reference/model.ts'

const USUAL_WIDTH = 100
const NARROWEST = 40
/** The columns of names in lists of options. */
const NAME_COLUMNS = 26
const INDENT = 4

/** Returns how wide the help may be on this terminal. */
export function helpWidth(columns: number | undefined = process.stdout.columns): number {
  return Math.min(USUAL_WIDTH, Math.max(NARROWEST, columns ?? USUAL_WIDTH))
}

/** Returns the help of a command: each verb with its options, then the notes. */
export function commandHelp(
  name: string,
  { about, verbs, notes }: Pick<CommandReference, 'about' | 'verbs' | 'notes'>,
  width = helpWidth(),
): string {
  const all = Object.entries(verbs)
  const isSingle = all.length === 1
  const parts = all.map(([verb, declared]) =>
    verbHelp(nameOf(name, verb), isSingle ? declared : withoutCommon(declared), width),
  )
  const talksToService = !isSingle && all.some(([, { options }]) => isCommon('url', options.url))
  const common = Object.entries(COMMON_FLAGS).map(([option, each]) =>
    entry(optionTerm(option, each), each.about, width),
  )
  if (talksToService) parts.push(['Every verb that talks to the service also takes:', ...common].join('\n'))
  const head = Object.keys(verbs).length > 1 ? [wrap(`plantroom ${name}: ${about}`, width, 0)] : []
  const tail = notes === undefined ? [] : [paragraphs(notes, width)]
  return [...head, ...parts, ...tail].join('\n\n')
}

/** Reports whether an option is one that every command about the service has. */
export const isCommon = (name: string, option: Option | undefined) =>
  option !== undefined && Object.entries(COMMON_FLAGS).some(([each, common]) => each === name && common === option)

/** Leaves out the options that every command about the service has. */
export function withoutCommon<Of extends VerbReference>(verb: Of): Of {
  const own = Object.entries(verb.options).filter(([name, option]) => !isCommon(name, option))
  return { ...verb, options: Object.fromEntries(own) }
}

/** Returns the help of one verb. */
export function verbHelp(name: string, declared: VerbReference, width = helpWidth()): string {
  const common = Object.entries(declared.options).filter(([option, each]) => isCommon(option, each))
  const options = [...Object.entries(withoutCommon(declared).options), ...common].map(([option, described]) => {
    const choices = described.choices ? `: ${described.choices.join(', ')}` : ''
    return entry(optionTerm(option, described), `${described.about}${choices}`, width)
  })
  const described = declared.arguments.filter((argument) => argument.about ?? argument.choices)
  const given = described.map(({ name: term, about = '', choices }) =>
    entry(term, `${about}${choices ? `${about ? ': ' : ''}${choices.join(', ')}` : ''}`, width),
  )
  const examples = (declared.examples ?? []).map((line) => `${' '.repeat(INDENT)}$ ${line}`)
  return [
    wrap(synopsisOf(name, declared), width, INDENT * 2),
    wrap(declared.about, width, INDENT, INDENT),
    ...given,
    ...options,
    ...(declared.json === undefined ? [] : [entry('JSON result', declared.json, width)]),
    ...examples,
  ].join('\n')
}

/** Returns what to type: `plantroom key create NAME --permission P`. */
export function synopsisOf(name: string, { arguments: expected, synopsis }: VerbReference): string {
  const words = expected.map(({ name: each, optional, repeated }) => {
    const shown = repeated ? `${each}…` : each
    return optional ? `[${shown}]` : shown
  })
  return ['plantroom', name, ...words, ...(synopsis === undefined ? [] : [synopsis])].join(' ')
}

/** Returns an option as the help names it: `-o, --output FILE`. */
export function optionTerm(name: string, { short, value }: Pick<Option, 'type' | 'short' | 'value'>): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`
}

export const nameOf = (command: string, verb: string) => (verb === '' ? command : `${command} ${verb}`)

/** A term with its meaning beside it, or below it if the term is long or the terminal narrow. */
export function entry(term: string, about: string, width: number): string {
  const begin = INDENT + NAME_COLUMNS
  const margin = ' '.repeat(INDENT)
  if (width < begin + NARROWEST / 2) return `${margin}${term}\n${wrap(about, width, INDENT * 2, INDENT * 2)}`
  const text = wrap(about, width, begin, begin)
  if (term.length >= NAME_COLUMNS) return `${margin}${term}\n${text}`
  return `${margin}${term.padEnd(NAME_COLUMNS)}${text.slice(begin)}`
}

function paragraphs(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => wrap(line, width, 0))
    .join('\n')
}

/** Breaks a text into lines. A word that is longer than a line stays whole. */
export function wrap(text: string, width: number, indent: number, first = 0): string {
  const lines: string[] = []
  let line = ' '.repeat(first)
  let isEmpty = true
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line)
      line = ' '.repeat(indent)
      isEmpty = true
    }
    line += isEmpty ? word : ` ${word}`
    isEmpty = false
  }
  return [...lines, line].join('\n')
}
