/** An address as one line, as people read it from a data sheet: `register=100 type=int16`. */
export function addressText(data: Readonly<Record<string, unknown>>): string {
  return Object.entries(data)
    .map(([field, value]) => `${field}=${typeof value === 'string' && isPlain(value) ? value : JSON.stringify(value)}`)
    .join(' ')
}

/** Returns the address that a line says; `undefined` when it is none yet. */
export function readAddress(line: string): Record<string, unknown> | undefined {
  const data: Record<string, unknown> = {}
  for (const part of partsOf(line)) {
    const at = part.indexOf('=')
    if (at < 1 || at === part.length - 1) return undefined
    data[part.slice(0, at)] = readValue(part.slice(at + 1))
  }
  return data
}

/** Splits at spaces outside of quotes. */
function partsOf(line: string): string[] {
  const parts: string[] = []
  let part = ''
  let isQuoted = false
  for (let at = 0; at <= line.length; at += 1) {
    const character = line.charAt(at)
    if (character === '"' && line.charAt(at - 1) !== '\\') isQuoted = !isQuoted
    if (at < line.length && (isQuoted || character.trim() !== '')) part += character
    else if (part !== '') {
      parts.push(part)
      part = ''
    }
  }
  return parts
}

/** A text that would be read as something else, or as two, is written as JSON. */
const isPlain = (value: string) => value !== '' && !/\s/.test(value) && readValue(value) === value

/** Reads a number, a truth value or JSON; everything else is text. */
export function readValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return text
  }
}
