import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { BOUNDS, type Transport } from '../../platform/outbound/index.ts'
import type { Seal } from '../../platform/seal/index.ts'
import { delayAfter, type Lease } from '../../platform/work/index.ts'
import type { DeliveryStore, LeasedDelivery } from './delivery-store.ts'
import { signedHeaders } from './sign.ts'

/** For one attempt, from the name to the end of the answer. */
export const ATTEMPT_MS = BOUNDS.webhook.totalMs
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Between attempts: about a day in all. */
export const DELAYS_MS = [
  ...[5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
  ...[HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 6 * HOUR_MS, 10 * HOUR_MS],
] as const
/** A webhook without any success for this long is disabled when the next delivery is given up. */
const DISABLE_AFTER_MS = 3 * 24 * HOUR_MS
const GONE = 410
/** How long to leave a delivery whose secret this worker cannot read. */
const UNREADABLE_MS = 5 * MINUTE_MS
const LONGEST_ERROR = 500

export interface DeliverDeps {
  store: Pick<DeliveryStore, 'open' | 'markDelivered' | 'markFailed' | 'postpone'>
  transport: Transport
  seal: Seal
  /** Disables a webhook and notifies the administrators. */
  disable(webhookId: string, reason: string): Promise<void>
  clock: Clock
  log: Log
  random?: (() => number) | undefined
}

/** Sends a delivery once and records what came of it. */
export async function deliver(deps: DeliverDeps, lease: Lease<'id'>): Promise<void> {
  const { store, clock, log } = deps
  const delivery = await store.open(lease)
  let secrets: readonly string[]
  try {
    secrets = openSecrets(deps, delivery)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    log.error({ webhook: delivery.webhookId }, error.message)
    return store.postpone(delivery, new Date(clock.now() + UNREADABLE_MS), error.message)
  }
  const answer = await attempt(deps, delivery, secrets)
  const at = new Date(clock.now())
  const isDelivered = answer.status !== null && answer.status >= 200 && answer.status <= 299
  if (isDelivered) return void (await store.markDelivered(delivery, { ...answer, at }))
  const isGone = answer.status === GONE
  const delay = isGone ? undefined : delayAfter(DELAYS_MS, delivery.attempts, deps.random)
  const next = delay === undefined ? undefined : new Date(at.getTime() + delay)
  const failingSince = await store.markFailed(delivery, { ...answer, at }, next)
  if (isGone) return deps.disable(delivery.webhookId, 'the receiver answered 410 Gone: it wants no more deliveries')
  if (!next && at.getTime() - failingSince.getTime() >= DISABLE_AFTER_MS) {
    await deps.disable(delivery.webhookId, `no delivery has succeeded since ${formatTimestamp(failingSince.getTime())}`)
  }
}

interface Answer {
  status: number | null
  response: string | null
  error: string | null
}

async function attempt(
  { transport, clock }: DeliverDeps,
  delivery: LeasedDelivery,
  secrets: readonly string[],
): Promise<Answer> {
  try {
    const body = bodyOf(delivery)
    const signed = signedHeaders({ id: delivery.eventId, at: clock.now(), body }, secrets)
    const headers = { 'content-type': 'application/json', ...signed }
    const outgoing = { method: 'POST', headers, body, group: delivery.organizationId, bounds: BOUNDS.webhook }
    const answer = await transport.send(new URL(delivery.url), outgoing)
    const { status } = answer
    const isRedirect = status >= 300 && status <= 399
    const error = isRedirect ? `it answered ${status}, a redirect, which is not followed` : `it answered ${status}`
    return { status, response: textOf(answer.body), error }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { status: null, response: null, error: reason.slice(0, LONGEST_ERROR).replaceAll('\0', '') }
  }
}

/** Text that every column takes. An answer that was cut may end in half a character. */
const textOf = (body: Buffer) => body.toString('utf8').replaceAll('\0', '\uFFFD')

/** The same text for every attempt. */
export function bodyOf({ type, at, data }: Pick<LeasedDelivery, 'type' | 'at' | 'data'>): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${formatTimestamp(at.getTime())}","data":${data}}`
}

function openSecrets({ seal, clock }: DeliverDeps, delivery: LeasedDelivery): string[] {
  const { webhookId, secret, previousSecret, previousUntil } = delivery
  const isPreviousValid = previousSecret && previousUntil && previousUntil.getTime() > clock.now()
  return [secret, ...(isPreviousValid ? [previousSecret] : [])].map((sealed) => seal.open(sealed, webhookId))
}
