import type { OpenadrReport } from '@plantroom/contract/openadr'
import { sentence } from '../../parts/value.ts'
import { format } from '../../texts/format.ts'
import { openadrReports as texts } from '../../texts/openadr-events.ts'

export const REPORT_COLORS = { waiting: 'blue', sent: 'green', refused: 'red' } as const

/** Says what became of a report: when it was sent, or when it is tried next. */
export function describeSending(report: OpenadrReport, timeOf: (at: string) => string): string {
  const { state, sentAt, dueAt, attempts, nextAttemptAt } = report
  if (sentAt !== null) return format(texts.sentAt, { time: timeOf(sentAt) })
  if (state === 'refused') return format(texts.attempts, { count: attempts })
  if (attempts === 0 || nextAttemptAt === null) return format(texts.waiting, { time: timeOf(dueAt) })
  return format(texts.overdue, { count: attempts, time: timeOf(nextAttemptAt) })
}

/** Returns what the VTN said, or why there is no answer. */
export function describeAnswer({ state, status, answer, error }: OpenadrReport): string[] {
  const lines = [
    status !== null && state !== 'sent' && format(texts.status, { status: String(status) }),
    answer,
    error !== null && error !== answer && sentence(error),
  ]
  return lines.filter((line) => typeof line === 'string' && line !== '').map(String)
}
