/** A longer text is no number that a person or a program wrote. */
const LONGEST = 400

/**
 * Reads a number that a file contains, and keeps it between `min` and `max`: a loop that counts up to it ends, whatever
 * the file says. NaN for everything that is no number. Every number from a file goes through here.
 */
export function numberIn(
  value: unknown,
  min: number = Number.MIN_SAFE_INTEGER,
  max: number = Number.MAX_SAFE_INTEGER,
): number {
  if (typeof value === 'object' || (typeof value === 'string' && value.length > LONGEST)) return Number.NaN
  return Math.min(Math.max(Number(value), min), max)
}
