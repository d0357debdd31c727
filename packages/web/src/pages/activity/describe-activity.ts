import type { ActivityEntry } from '@plantroom/contract/activity'
import { activity, closedHolds, refusals, sentences } from '../../texts/activity.ts'
import { format } from '../../texts/format.ts'

/** Returns what happened, as a sentence without its subject: the table names who did it beside it. */
export function describeActivity({ action, subject, details }: ActivityEntry): string {
  const what = { what: subject?.name ?? subject?.id ?? '' }
  const { reason, outcome } = details
  if (action === 'hold-closed') {
    const sentence = outcome === 'abandoned' ? closedHolds.abandoned : closedHolds['restored-by-hand']
    return typeof reason === 'string' ? format(sentence, { ...what, reason }) : format(sentences[action], what)
  }
  if (typeof reason === 'string' && Object.hasOwn(refusals, reason)) {
    return format(refusals[reason as keyof typeof refusals], what)
  }
  return format(sentences[action], what)
}

/** Returns how often it happened, when that was more than once. */
export function describeCount({ details: { count } }: ActivityEntry): string | undefined {
  return typeof count === 'number' && count > 1 ? format(activity.times, { count }) : undefined
}

/** Returns who did it, with the name at that time. */
export function describeActor({ actor: { kind, id, name } }: ActivityEntry): string {
  if (kind === 'operator') return activity.operator
  if (kind === 'schedule') return activity.schedule
  if (kind === 'system') return activity.system
  if (kind === 'unknown') return activity.unknown
  const shown = name ?? id ?? activity.unknown
  return kind === 'key' ? format(activity.key, { name: shown }) : shown
}
