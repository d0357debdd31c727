/** The JSON schema pattern of a page cursor: a number that fits a `bigint` column. Opaque to callers. */
export const CURSOR = '^\\d{1,18}$'

/** The JSON schema pattern of text that every text column accepts: not empty, without U+0000. */
export const STORABLE = '^[^\\u0000]+$'

/** The same check for text that no schema has validated. Also rejects unpaired surrogates, which no column accepts. */
export function isStorable(text: unknown, maxLength = 255): text is string {
  return (
    typeof text === 'string' &&
    text.length > 0 &&
    text.length <= maxLength &&
    !text.includes('\0') &&
    text.isWellFormed()
  )
}
