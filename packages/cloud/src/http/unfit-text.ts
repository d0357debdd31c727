/** How JSON spells a half of a character that has two. */
const SPELT_HALF = /\\u[dD][89a-fA-F]/

/** Whether a parsed body has a text with half a character: no column keeps that, it would come back as another. */
export function hasHalfCharacter(text: string, parsed: unknown): boolean {
  if (!SPELT_HALF.test(text)) return false
  // Not by calling itself: a body may be nested deeper than the stack is.
  const left: unknown[] = [parsed]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string' && !value.isWellFormed()) return true
    if (typeof value !== 'object' || value === null) continue
    for (const [name, inner] of Object.entries(value)) left.push(name, inner)
  }
  return false
}
