import type { Completes, Option } from '../../command.ts'
import type { Argument, CommandReference, VerbReference } from '../../reference/model.ts'
import type { Reference } from '../../reference/reference.ts'

export interface Candidate {
  value: string
  about?: string | undefined
}

export interface Completed {
  candidates: Candidate[]
  /** True if the shell should offer files. */
  files: boolean
}

/** Lists names of this kind, for what was typed so far. */
export type ListNames = (kind: Completes, typed: readonly string[]) => Promise<readonly Candidate[]>

const NOTHING: Completed = { candidates: [], files: false }

/**
 * Completes the last of the words after `plantroom`, which may be empty. Everything but the names derives from the
 * reference.
 */
export async function complete(
  reference: Reference,
  words: readonly string[],
  listNames: ListNames,
): Promise<Completed> {
  const [name = '', ...rest] = words
  const current = words.at(-1) ?? ''
  if (words.length <= 1) {
    const commands = Object.entries(reference).map(([value, { about }]) => ({ value, about }))
    return matching([...commands, { value: '--help', about: 'list all commands' }], current)
  }
  const command = Object.hasOwn(reference, name) ? reference[name] : undefined
  if (!command) return NOTHING
  const { verb, typed, offered } = verbOf(command, rest)
  const own = verb ? await completeVerb(verb, typed, listNames, words) : NOTHING
  const verbs = matching(offered, current)
  return { candidates: [...verbs.candidates, ...own.candidates], files: own.files }
}

/** Finds the verb that was typed, and the words after it. Offers verbs while none is complete. */
function verbOf({ verbs }: CommandReference, rest: readonly string[]) {
  const before = rest.slice(0, -1)
  for (const length of [2, 1]) {
    const name = before.slice(0, length).join(' ')
    if (before.length >= length && name !== '' && Object.hasOwn(verbs, name)) {
      return { verb: verbs[name], typed: rest.slice(length), offered: [] }
    }
  }
  const next = Object.entries(verbs).flatMap(([name, { about }]) => {
    const parts = name.split(' ')
    const isNext = name !== '' && before.every((word, index) => parts[index] === word)
    const value = parts[before.length]
    return isNext && value !== undefined ? [{ value, about: parts.length > before.length + 1 ? undefined : about }] : []
  })
  const unique = [...new Map(next.toReversed().map((each) => [each.value, each])).values()].toReversed()
  return { verb: verbs[''], typed: rest, offered: unique }
}

async function completeVerb(
  { arguments: expected, options }: VerbReference,
  typed: readonly string[],
  listNames: ListNames,
  words: readonly string[],
): Promise<Completed> {
  const current = typed.at(-1) ?? ''
  const { waiting, isEnded, positionals } = read(options, typed.slice(0, -1))
  if (waiting) return completeValue(waiting, current, '', listNames, words)
  if (!isEnded && current.startsWith('-')) {
    const [name = '', value] = splitAtEquals(current)
    const option = options[name.replace(/^--/, '')]
    if (value !== undefined && option) return completeValue(option, value, `${name}=`, listNames, words)
    const used = new Set(typed.slice(0, -1))
    const open = Object.entries(options).filter(([each, { multiple }]) => multiple || !used.has(`--${each}`))
    const flags = open.map(([each, { about }]) => ({ value: `--${each}`, about }))
    return matching([...flags, { value: '--help', about: 'show the help' }], current)
  }
  const argument = expected[positionals] ?? (expected.at(-1)?.repeated ? expected.at(-1) : undefined)
  return argument ? completeValue(argument, current, '', listNames, words) : NOTHING
}

/** Reads the words before the current one: how many arguments there are, and whether an option waits for its value. */
function read(options: VerbReference['options'], words: readonly string[]) {
  let positionals = 0
  let waiting: Option | undefined
  let isEnded = false
  for (const word of words) {
    if (waiting) {
      waiting = undefined
      continue
    }
    const isOption = !isEnded && word.startsWith('-') && !/^-\.?\d/.test(word)
    if (word === '--' && !isEnded) isEnded = true
    else if (!isOption) positionals += 1
    else if (!word.includes('=')) {
      const found = Object.entries(options).find(([name, { short }]) => word === `--${name}` || word === `-${short}`)
      waiting = found?.[1].type === 'string' ? found[1] : undefined
    }
  }
  return { positionals, waiting, isEnded }
}

async function completeValue(
  { choices, completes }: Pick<Option & Argument, 'choices' | 'completes'>,
  current: string,
  prefix: string,
  listNames: ListNames,
  words: readonly string[],
): Promise<Completed> {
  if (choices) {
    return matching(
      choices.map((value) => ({ value: `${prefix}${value}` })),
      `${prefix}${current}`,
    )
  }
  if (completes === 'file') return { candidates: [], files: true }
  if (completes === undefined) return NOTHING
  const names = await listNames(completes, words)
  return matching(
    names.map(({ value, about }) => ({ value: `${prefix}${value}`, about })),
    `${prefix}${current}`,
  )
}

function matching(candidates: readonly Candidate[], current: string): Completed {
  return { candidates: candidates.filter(({ value }) => value.startsWith(current)), files: false }
}

function splitAtEquals(word: string): [string, string?] {
  const at = word.indexOf('=')
  return at === -1 ? [word] : [word.slice(0, at), word.slice(at + 1)]
}
