/** A number that JavaScript would write in another way than the author did: `1.0`, `1e400`, `9007199254740993`. */
export class SpelledNumber {
  readonly value: number
  /** As the author wrote it. */
  readonly text: string

  constructor(value: number, text: string) {
    this.value = value
    this.text = text
  }
}

interface ParseOptions {
  /** Keeps the spelling of numbers: those that JavaScript writes differently become a `SpelledNumber`. */
  spelled?: boolean
  /** Called when an object has a name again. */
  onRepeatedName?(): void
}

/**
 * Parses valid JSON like JSON.parse. JSON.parse may confuse a name that contains an escape with an earlier name of the
 * object (nodejs/node#63785), so this function uses it only for strings and numbers. Slow: use it only for sources with
 * such a name, or for what a message shows.
 */
export function parseJson(json: string, { spelled = false, onRepeatedName }: ParseOptions = {}): unknown {
  let at = 0

  function value(): unknown {
    skipSpace()
    if (json[at] === '{') return object()
    if (json[at] === '[') return array()
    return json[at] === '"' ? text() : scalar()
  }

  function object(): object {
    const result = {}
    for (at += 1; !closes('}'); ) {
      const name = text()
      skipSpace()
      at += 1 // the colon
      if (Object.hasOwn(result, name)) onRepeatedName?.()
      // Assigning to `__proto__` would not create a field.
      Object.defineProperty(result, name, { value: value(), configurable: true, enumerable: true, writable: true })
    }
    return result
  }

  function array(): unknown[] {
    const result: unknown[] = []
    for (at += 1; !closes(']'); ) result.push(value())
    return result
  }

  /** Returns true at the end of the object or array, and otherwise moves to its next element. */
  function closes(bracket: string): boolean {
    skipSpace()
    if (json[at] === ',') {
      at += 1
      skipSpace()
    }
    if (json[at] !== bracket) return false
    at += 1
    return true
  }

  function text(): string {
    const start = at
    at = textEnd(json, start)
    return JSON.parse(json.slice(start, at))
  }

  function scalar(): unknown {
    const start = at
    while (at < json.length && !',]} \t\n\r'.includes(json[at] as string)) at += 1
    const token = json.slice(start, at)
    const value: unknown = JSON.parse(token)
    return spelled && typeof value === 'number' && String(value) !== token ? new SpelledNumber(value, token) : value
  }

  function skipSpace() {
    while (' \t\n\r'.includes(json[at] ?? '.')) at += 1
  }

  return value()
}

/** Returns the position after the closing quote of the text that starts at `at`. */
export function textEnd(json: string, at: number): number {
  let end = at + 1
  while (json[end] !== '"') end += json[end] === '\\' ? 2 : 1
  return end + 1
}
