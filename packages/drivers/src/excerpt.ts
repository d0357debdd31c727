const LONGEST = 100

/**
 * Text from outside as it may appear in a message: one line, about 100 characters at most, with control and invisible
 * formatting characters escaped.
 */
export function excerpt(text: string, longest = LONGEST): string {
  // A megabyte is not worth scanning for the few characters that are shown.
  const start = text.slice(0, 4 * longest)
  let shown = ''
  for (const character of start.replace(/[^\S ]+/gu, ' ').trim()) {
    const next = /\p{C}/u.test(character) ? escaped(character) : character
    if (shown.length + next.length > longest) return `${shown}…`
    shown += next
  }
  return start.length < text.length ? `${shown}…` : shown
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`
}
