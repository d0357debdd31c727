import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'

/** Refuses what is no name of a time zone. */
export function requireTimeZone(timeZone: string | undefined): void {
  if (timeZone === undefined || isTimeZone(timeZone)) return
  throw new Failure(
    'invalid',
    `timeZone: "${shown(timeZone)}" is no time zone: write an IANA name such as Europe/Tallinn`,
    'timeZone',
  )
}

function isTimeZone(text: string): boolean {
  // An offset such as +02:00 is taken there too, but the hours of a site change with its summer time.
  if (/^[+-]/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}
