const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
// Control characters, unpaired surrogates, line separators and direction marks: in a log or a terminal, each could make
// the message read differently.
const HIDDEN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u
// Also what takes no room, and spaces that look like the common one: they make two different names look equal.
const INVISIBLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u
const SPACE = ' '

/**
 * Text from outside, safe to repeat in a message, a log or a terminal: hidden characters escaped, and `…` in place of
 * what exceeds `limit` characters. The cost does not grow with the text.
 */
export function shown(text: string, limit = 100): string {
  return copied(text, limit, (character) => HIDDEN.test(character))
}

/**
 * The same for text whose every character matters: zero-width characters, no-break spaces and all others that a person
 * cannot see are escaped, too.
 */
export function shownExactly(text: string, limit = 100): string {
  return copied(text, limit, (character) => character !== SPACE && INVISIBLE.test(character))
}

function copied(text: string, limit: number, isEscaped: (character: string) => boolean): string {
  // Copied character by character: a slice would keep the whole text in memory as long as the message.
  const pieces: string[] = []
  let room = limit
  for (const character of text) {
    const piece = isEscaped(character) ? escaped(character) : character
    room -= piece === character ? 1 : piece.length
    if (room < 0) return `${pieces.join('')}…`
    pieces.push(piece)
  }
  return pieces.join('')
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  return SHORT_ESCAPES[character] ?? units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
