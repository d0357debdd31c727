import type { Delivery, Webhook } from '@plantroom/contract/webhooks'
import { format } from '../../texts/format.ts'
import { webhooks } from '../../texts/webhooks.ts'

/** Returns the part of an address that people recognize. */
export const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url)

/** Returns the names of the sites that a webhook is told about. */
export function describeSites(
  siteIds: readonly string[] | null,
  sites: readonly { id: string; name: string }[],
): string {
  if (siteIds === null) return webhooks.allSites
  return siteIds.map((siteId) => sites.find(({ id }) => id === siteId)?.name ?? webhooks.goneSite).join(', ')
}

/** Returns whether a webhook works, and why not. */
export function describeState(webhook: Webhook, timeOf: (at: string) => string): string {
  const state = describeWorking(webhook, timeOf)
  const { previousSecretUntil } = webhook
  if (previousSecretUntil === null) return state
  return format(webhooks.withOverlap, { state, time: timeOf(previousSecretUntil) })
}

function describeWorking(webhook: Webhook, timeOf: (at: string) => string): string {
  const { state, disabledReason, failingSince } = webhook
  if (state === 'disabled') {
    return disabledReason === null ? webhooks.disabled : format(webhooks.disabledBecause, { reason: disabledReason })
  }
  return failingSince === null ? webhooks.active : format(webhooks.failing, { time: timeOf(failingSince) })
}

const texts = webhooks.deliveries

/** Returns what came of a delivery, and when it is tried next. */
export function describeDelivery(delivery: Delivery, timeOf: (at: string) => string): string {
  const { state, attempts, nextAttemptAt } = delivery
  if (state === 'delivered') return texts.delivered
  if (state === 'failed') return format(texts.failed, { count: attempts })
  if (attempts === 0 || nextAttemptAt === null) return texts.waiting
  return format(texts.again, { count: attempts, time: timeOf(nextAttemptAt) })
}

/** Returns the answer of the receiver, or why there is none. */
export function describeAnswer({ status, response, error }: Delivery): string[] {
  const lines = [status === null ? error : format(texts.status, { status: String(status) }), response]
  return lines.filter((line) => line !== null && line !== '').map(String)
}
