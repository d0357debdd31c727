import type { OutboxMail } from '@plantroom/contract/api'
import { format } from '../../texts/format.ts'
import { outbox } from '../../texts/outbox.ts'

/** Returns the delivery state of a mail; `timeOf` formats times. */
export function describeMail(
  mail: Pick<OutboxMail, 'state' | 'attempts' | 'sentAt'>,
  timeOf: (at: string) => string,
  sendsMail = true,
): string {
  switch (mail.state) {
    case 'sent':
      return mail.sentAt ? format(outbox.sentAt, { time: timeOf(mail.sentAt) }) : outbox.sent
    case 'failed':
      return format(outbox.failed, { count: mail.attempts })
    case 'waiting':
      if (!sendsMail) return outbox.notSent
      return mail.attempts > 0 ? format(outbox.waitingAgain, { count: mail.attempts }) : outbox.waiting
  }
}
