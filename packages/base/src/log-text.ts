/** Control characters, and characters that reorder text: in a value they could forge lines or command a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g
/** The same without what JSON escapes already. The end of a line is not part of a value. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Returns a JSON line without raw characters that a terminal or an editor obeys. It parses to the same value. */
export const safeJsonLine = (line: string): string => line.replace(UNSAFE_IN_JSON, escaped)

const printable = (text: string): string =>
  text.toWellFormed().replaceAll('\n', String.raw`\n`).replaceAll('\t', String.raw`\t`).replace(UNSAFE, escaped)

const LEVELS: Readonly<Record<number, { name: string; colour: string }>> = {
  10: { name: 'TRACE', colour: '90' },
  20: { name: 'DEBUG', colour: '90' },
  30: { name: 'INFO', colour: '32' },
  40: { name: 'WARN', colour: '33' },
  50: { name: 'ERROR', colour: '31' },
  60: { name: 'FATAL', colour: '41' },
}
const DIM = '2'

interface Line {
  [field: string]: unknown
  level?: number
  time?: number
  name?: string
  msg?: string
  err?: unknown
}

/**
 * Returns a line of the JSON log as a person reads it: time, level, program, message, fields. The stack of an error
 * follows on lines of its own, which start with spaces, so that nothing in it looks like another event.
 */
export function formatLogLine(json: string, { colours }: { colours: boolean }): string {
  const line = parse(json)
  if (!line) return `${printable(json.trimEnd())}\n`
  const { level, time, name, msg, err, pid: _pid, hostname: _hostname, ...fields } = line
  const paint = (code: string, text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text)
  const { name: levelName, colour } = LEVELS[Number(level)] ?? { name: String(level), colour: DIM }
  const at = typeof time === 'number' ? new Date(time).toISOString() : ''
  const shown = Object.entries(fields).map(([key, value]) => `${paint(DIM, `${printable(key)}=`)}${shownValue(value)}`)
  const head = [
    paint(DIM, at),
    paint(colour, levelName.padEnd(5)),
    printable(String(name ?? '')),
    printable(String(msg ?? '')),
  ]
  return `${[...head, ...shown, ...shownError(err)].filter((part) => part !== '').join(' ')}\n`
}

/** Returns the JSON line that follows lines that were lost. It is from the program that wrote the line `last`. */
export function lossLine(last: string, lost: number, now: number): string {
  const { pid, hostname, name } = parse(last) ?? {}
  const msg = 'lines of this log were lost, because nothing read its output'
  return `${JSON.stringify({ level: 40, time: now, pid, hostname, name, lost, msg })}\n`
}

function parse(json: string): Line | undefined {
  try {
    const parsed: unknown = JSON.parse(json)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Line) : undefined
  } catch {
    return undefined
  }
}

/** Quotes text only where it would not be clear where it ends. */
function shownValue(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"=\\]+$/.test(value)) return printable(value)
  return safeJsonLine(JSON.stringify(value))
}

function shownError(err: unknown): string[] {
  if (err === undefined) return []
  const { message, stack } = (typeof err === 'object' && err !== null ? err : { message: err }) as Record<
    string,
    unknown
  >
  const lines = typeof stack === 'string' ? stack.split('\n') : []
  return [`err=${shownValue(String(message))}${lines.map((line) => `\n    ${printable(line.trim())}`).join('')}`]
}
