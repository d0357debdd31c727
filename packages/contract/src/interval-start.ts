import { localTimeAt, momentOfLocalTime } from './site-time.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/**
 * Returns the beginning of the interval that a moment is in, aligned to the clock of a site: for example to every whole
 * hour, or to midnight. When the clock is set forward or back, hours stay as they are, and longer intervals become
 * shorter or longer: a day may have 23 or 25 hours.
 */
export function intervalStart(moment: number, intervalMs: number, timeZone: string): number {
  if (!dependsOnZone(intervalMs)) return moment - modulo(moment, intervalMs)
  const local = localTimeAt(timeZone, moment)
  const offset = local - (moment - modulo(moment, MINUTE_MS))
  if (intervalMs <= HOUR_MS || intervalMs % MINUTE_MS !== 0) return moment - modulo(moment + offset, intervalMs)
  return momentOfLocalTime(timeZone, local - modulo(local, intervalMs))
}

/** Every time zone differs from UTC by whole quarters of an hour. */
export const dependsOnZone = (intervalMs: number) => (HOUR_MS / 4) % intervalMs !== 0

const modulo = (a: number, b: number) => ((a % b) + b) % b
