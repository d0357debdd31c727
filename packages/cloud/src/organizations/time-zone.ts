import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'

/** Throws when the text is not an IANA time zone. */
export function requireTimeZone(timeZone: string | undefined): void {
  if (timeZone === undefined || isTimeZone(timeZone)) return
  throw new Failure(
    'invalid',
    `timeZone: "${shown(timeZone)}" is not a time zone: use an IANA name, for example Europe/Tallinn`,
    'timeZone',
  )
}

function isTimeZone(text: string): boolean {
  // Intl also accepts offsets like +02:00, but those ignore daylight saving time.
  if (/^[+-]/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}
