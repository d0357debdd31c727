/** Whether every text column accepts a text that no schema has validated: not empty, without U+0000. Rejects unpaired surrogates, which no column accepts. */
export function isStorable(text: unknown, maxLength = 255): text is string {
  return (
    typeof text === 'string' &&
    text.length > 0 &&
    text.length <= maxLength &&
    !text.includes('\0') &&
    text.isWellFormed()
  )
}
