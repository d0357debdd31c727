/** Returns the rule broken by a character that databases and other systems reject, if the text contains one. */
export function brokenCharacterRule(text: string): string | undefined {
  if (text.includes('\0')) return 'must not hold the character U+0000'
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode'
}

/** True if every text in a value, at any depth, has only characters that can be stored. */
export function isFitToKeep(value: unknown): boolean {
  if (typeof value === 'string') return brokenCharacterRule(value) === undefined
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isFitToKeep)
  for (const name in value) {
    if (!isFitToKeep((value as Record<string, unknown>)[name])) return false
  }
  return true
}
