import { shown } from '@plantroom/contract/shown'

const MAX_LENGTH = 100

/** Formats text from equipment for a message: on one line, shortened, without invisible characters. */
export function excerpt(text: string, maxLength = MAX_LENGTH): string {
  // Scanning a megabyte to show a few characters would be a waste.
  const start = text.slice(0, 4 * maxLength)
  const line = shown(start.replace(/[^\S ]+/gu, ' ').trim(), maxLength)
  return start.length < text.length && !line.endsWith('…') ? `${line}…` : line
}
