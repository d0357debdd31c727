import type { HistoryStore } from '../telemetry/index.ts'
import { meanOf, readSpans } from './measured-in.ts'
import type { Question } from './report-data.ts'
import { sameTimeBefore } from './usual-times.ts'

/** A baseline is the mean of so many days, and of no fewer than the second. */
export const USUAL_DAYS = 5
export const FEWEST_DAYS = 3
/** How many days back they may be. */
export const USUAL_WITHIN_DAYS = 45

/** Where the power of a resource is archived, and when it was not its own. */
export interface UsualSource {
  of: { deviceId: string; datapointId: string }
  kind: 'power' | 'energy'
  timeZone: string
  held: readonly { from: number; to: number }[]
}

export interface UsualPower extends Question {
  /** `undefined` when there are too few days. */
  kw: number | undefined
  /** How many days it is the mean of. */
  days: number
}

const DAY_MS = 86_400_000

/** Returns when the first value of the last weeks was archived: days before it need not be read. */
async function oldestOf(history: Pick<HistoryStore, 'list'>, of: UsualSource['of'], questions: readonly Question[]) {
  const from = Math.min(...questions.map((question) => question.from)) - (USUAL_WITHIN_DAYS + 1) * DAY_MS
  const to = Math.max(...questions.map((question) => question.to))
  const { measurements } = await history.list({ ...of, from, to }, { after: undefined, limit: 1 })
  return measurements[0]?.at ?? Number.POSITIVE_INFINITY
}

/**
 * Returns the power that a resource usually has at some times, all of one report: the mean of the same local time on the
 * newest previous days of the same kind that were read, without any in which an event, a dispatch or a limit was in force.
 * Nothing is adjusted to the day itself. Reads each day once.
 */
export async function usualPower(
  history: Pick<HistoryStore, 'list'>,
  { of, kind, timeZone, held }: UsualSource,
  questions: readonly Question[],
  now: number,
): Promise<UsualPower[]> {
  const found = questions.map((question) => ({ question, kws: [] as number[] }))
  const oldest = await oldestOf(history, of, questions)
  for (let day = 1; day <= USUAL_WITHIN_DAYS; day += 1) {
    const times = found.flatMap(({ question, kws }) => {
      const time = kws.length < USUAL_DAYS ? sameTimeBefore(question, day, timeZone) : undefined
      const counts =
        time && time.to <= now && time.to >= oldest && !held.some(({ from, to }) => from < time.to && to > time.from)
      return counts ? [{ time, kws }] : []
    })
    if (times.length === 0) continue
    const whole = {
      from: Math.min(...times.map(({ time }) => time.from)),
      to: Math.max(...times.map(({ time }) => time.to)),
    }
    const spans = await readSpans(history, of, whole)
    for (const { time, kws } of times) {
      const { meanKw } = meanOf(spans, time, kind)
      if (meanKw !== null) kws.push(meanKw)
    }
  }
  return found.map(({ question, kws }) => ({
    ...question,
    days: kws.length,
    kw: kws.length < FEWEST_DAYS ? undefined : kws.reduce((sum, kw) => sum + kw, 0) / kws.length,
  }))
}
