/** Text that every column of text takes, as JSON schemas hold it: not empty, without U+0000. */
export const STORABLE = '^[^\\u0000]+$'

/** The same, for text from outside that no schema has judged; half a character is none that a column takes either. */
export function isStorable(text: unknown, maxLength = 255): text is string {
  return (
    typeof text === 'string' &&
    text.length > 0 &&
    text.length <= maxLength &&
    !text.includes('\0') &&
    text.isWellFormed()
  )
}
