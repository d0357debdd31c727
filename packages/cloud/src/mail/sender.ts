import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { ClaimedMail, OutboxStore } from './outbox-store.ts'
import type { Delivery, Smtp } from './smtp.ts'

export interface SenderDeps {
  store: Pick<OutboxStore, 'claim' | 'markSent' | 'postpone' | 'giveUp'>
  smtp: Smtp
  clock: Clock
  log: Log
}

const MINUTE_MS = 60_000
// Far longer than a server takes, which is left after 30 s of silence: who takes a mail over after it finds the other dead.
const LEASE_MS = 10 * MINUTE_MS
const LONGEST_DELAY_MS = 60 * MINUTE_MS
/** About three days with the delays below, as mail servers do among themselves. */
export const MOST_ATTEMPTS = 75
const LOOK_MS = 5_000

/** How long to wait after so many attempts: twice as long each time, and never more than an hour, so that the end of an outage is noticed. */
export function delayAfter(attempts: number): number {
  return Math.min(MINUTE_MS * 2 ** Math.min(attempts - 1, 10), LONGEST_DELAY_MS)
}

/**
 * Sends what is due, one mail after another, until nothing is or the server cannot be reached. As many processes as like
 * may do so at once. A mail is sent again only when a process died between the server's word and ours.
 * Returns how many were sent.
 */
export async function sendDue(deps: SenderDeps, signal?: AbortSignal): Promise<number> {
  const { store, smtp, clock } = deps
  let sent = 0
  while (!signal?.aborted) {
    const now = clock.now()
    const mail = await store.claim({ now: new Date(now), until: new Date(now + LEASE_MS) })
    if (!mail) break
    const delivery = await attempt(smtp, mail)
    await keep(deps, mail, delivery)
    if (delivery.kind === 'unreachable') break
    if (delivery.kind === 'sent') sent += 1
  }
  return sent
}

async function attempt(smtp: Smtp, mail: ClaimedMail): Promise<Delivery> {
  // Counted before it is sent: a mail that ends every process that touches it would else be tried for ever.
  if (mail.attempts > MOST_ATTEMPTS) return { kind: 'refused', reason: 'every attempt was cut short' }
  return await smtp.send(mail)
}

async function keep({ store, clock, log }: SenderDeps, mail: ClaimedMail, delivery: Delivery): Promise<void> {
  const at = new Date(clock.now())
  if (delivery.kind === 'sent') {
    await store.markSent(mail, at)
    return log.info({ mail: mail.id }, 'a mail was sent')
  }
  const { kind, reason: error } = delivery
  if (kind === 'refused' || mail.attempts >= MOST_ATTEMPTS) {
    await store.giveUp(mail, { at, error })
    return log.warn({ mail: mail.id, attempts: mail.attempts }, 'a mail was given up; the outbox says why')
  }
  await store.postpone(mail, { until: new Date(at.getTime() + delayAfter(mail.attempts)), error })
  log.warn({ mail: mail.id, attempts: mail.attempts, kind }, 'a mail could not be sent yet')
}

/** Looks into the outbox every few seconds until it is stopped, and then ends with the mail that is under way. */
export function startMailSender(deps: SenderDeps): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  async function run() {
    while (!signal.aborted) {
      await sendDue(deps, signal).catch((error: Error) =>
        deps.log.warn({ error: error.message }, 'the outbox could not be read; trying again'),
      )
      await sleep(deps.clock, LOOK_MS, signal)
    }
  }
  const ended = run()
  return {
    stop() {
      stopping.abort()
      return ended
    },
  }
}
