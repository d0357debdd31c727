import { isSameEmail } from '@plantroom/contract/fold-email'
import type { Person } from '@plantroom/contract/tickets'
import { format } from '../../texts/format.ts'
import { TEXT_LOCALE } from '../../texts/language.ts'
import { noMail } from '../../texts/request-parts.ts'
import { priorities, request, staffComment } from '../../texts/requests.ts'
import { PRIORITIES, readPriority } from './request-filters.ts'

/** The priorities with their names, the most urgent first. */
export const PRIORITY_CHOICES = PRIORITIES.map((each) => ({ value: String(each), label: priorities[each] })).reverse()

/** Returns the name of a priority. A number that has none, from a newer service, stays as it is. */
export function priorityName(priority: number): string {
  const known = readPriority(String(priority))
  return known === null ? String(priority) : priorities[known]
}

/** Returns the name of a person, or else the address or phone number; `undefined` when all are unknown. */
export function nameOf(person: Person | null | undefined): string | undefined {
  return person?.name?.trim() || person?.email || person?.phone || undefined
}

/** Returns the label of a person in a list of choices. */
export function personLabel({ name, email }: { name: string | null; email: string }): string {
  return name?.trim() ? format(request.personWithEmail, { name: name.trim(), email }) : email
}

/** Returns the address that a staff comment will be mailed to, as the service decides; `null` when there is none. */
export function recipientOf(reporter: Person | null, author: string): string | null {
  const address = reporter?.email ?? null
  return isSameEmail(address, author) ? null : address
}

/** Describes who will receive a comment by mail, or why nobody will. */
export function mailNotice(reporter: Person | null, author: string, sendsMail: boolean): string {
  const recipient = recipientOf(reporter, author)
  if (recipient !== null) {
    return format(sendsMail ? staffComment.willBeMailed : noMail.willNotBeSent, { email: recipient })
  }
  if (!reporter) return staffComment.noReporter
  if (reporter.email) return staffComment.yourself
  const name = nameOf(reporter)
  return name ? format(staffComment.noAddress, { name }) : staffComment.noReporter
}

/** Describes who receives an added comment by mail. */
export function mailedNotice(mailedTo: string | null, sendsMail: boolean): string {
  if (mailedTo === null) return staffComment.notMailed
  return format(sendsMail ? staffComment.mailed : noMail.notSent, { email: mailedTo })
}

/** Returns the name of a language, like `Estonian (et)`; unknown codes stay unchanged. */
export function languageName(code: string): string {
  try {
    const name = new Intl.DisplayNames(TEXT_LOCALE, { type: 'language', fallback: 'none' }).of(code)
    return name ? format(request.languageWithCode, { name, code }) : code
  } catch {
    return code
  }
}

/** Returns a mail link. The address is escaped, so it cannot add recipients or text. */
export function mailLink(email: string): string {
  return `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`
}

/** Returns a phone link; `undefined` for a text without digits. */
export function phoneLink(phone: string): string | undefined {
  const dialled = phone.replace(/[^0-9+*#]/g, '')
  return /[0-9]/.test(dialled) ? `tel:${dialled}` : undefined
}
