import type {
  AutomaticExport,
  ExportDelivery,
  ExportRun,
  ExportSchedule,
  ExportTarget,
} from '@plantroom/contract/automatic-exports'
import { bytes, joinFacts, sentence } from '../../../parts/value.ts'
import { automaticExport as texts } from '../../../texts/automatic-export.ts'
import { format } from '../../../texts/format.ts'

type TimeOf = (at: string) => string

/** Says when exports start, with the time zone of local times. */
export function describeSchedule(schedule: ExportSchedule, zone: string): string {
  const { every, hours = 1, at: time = '', weekday = 'mon', day = 1 } = schedule
  if (every === 'hours') return format(texts.every.hours, { count: hours })
  if (every === 'week') return format(texts.every.week, { weekday: texts.weekday[weekday], time, zone })
  if (every === 'month') return format(texts.every.month, { day, time, zone })
  return format(texts.every.day, { time, zone })
}

export function describeRetention({ keep, unit }: AutomaticExport['retention']): string {
  return format(unit === 'days' ? texts.keepsDays : texts.keepsPackages, { count: keep })
}

/** Says whether packages arrive at a target, in lines. */
export function describeTarget(target: ExportTarget, timeOf: TimeOf): string[] {
  const { failingSince, lastError, lastSuccessAt, nextAttemptAt, cleanupError } = target
  const failing =
    failingSince !== null && format(texts.targets.fails, { time: timeOf(failingSince), error: sentence(lastError) })
  return [
    failing,
    failingSince !== null && nextAttemptAt !== null && format(texts.targets.again, { time: timeOf(nextAttemptAt) }),
    lastSuccessAt === null
      ? failingSince === null && texts.targets.waits
      : format(texts.targets.works, { time: timeOf(lastSuccessAt) }),
    cleanupError !== null && format(texts.targets.cleanup, { error: sentence(cleanupError) }),
  ].filter((line) => line !== false)
}

/** Names a run by its time. */
export function describeTime({ dueAt, byHand }: ExportRun, timeOf: TimeOf): string {
  return byHand ? format(texts.runs.byHand, { time: timeOf(dueAt) }) : timeOf(dueAt)
}

export function describeState({ state, error }: ExportRun): string {
  // The error of a delivery is with its target.
  return joinFacts([texts.runs.states[state], state !== 'done' && error !== null && sentence(error)])
}

export function describeContent({ tickets, bytes: size }: ExportRun): string | null {
  return tickets === null || size === null ? null : format(texts.runs.of, { count: tickets, size: bytes(size) })
}

/** Says what became of a package at one target. */
export function describeDelivery(delivery: ExportDelivery, timeOf: TimeOf): string {
  const { label: target, state, deliveredAt, removedAt, nextAttemptAt, attempts, error } = delivery
  const own = texts.runs.delivery
  if (state === 'delivered') {
    const arrived = deliveredAt === null ? '' : timeOf(deliveredAt)
    if (removedAt !== null) return format(own.removed, { target, arrived, time: timeOf(removedAt) })
    return format(own.delivered, { target, time: arrived })
  }
  if (state === 'failed') return format(own.failed, { target, error: sentence(error) })
  if (state === 'superseded') return format(own.superseded, { target })
  if (attempts > 0 && error !== null && nextAttemptAt !== null) {
    return format(own.retrying, { target, time: timeOf(nextAttemptAt), error: sentence(error) })
  }
  return format(own.waiting, { target })
}

/** True while something happens that the page should follow closely. */
export const isMoving = (runs: readonly ExportRun[]): boolean =>
  runs.some(({ state }) => state === 'waiting' || state === 'exporting' || state === 'delivering')
