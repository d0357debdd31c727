const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
// Control characters, unpaired surrogates, line separators and direction marks: in a log or a terminal, each could make
// the message read differently.
const HIDDEN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

/**
 * Text from outside, safe to repeat in a message, a log or a terminal: hidden characters escaped, and `…` in place of
 * what exceeds `limit` characters. The cost does not grow with the text.
 */
export function shown(text: string, limit = 100): string {
  // Copied character by character: a slice would keep the whole text in memory as long as the message.
  const pieces: string[] = []
  let room = limit
  for (const character of text) {
    const piece = HIDDEN.test(character) ? escaped(character) : character
    room -= piece === character ? 1 : piece.length
    if (room < 0) return `${pieces.join('')}…`
    pieces.push(piece)
  }
  return pieces.join('')
}

function escaped(character: string): string {
  return SHORT_ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
