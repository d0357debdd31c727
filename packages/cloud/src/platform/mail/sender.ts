import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { ClaimedMail, OutboxStore } from './outbox-store.ts'
import type { Delivery, Smtp } from './smtp.ts'

interface SenderDeps {
  store: Pick<OutboxStore, 'claim' | 'markSent' | 'postpone' | 'giveUp'>
  smtp: Smtp
  clock: Clock
  log: Log
}

const MINUTE_MS = 60_000
// Far longer than any delivery, which times out after 30 s of silence: a sender that exceeds it is dead.
const LEASE_MS = 10 * MINUTE_MS
const MAX_DELAY_MS = 60 * MINUTE_MS
/** About three days with the delays below, as is usual among mail servers. */
export const MAX_ATTEMPTS = 75
const LOOK_MS = 5_000

/** Returns the delay after an attempt: doubled each time, at most an hour, so that the end of an outage is noticed. */
export function delayAfter(attempts: number): number {
  return Math.min(MINUTE_MS * 2 ** Math.min(attempts - 1, 10), MAX_DELAY_MS)
}

/**
 * Sends all due mail, one after the other, and returns how many were sent. Stops when the server is unreachable. Several
 * processes may run it at the same time. A mail is sent twice only when a process dies between delivery and recording it.
 */
export async function sendDue(deps: SenderDeps, signal?: AbortSignal): Promise<number> {
  const { store, smtp, clock } = deps
  let sent = 0
  while (!signal?.aborted) {
    const now = clock.now()
    const mail = await store.claim({ now: new Date(now), until: new Date(now + LEASE_MS) })
    if (!mail) break
    const delivery = await attempt(smtp, mail)
    await record(deps, mail, delivery)
    if (delivery.kind === 'unreachable') break
    if (delivery.kind === 'sent') sent += 1
  }
  return sent
}

async function attempt(smtp: Smtp, mail: ClaimedMail): Promise<Delivery> {
  // The claim counted this attempt already, so that a mail that crashes the worker is not retried forever.
  if (mail.attempts > MAX_ATTEMPTS) return { kind: 'refused', reason: 'every attempt was interrupted' }
  return await smtp.send(mail)
}

async function record({ store, clock, log }: SenderDeps, mail: ClaimedMail, delivery: Delivery): Promise<void> {
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

/** Checks the outbox every few seconds. `stop` waits for the mail that is being sent. */
export function startMailSender(deps: SenderDeps): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  async function run() {
    while (!signal.aborted) {
      await sendDue(deps, signal).catch((error: Error) =>
        deps.log.warn({ error: error.message }, 'could not read the outbox; retrying'),
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
