import { shown } from '@plantroom/contract/shown'

// Always enough for a message: two UTF-16 units may form one of its 100 characters.
const ENOUGH_UNITS = 200

/**
 * Formats a value for a message: text as it is, blank text in quotes, anything else as JSON. Escapes hidden characters
 * and truncates at 100 characters. The cost does not grow with the value.
 */
export function show(value: unknown): string {
  if (typeof value === 'string' && /\S/.test(value.slice(0, ENOUGH_UNITS))) return shown(value)
  return shown(startOfJson(value))
}

function startOfJson(value: unknown): string {
  let text = ''
  for (const piece of piecesOfJson(value)) {
    text += piece
    if (text.length > ENOUGH_UNITS) break
  }
  return text
}

function* piecesOfJson(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    yield JSON.stringify(value.slice(0, ENOUGH_UNITS))
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield index === 0 ? '[' : ','
      yield* piecesOfJson(item)
    }
    yield value.length === 0 ? '[]' : ']'
  } else if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value)
    for (const [index, [name, item]] of fields.entries()) {
      yield index === 0 ? '{' : ','
      yield* piecesOfJson(name)
      yield ':'
      yield* piecesOfJson(item)
    }
    yield fields.length === 0 ? '{}' : '}'
  } else {
    // Like JSON, except that an infinite number is not shown as null.
    yield String(value)
  }
}
