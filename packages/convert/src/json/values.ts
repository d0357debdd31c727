/** An object of a JSON export. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects of a list; nothing for any other value. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** The values of a list; nothing for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A text or a number as text, trimmed. Undefined for anything else, and for nothing but spaces. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}

/** Any value as the text of a cell: a list of texts with commas, an object as JSON. Undefined for what is empty. */
export function cellText(value: unknown): string | undefined {
  if (typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) {
    const isFlat = value.every((item) => typeof item !== 'object' || item === null)
    if (!isFlat) return JSON.stringify(value)
    return value.flatMap((item) => cellText(item) ?? []).join(', ') || undefined
  }
  if (isObject(value)) {
    const filled = Object.entries(value).filter(([, item]) => !isEmpty(item))
    return filled.length === 0 ? undefined : JSON.stringify(Object.fromEntries(filled))
  }
  return scalarText(value)
}

/** An id as text. Exports write ids as numbers or as texts. */
export function idText(value: unknown): string | undefined {
  const text = scalarText(value)
  return text === undefined || text === '0' || text === '-1' ? undefined : text
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
