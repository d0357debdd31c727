import type { Alert } from '@plantroom/contract/alerts'
import { alertAdvice, alertSentences } from '../texts/alerts.ts'
import { format } from '../texts/format.ts'

/** Returns what is wrong, as a sentence. */
export function describeAlert({ kind, subject, deviceName }: Pick<Alert, 'kind' | 'subject' | 'deviceName'>): string {
  // Each sentence has one of the two placeholders, or both.
  const message: string = alertSentences[kind]
  return format(message as '{subject}{device}', { subject: subject.name, device: deviceName ?? '' })
}

/** Returns what to do about it. */
export const adviseOn = ({ kind }: Pick<Alert, 'kind'>): string => alertAdvice[kind]
