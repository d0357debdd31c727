import { shown } from '@plantroom/contract/shown'

const LONGEST = 100

/** Text from equipment as it may appear in a message: what `shown` makes of it, on one line. */
export function excerpt(text: string, longest = LONGEST): string {
  // A megabyte is not worth scanning for the few characters that are shown.
  const start = text.slice(0, 4 * longest)
  const line = shown(start.replace(/[^\S ]+/gu, ' ').trim(), longest)
  return start.length < text.length && !line.endsWith('…') ? `${line}…` : line
}
