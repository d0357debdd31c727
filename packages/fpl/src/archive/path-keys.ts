// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\u0000-\u007f]*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: all but ASCII
const NOT_ASCII = /[^\u0000-\u007f]/gu
// Unicode's stream-safe text format allows at most 30.
const MANY_MARKS = /\p{M}{31}/u

/** True if composing this text would take quadratic time, because a long sequence of marks is sorted one by one. */
export function hasTooManyMarks(path: string): boolean {
  return !ASCII.test(path) && MANY_MARKS.test(path)
}

/** Returns the path in the normalization form used for comparison. */
export function composed(path: string): string {
  return ASCII.test(path) ? path : path.normalize('NFC')
}

/**
 * Returns a key that is equal for paths that some file system treats as one: after NFC and ignoring case. Not for
 * display.
 */
export function pathKey(path: string): string {
  if (ASCII.test(path)) return path.toLowerCase()
  const folded = path.normalize('NFC').replace(NOT_ASCII, foldCharacter).toLowerCase().normalize('NFC')
  // One wide character makes every character of a string take two bytes; in UTF-8 only that one does.
  return Buffer.from(folded).toString('latin1')
}

/**
 * Folds case through upper case, so that ſ equals s and ς equals σ, but only if the result is one character: Maße and
 * Masse stay different. ı is not folded to i, which only shares its upper case.
 */
function foldCharacter(character: string): string {
  const upper = character.toUpperCase()
  return (upper.length === character.length && character !== 'ı' ? upper : character).toLowerCase()
}
