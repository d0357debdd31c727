// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\u0000-\u007f]*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: all but ASCII
const NOT_ASCII = /[^\u0000-\u007f]/gu
// Text that Unicode calls safe to stream has at most 30.
const MANY_MARKS = /\p{M}{31}/u

/** Whether to compose this text would cost the square of its length: marks in a row are put in order one by one. */
export function hasTooManyMarks(path: string): boolean {
  return !ASCII.test(path) && MANY_MARKS.test(path)
}

/** The path in the Unicode form in which paths are compared. */
export function composed(path: string): string {
  return ASCII.test(path) ? path : path.normalize('NFC')
}

/** Equal for two paths that are one on some file system: after NFC and without regard to case. Not for people. */
export function pathKey(path: string): string {
  if (ASCII.test(path)) return path.toLowerCase()
  const folded = path.normalize('NFC').replace(NOT_ASCII, foldCharacter).toLowerCase().normalize('NFC')
  // One wide character makes every character of a text take two bytes; in UTF-8 only that one does.
  return Buffer.from(folded).toString('latin1')
}

/**
 * By way of the upper case, so that ſ is s and ς is σ, but only where that is one character: Maße and Masse are two
 * names. Nor is ı an i: it only shares the upper case.
 */
function foldCharacter(character: string): string {
  const upper = character.toUpperCase()
  return (upper.length === character.length && character !== 'ı' ? upper : character).toLowerCase()
}
