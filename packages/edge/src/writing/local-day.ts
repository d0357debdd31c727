const HOUR_MS = 3_600_000
/** No day is longer, whatever the clocks are set back by. */
const LONGEST_DAY_MS = 26 * HOUR_MS

// Creating a format costs a thousand times as much as using it.
const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the date at a site, as `YYYY-MM-DD`. In a time zone that this machine does not know, that in UTC. */
export function localDay(timeZone: string, at: number): string {
  return formatOf(timeZone).format(at)
}

/** Returns when the next day begins at a site. */
export function nextLocalDay(timeZone: string, at: number): number {
  const today = localDay(timeZone, at)
  let before = at
  let after = at + LONGEST_DAY_MS
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (localDay(timeZone, middle) === today) before = middle
    else after = middle
  }
  return after
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = newFormat(timeZone) ?? newFormat('UTC')
  if (!format) throw new Error('this machine knows no time zone')
  formats.set(timeZone, format)
  return format
}

function newFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    // The dates of this locale are written as in ISO 8601.
    return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  } catch {
    return undefined
  }
}
