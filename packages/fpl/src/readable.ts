const LONGEST = 100
// Control characters, halves of a surrogate pair, line separators, and what turns the direction of writing: in a log or a
// terminal each of them would make the message read as something else.
const HIDDEN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u
const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Text from a package as messages show it: hidden characters escaped, cut at 100 characters, whatever its length. */
export function readable(text: string): string {
  // Built anew, character by character: a slice would keep the whole text in memory for as long as the message is kept.
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
