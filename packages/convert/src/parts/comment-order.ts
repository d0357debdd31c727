import type { SourceComment } from '../source.ts'
import { numberIn } from '../text/numbers.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const ISO = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}.*)?$/
const JIRA = /^(\d{1,2})\/([a-z]{3})\/(\d{2,4})(?: (\d{1,2}):(\d{2})(?: ?([ap])m)?)?$/i

/**
 * Sorts comments by their time. Comments keep the order of the source if the time of any of them cannot be compared: a
 * wrong order would tell another story than the source.
 */
export function inOrder(comments: readonly SourceComment[]): readonly SourceComment[] {
  const timed = comments.map((comment) => ({ comment, time: comparableTime(comment.createdAt) }))
  if (timed.some(({ time }) => time === undefined)) return comments
  return timed.toSorted((a, b) => (a.time ?? 0) - (b.time ?? 0)).map(({ comment }) => comment)
}

/** A number that grows with the time that a text means, for texts of one export. Not a point in time: it knows no zone. */
export function comparableTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const iso = ISO.test(text) ? Date.parse(/[zZ]|[+-]\d{2}:?\d{2}$/.test(text) ? text : `${text}Z`) : Number.NaN
  if (!Number.isNaN(iso)) return iso
  const [, day, month = '', year, hour = '0', minute = '0', half] = JIRA.exec(text) ?? []
  const index = MONTHS.indexOf(month.toLowerCase())
  if (index < 0) return undefined
  const hours = half ? (numberIn(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : numberIn(hour)
  return Date.UTC(numberIn(year) % 100, index, numberIn(day), hours, numberIn(minute))
}
