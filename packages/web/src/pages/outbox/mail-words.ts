import type { OutboxMail } from '@plantroom/client/outbox'
import { outbox } from '../../texts/outbox.ts'

/** What became of a mail; `timeOf` tells a time for people. */
export function stateOf(
  mail: Pick<OutboxMail, 'state' | 'attempts' | 'sentAt'>,
  timeOf: (at: string) => string,
): string {
  switch (mail.state) {
    case 'sent':
      return outbox.sent(mail.sentAt ? timeOf(mail.sentAt) : '').trim()
    case 'failed':
      return outbox.failed(mail.attempts)
    case 'waiting':
      return mail.attempts > 0 ? outbox.waitingAgain(mail.attempts) : outbox.waiting
  }
}
