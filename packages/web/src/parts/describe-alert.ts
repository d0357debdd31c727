import type { Alert } from '@plantroom/contract/alerts'
import { alertAdvice, alertCauses, alertSentences } from '../texts/alerts.ts'
import { findText, format } from '../texts/format.ts'
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
  if (kind !== 'export-failed') return alertAdvice[kind]
  const { cause = '', reason = '' } = details as { cause?: string; reason?: string }
  const why = findText(alertCauses, cause) ?? sentence(reason)
  return `${why} ${alertAdvice[kind]}`.trimStart()
}
