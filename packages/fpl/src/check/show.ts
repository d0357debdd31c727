import { shown } from '@plantroom/contract/shown'

// More than a message shows: two UTF-16 units may make one of its 100 characters.
const ENOUGH_UNITS = 200

/**
 * A value as messages show it: text as it is, blank text in quotes, anything else as JSON; hidden characters escaped; cut
 * at 100 characters. The cost does not grow with the value.
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
    // As JSON does it, but for a number beyond all bounds, which JSON would call null.
    yield String(value)
  }
}
