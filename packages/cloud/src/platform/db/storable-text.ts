import { shown } from '@plantroom/contract/shown'

/** JSON escapes of U+0000 and of surrogates. Also matches an escaped backslash followed by the same letters. */
const ESCAPES = /\\u(?:0000|[dD][89a-fA-F])/
const NUL = 'must not contain the character U+0000'
const UNPAIRED = 'must not contain half a character (an unpaired surrogate)'

/** True for a text that is not empty and that every text column accepts. For values that no schema has validated. */
export function isStorable(text: unknown, maxLength = 255): text is string {
  return typeof text === 'string' && text.length > 0 && text.length <= maxLength && ruleFor(text) === undefined
}

/** Replaces what no column can store by U+FFFD: a strange character must not lose the whole text. */
export const storable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed()

/** Writes a value as JSON that a column takes, whatever is in its texts and names of fields, which can be data, too. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value)
  return ESCAPES.test(json) ? JSON.stringify(value, replaceUnstorable) : json
}

function replaceUnstorable(_name: string, part: unknown): unknown {
  if (typeof part === 'string') return storable(part)
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
  return Object.fromEntries(Object.entries(part).map(([name, field]) => [storable(name), field]))
}

/** Text that no column of the database can store unchanged. */
export interface UnstorableText {
  /** The path of the field, from the root of the body. */
  field: string
  /** What is wrong with the text. */
  rule: string
}

/** Finds the first text or field name of a parsed body with U+0000 or an unpaired surrogate; `json` is the body. */
export function findUnstorableText(json: string, parsed: unknown): UnstorableText | undefined {
  if (!ESCAPES.test(json)) return undefined
  // A loop instead of recursion: a body may be nested deeper than the stack allows.
  const pending: { value: unknown; path: string }[] = [{ value: parsed, path: '' }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, path } = next
    const rule = typeof value === 'string' ? ruleFor(value) : undefined
    if (rule) return { field: bounded(path), rule }
    if (typeof value !== 'object' || value === null) continue
    const isList = Array.isArray(value)
    const fields = Object.entries(value)
    for (const [name, inner] of fields.toReversed()) {
      pending.push({ value: inner, path: isList ? `${path}[${name}]` : joined(path, name) })
    }
    const unstorable = isList ? undefined : fields.find(([name]) => ruleFor(name))
    if (unstorable) {
      const [name] = unstorable
      return { field: bounded(joined(path, name)), rule: `is not a valid field name: it ${ruleFor(name)}` }
    }
  }
  return undefined
}

function ruleFor(text: string): string | undefined {
  if (text.includes('\0')) return NUL
  return text.isWellFormed() ? undefined : UNPAIRED
}

const joined = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)
const bounded = (path: string) => (path === '' ? 'body' : shown(path))
