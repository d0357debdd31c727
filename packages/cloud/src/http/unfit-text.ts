import { shown } from '@plantroom/contract/shown'

/** How JSON spells U+0000 and the halves of a surrogate pair. Also matches an escaped backslash before such letters. */
const SPELT_UNFIT = /\\u(?:0000|[dD][89a-fA-F])/

/** A text that no column of the database can keep as it was sent. */
export interface UnfitText {
  /** The path of the field, from the root of the body. */
  field: string
  /** What is wrong with the text. */
  rule: string
}

const NUL = 'must not hold the character U+0000'
const HALF = 'must not hold half a character (a surrogate without its other half)'

/** Returns the first text or field name of a parsed body that holds U+0000 or half a character; `json` is the body. */
export function findUnfitText(json: string, parsed: unknown): UnfitText | undefined {
  if (!SPELT_UNFIT.test(json)) return undefined
  // A loop, because a body may be nested deeper than the stack.
  const left: { value: unknown; path: string }[] = [{ value: parsed, path: '' }]
  for (let next = left.pop(); next; next = left.pop()) {
    const { value, path } = next
    const rule = typeof value === 'string' ? ruleFor(value) : undefined
    if (rule) return { field: bounded(path), rule }
    if (typeof value !== 'object' || value === null) continue
    const isList = Array.isArray(value)
    const fields = Object.entries(value)
    for (const [name, inner] of fields.toReversed()) {
      left.push({ value: inner, path: isList ? `${path}[${name}]` : joined(path, name) })
    }
    const unfit = isList ? undefined : fields.find(([name]) => ruleFor(name))
    if (unfit) return { field: bounded(joined(path, unfit[0])), rule: `is no name of a field: it ${ruleFor(unfit[0])}` }
  }
  return undefined
}

function ruleFor(text: string): string | undefined {
  if (text.includes('\0')) return NUL
  return text.isWellFormed() ? undefined : HALF
}

const joined = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)
const bounded = (path: string) => (path === '' ? 'body' : shown(path))
