const LONGEST = 100
// Two UTF-16 units may make one character.
const ENOUGH_UNITS = 2 * LONGEST
// Control characters, halves of a surrogate pair, line separators, and what turns the direction of writing: in a log or a
// terminal each of them would make the message read as something else.
const HIDDEN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u
const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * A value as messages show it: text as it is, blank text in quotes, anything else as JSON; hidden characters escaped; cut
 * at 100 characters. The cost does not grow with the value.
 */
export function show(value: unknown): string {
  if (typeof value === 'string' && /\S/.test(value.slice(0, ENOUGH_UNITS))) return readable(value)
  return readable(startOfJson(value))
}

// Built anew, character by character: a slice would keep the whole text in memory for as long as the problem is kept.
function readable(text: string): string {
  const shown: string[] = []
  for (const character of text) {
    if (shown.length === LONGEST) return `${shown.join('')}…`
    shown.push(HIDDEN.test(character) ? escaped(character) : character)
  }
  return shown.join('')
}

function escaped(character: string): string {
  return SHORT_ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function startOfJson(value: unknown): string {
  let text = ''
  for (const piece of piecesOfJson(value)) {
    text += piece
    if (text.length > ENOUGH_UNITS) break
  }
  return text
}

function* piecesOfJson(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    yield JSON.stringify(value.slice(0, ENOUGH_UNITS))
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield index === 0 ? '[' : ','
      yield* piecesOfJson(item)
    }
    yield value.length === 0 ? '[]' : ']'
  } else if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value)
    for (const [index, [name, item]] of fields.entries()) {
      yield index === 0 ? '{' : ','
      yield* piecesOfJson(name)
      yield ':'
      yield* piecesOfJson(item)
    }
    yield fields.length === 0 ? '{}' : '}'
  } else {
    // As JSON does it, but for a number beyond all bounds, which JSON would call null.
    yield String(value)
  }
}
