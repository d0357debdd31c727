/**
 * The only file that makes regular expressions from texts. A test tries every pattern of a schema on hostile text, as it
 * tries every literal.
 */
const compiled = new Map<string, RegExp>()

/** Returns the regular expression of a `pattern` in a schema. */
export function schemaExpression(pattern: string): RegExp {
  let expression = compiled.get(pattern)
  if (!expression) {
    expression = new RegExp(pattern, 'u')
    compiled.set(pattern, expression)
  }
  return expression
}

/** Returns an expression for any of some texts, as they are. What stands `before` and `after` is part of a pattern. */
export function anyOf(
  texts: readonly string[],
  { before = '', after = '' }: { before?: string; after?: string },
): RegExp {
  return new RegExp(`${before}(${texts.map(escaped).join('|')})${after}`, 'giu')
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
