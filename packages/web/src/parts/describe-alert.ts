import type { Alert } from '@plantroom/contract/alerts'
import { alertAdvice, alertCauses, alertSentences, limitCauses, limitMissed } from '../texts/alerts.ts'
import { findText, format } from '../texts/format.ts'
import { shownKw } from './describe-ceiling.ts'
import { sentence } from './value.ts'

/** Returns what is wrong, as a sentence. */
export function describeAlert({ kind, subject, deviceName }: Pick<Alert, 'kind' | 'subject' | 'deviceName'>): string {
  // Each sentence has one of the two placeholders, or both.
  const message: string = alertSentences[kind]
  return format(message as '{subject}{device}', { subject: subject.name, device: deviceName ?? '' })
}

/** Whether people do not want to see it among the open ones now. */
export const isSnoozedAt = ({ snoozedUntil }: Pick<Alert, 'snoozedUntil'>, now: number) =>
  snoozedUntil !== null && Date.parse(snoozedUntil) > now

/** Returns what to do about it, after the reason where it depends on that. */
export function adviseOn({ kind, details }: Pick<Alert, 'kind' | 'details'>): string {
  if (kind === 'limit-not-kept') return joinSentences([describeMissed(details), alertAdvice[kind]])
  if (kind !== 'export-failed') return alertAdvice[kind]
  const { cause = '', reason = '' } = details as { cause?: string; reason?: string }
  const why = findText(alertCauses, cause) ?? sentence(reason)
  return joinSentences([why, alertAdvice[kind]])
}

/** Describes an interval above its limit: the mean, the limit, and why. An earlier service does not say all of it. */
function describeMissed(details: Alert['details']): string {
  const { meanKw, limitKw, state = '' } = details as { meanKw?: number; limitKw?: number; state?: string }
  const isKnown = typeof meanKw === 'number' && typeof limitKw === 'number'
  const missed = isKnown && format(limitMissed.mean, { mean: shownKw(meanKw), limit: shownKw(limitKw) })
  return joinSentences([missed || '', findText(limitCauses, state) ?? ''])
}

const joinSentences = (sentences: readonly string[]) => sentences.filter(Boolean).join(' ')
