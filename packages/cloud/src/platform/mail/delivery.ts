import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { WorkKind } from '../work/index.ts'
import type { LeasedMail, OutboxStore } from './outbox-store.ts'
import type { Delivery, Smtp } from './smtp.ts'

export interface MailDeps {
  store: Pick<OutboxStore, 'rows' | 'open' | 'markSent' | 'postpone' | 'giveUp'>
  smtp: Smtp
  clock: Clock
  log: Log
}

const MINUTE_MS = 60_000
const MAX_DELAY_MS = 60 * MINUTE_MS
/** About three days with the delays below, as is usual among mail servers. */
export const MAX_ATTEMPTS = 75
/** How long all mail waits after the server could not be reached. */
const UNREACHABLE_MS = 5_000

/** Returns the delay after an attempt: doubled each time, at most an hour, so that the end of an outage is noticed. */
export function delayAfter(attempts: number): number {
  return Math.min(MINUTE_MS * 2 ** Math.min(attempts - 1, 10), MAX_DELAY_MS)
}

/** Sends the mail of the outbox. A mail is sent twice only when a process dies between delivery and recording it. */
export function mailDelivery(deps: MailDeps): WorkKind<'mail', 'id'> {
  const { store, clock } = deps
  let closedUntil = Number.NEGATIVE_INFINITY
  return {
    name: 'mail',
    rows: store.rows,
    // In the order in which an organization queued it.
    atOnce: 2,
    perOrganization: 1,
    isOpen: () => clock.monotonic() >= closedUntil,
    async run(lease) {
      const mail = await store.open(lease)
      const delivery = await attempt(deps.smtp, mail)
      if (delivery.kind === 'unreachable') closedUntil = clock.monotonic() + UNREACHABLE_MS
      await record(deps, mail, delivery)
    },
  }
}

async function attempt(smtp: Smtp, mail: LeasedMail): Promise<Delivery> {
  // The lease counted this attempt already, so that a mail that crashes the worker is not retried forever.
  if (mail.attempts > MAX_ATTEMPTS) return { kind: 'refused', reason: 'every attempt was interrupted' }
  return await smtp.send(mail)
}

async function record({ store, clock, log }: MailDeps, mail: LeasedMail, delivery: Delivery): Promise<void> {
  const at = new Date(clock.now())
  if (delivery.kind === 'sent') {
    await store.markSent(mail, at)
    return log.info({ mail: mail.id }, 'sent a mail')
  }
  const { kind, reason: error } = delivery
  if (kind === 'refused' || mail.attempts >= MAX_ATTEMPTS) {
    await store.giveUp(mail, { at, error })
    return log.warn({ mail: mail.id, attempts: mail.attempts }, 'gave up on a mail; see the outbox for the reason')
  }
  await store.postpone(mail, { until: new Date(at.getTime() + delayAfter(mail.attempts)), error })
  log.warn({ mail: mail.id, attempts: mail.attempts, kind }, 'could not send a mail; retrying later')
}
