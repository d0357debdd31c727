/**
 * Returns the key of an email address: equal for addresses that differ only in case, or in how a letter with a mark is
 * encoded. The one rule for all comparisons. Databases have rules of their own, which depend on their locale.
 */
export function foldEmail(email: string): string {
  if (IS_ASCII.test(email)) return email.toLowerCase()
  // Twice: a small letter may have a composed form where its capital has none.
  return email.normalize('NFC').toLowerCase().normalize('NFC')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole range is meant
export const IS_ASCII = /^[\u0000-\u007f]*$/

/** Compares addresses by their keys. */
export function isSameEmail(one: string | null | undefined, other: string | null | undefined): boolean {
  return one != null && other != null && (one === other || foldEmail(one) === foldEmail(other))
}

/**
 * Returns a regular expression of PostgreSQL that finds the text in any case, whatever the locale of the database is: each
 * letter becomes a class of its cases.
 */
export function anyCase(text: string): string {
  return Array.from(text, (letter) => {
    const cases = [...new Set([letter, letter.toLowerCase(), letter.toUpperCase()])].filter(isOneCharacter)
    if (cases.length > 1) return `[${cases.join('')}]`
    return /[\w\s]/.test(letter) || letter > '\u007f' ? letter : `\\${letter}`
  }).join('')
}

const isOneCharacter = (text: string) => [...text].length === 1
