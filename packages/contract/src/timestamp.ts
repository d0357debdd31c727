const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/

const FIRST = Date.parse('0000-01-01T00:00:00.000Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

/** Parses an RFC 3339 time with a zone into milliseconds since 1970; `undefined` for anything else, 30 February included. */
export function parseTimestamp(text: string): number | undefined {
  const match = RFC_3339.exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const offsetHours = Number(match[9] ?? 0)
  const offsetMinutes = Number(match[10] ?? 0)
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) return undefined

  const local = new Date(0)
  local.setUTCFullYear(year, month - 1, day)
  // A day that the month does not have rolls over into the next one.
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return undefined

  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'))
  const offset = (match[8] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * 60_000
  const ms = local.setUTCHours(hour, minute, second, milliseconds) - offset
  // An offset may move the time beyond the years that can be formatted.
  return ms >= FIRST && ms <= LAST ? ms : undefined
}

/** Parses a time that a schema has checked. */
export function checkedTime(text: string): number {
  const ms = parseTimestamp(text)
  if (ms === undefined) throw new RangeError(`${text} was not checked`)
  return ms
}

/** UTC with milliseconds and `Z`, as in every reply. */
export function formatTimestamp(ms: number): string {
  return new Date(ms).toISOString()
}
