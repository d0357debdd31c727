/** A part of a parsed message: text, `#` as the number of the plural around it, or an argument. */
export type Part = string | typeof NUMBER | Argument
export const NUMBER = Symbol('#')

interface Argument {
  name: string
  /** Undefined for an argument that is filled in as it is. */
  kind: 'plural' | 'select' | undefined
  /** By plural category, `=` with an exact number, or word. */
  options: ReadonlyMap<string, readonly Part[]>
}

const HEAD = /\s*(\w+)\s*(?:,\s*(plural|select)\s*,)?/y
const OPTION = /\s*(=?\w+)\s*\{/y

/**
 * Parses a message in the part of the ICU syntax that our texts use: arguments, plurals, choices and quotes. A whole ICU
 * library is a sixteenth of the first load. A test compares both for every text.
 */
export function parseMessage(message: string): readonly Part[] {
  let at = 0
  const fail = () => new Error(`not a message, at character ${at}: ${message}`)
  const match = (expression: RegExp) => {
    expression.lastIndex = at
    const found = expression.exec(message)
    if (!found) throw fail()
    at = expression.lastIndex
    return found
  }

  function parseParts(inOption: boolean, inPlural: boolean): Part[] {
    const parts: Part[] = []
    let text = ''
    const add = (part: Part) => {
      if (text !== '') parts.push(text)
      text = ''
      parts.push(part)
    }
    while (at < message.length) {
      const character = message[at]
      if (character === '}' && inOption) break
      if (character === '}') throw fail()
      at += 1
      if (character === '{') add(parseArgument())
      else if (character === '#' && inPlural) add(NUMBER)
      else text += character === "'" ? parseQuote(inPlural) : character
    }
    return text === '' ? parts : [...parts, text]
  }

  /** Quotes begin only before a character that means something: the apostrophe of a word stays. */
  function parseQuote(inPlural: boolean): string {
    const next = message[at] ?? ''
    if (next === "'") at += 1
    if (next === '' || !`{}${inPlural ? '#' : ''}`.includes(next)) return "'"
    const end = /(?<!')'(?!')|$/g
    end.lastIndex = at
    const until = end.exec(message)?.index ?? message.length
    const quoted = message.slice(at, until)
    at = until + 1
    return quoted.replaceAll("''", "'")
  }

  function parseArgument(): Argument {
    const [, name = '', kind] = match(HEAD)
    const options = new Map<string, readonly Part[]>()
    while (kind !== undefined && !/^\s*\}/.test(message.slice(at))) {
      const [, option = ''] = match(OPTION)
      options.set(option, parseParts(true, kind === 'plural'))
      at += 1
    }
    match(/\s*\}/y)
    return { name, kind: kind as Argument['kind'], options }
  }

  return parseParts(false, false)
}
