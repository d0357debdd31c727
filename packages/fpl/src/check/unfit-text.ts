/** The rule that a text breaks by a character that no database and no other system would take; most have none. */
export function brokenCharacterRule(text: string): string | undefined {
  if (text.includes('\0')) return 'must not hold the character U+0000'
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode'
}

/** Whether all texts in a value, however deep, have only characters that can be kept. */
export function isFitToKeep(value: unknown): boolean {
  if (typeof value === 'string') return brokenCharacterRule(value) === undefined
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isFitToKeep)
  for (const name in value) {
    if (!isFitToKeep((value as Record<string, unknown>)[name])) return false
  }
  return true
}
