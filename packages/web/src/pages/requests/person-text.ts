import type { Person } from '@plantroom/contract/tickets'
import { staffComment } from '../../texts/requests.ts'

/** What somebody is called: the best that is known of them; `undefined` when nothing is. */
export function nameOf(person: Person | null | undefined): string | undefined {
  return person?.name?.trim() || person?.email || person?.phone || undefined
}

/** As an entry to choose somebody by. */
export function personLabel({ name, email }: { name: string | null; email: string }): string {
  return name?.trim() ? `${name.trim()} (${email})` : email
}

/** Two addresses of one person; the service does not look at their case. */
export function isSameAddress(one: string | null | undefined, other: string | null | undefined): boolean {
  return one != null && other != null && one.toLowerCase() === other.toLowerCase()
}

/** Whom a comment of the staff will be mailed to; `null`: to nobody. The service decides in the same way. */
export function recipientOf(reporter: Person | null, author: string): string | null {
  const address = reporter?.email ?? null
  return isSameAddress(address, author) ? null : address
}

/** Says before a comment is sent who will get it by mail, or why nobody does. */
export function mailNotice(reporter: Person | null, author: string): string {
  const recipient = recipientOf(reporter, author)
  if (recipient !== null) return staffComment.willBeMailed(recipient)
  if (!reporter) return staffComment.noReporter
  if (reporter.email) return staffComment.yourself
  const name = nameOf(reporter)
  return name ? staffComment.noAddress(name) : staffComment.noReporter
}

/** What the service did with it. */
export function mailedNotice(mailedTo: string | null): string {
  return mailedTo === null ? staffComment.notMailed : staffComment.mailed(mailedTo)
}
