import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import { Failure, quotaReached } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { MAX_ASKED_PER_HOUR, MAX_WEBHOOKS, type Webhook } from '@plantroom/contract/webhooks'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/database.ts'
import { type Guard, RefusedAddress } from '../../platform/outbound/index.ts'
import { addRoute } from '../../platform/routes/index.ts'
import type { Seal } from '../../platform/seal/index.ts'
import type { ActivityLog } from '../activity/index.ts'
import { createDeliveryStore } from './delivery-store.ts'
import { recordEventFor } from './event-store.ts'
import { makeWebhookSecret } from './sign.ts'
import { createWebhookStore } from './webhook-store.ts'

interface WebhookRouteDeps {
  db: Db
  activity: ActivityLog
  seal: Seal
  guard: Pick<Guard, 'check'>
  clock: Clock
}

/** A place becomes free when an administrator removes a webhook, at any time. */
const TRY_AGAIN_S = 60

/** Lists, adds, changes and removes webhooks, for administrators. */
export function webhookRoutes(app: FastifyInstance, deps: WebhookRouteDeps): void {
  const { db, activity, seal, clock } = deps

  addRoute(app, API.listWebhooks, async ({ params }) => ({
    webhooks: await createWebhookStore(db).list(params.orgId, now(deps)),
  }))

  addRoute(app, API.addWebhook, async (request) => {
    const { orgId: organizationId } = request.params
    const { types, siteIds = null } = request.body
    const url = readUrl(deps, request.body.url)
    const id = newId('wh')
    const secret = makeWebhookSecret()
    const webhook = await activity.change(request, async (tx, note) => {
      const store = createWebhookStore(tx)
      const count = await store.count(organizationId)
      if (count === undefined) throw new Failure('notFound', `there is no organization ${shown(organizationId)}`)
      if (count >= MAX_WEBHOOKS) {
        throw quotaReached(
          `the organization has ${MAX_WEBHOOKS} webhooks, the most it may have: remove one first`,
          TRY_AGAIN_S,
        )
      }
      await requireOwnSites(tx, organizationId, siteIds)
      await store.add({ id, organizationId, url, types, siteIds, secret: seal.seal(secret, id) })
      note({ organizationId, action: 'webhook-added', subject: subjectOf(id, url), details: { types } })
      return requireWebhook(tx, organizationId, id, clock)
    })
    return { ...webhook, secret }
  })

  addRoute(app, API.changeWebhook, async (request) => {
    const { orgId: organizationId, webhookId } = request.params
    const { url: given, types, siteIds, active } = request.body
    const url = given === undefined ? undefined : readUrl(deps, given)
    return activity.change(request, async (tx, note) => {
      if (siteIds !== undefined) await requireOwnSites(tx, organizationId, siteIds)
      const changes = {
        ...(url !== undefined && { url }),
        ...(types !== undefined && { types }),
        ...(siteIds !== undefined && { siteIds }),
        active,
      }
      if (!(await createWebhookStore(tx).change(organizationId, webhookId, changes, now(deps)))) {
        throw unknownWebhook(webhookId)
      }
      if (active === false) await createDeliveryStore(tx).endWaiting(webhookId, 'the webhook was disabled')
      const webhook = await requireWebhook(tx, organizationId, webhookId, clock)
      const details = { changed: Object.keys(request.body) }
      note({ organizationId, action: 'webhook-changed', subject: subjectOf(webhookId, webhook.url), details })
      return webhook
    })
  })

  addRoute(app, API.removeWebhook, async (request) => {
    const { orgId: organizationId, webhookId } = request.params
    await activity.change(request, async (tx, note) => {
      const removed = await createWebhookStore(tx).remove(organizationId, webhookId)
      if (!removed) throw unknownWebhook(webhookId)
      note({ organizationId, action: 'webhook-removed', subject: subjectOf(webhookId, removed.url) })
    })
  })

  addRoute(app, API.rotateWebhookSecret, async (request) => {
    const { orgId: organizationId, webhookId } = request.params
    const { overlapSeconds } = request.body
    const secret = makeWebhookSecret()
    const until = new Date(clock.now() + overlapSeconds * 1000)
    await activity.change(request, async (tx, note) => {
      const sealed = seal.seal(secret, webhookId)
      const rotated = await createWebhookStore(tx).rotate(organizationId, webhookId, sealed, until)
      if (!rotated) throw unknownWebhook(webhookId)
      const subject = subjectOf(webhookId, rotated.url)
      note({ organizationId, action: 'webhook-secret-rotated', subject, details: { overlapSeconds } })
    })
    return { id: webhookId, secret, previousSecretUntil: overlapSeconds > 0 ? until : null }
  })

  deliveryRoutes(app, deps)
}

/** Sends tests and lists deliveries. */
function deliveryRoutes(app: FastifyInstance, deps: WebhookRouteDeps): void {
  const { db, activity, clock } = deps

  addRoute(app, API.testWebhook, async (request) => {
    const { orgId: organizationId, webhookId } = request.params
    const deliveryId = await activity.change(request, async (tx, note) => {
      const webhook = await requireActive(tx, organizationId, webhookId, clock)
      await countAsked(tx, organizationId, webhookId, clock)
      note({ organizationId, action: 'webhook-tested', subject: subjectOf(webhookId, webhook.url) })
      const data = { organizationId, webhookId, message: 'This is a test.' }
      return recordEventFor(tx, webhookId, { organizationId, siteId: null, type: 'test', data })
    })
    return { deliveryId }
  })

  addRoute(app, API.listDeliveries, async ({ params, query }) => {
    await requireWebhook(db, params.orgId, params.webhookId, clock)
    const { items: deliveries, next } = await createDeliveryStore(db).list(params.webhookId, query)
    return { deliveries, nextCursor: next }
  })

  addRoute(app, API.sendDeliveryAgain, async (request) => {
    const { orgId: organizationId, webhookId, deliveryId } = request.params
    await activity.change(request, async (tx, note) => {
      const webhook = await requireActive(tx, organizationId, webhookId, clock)
      const store = createDeliveryStore(tx)
      if (!(await store.exists(webhookId, deliveryId))) {
        throw new Failure('notFound', `this webhook has no delivery ${shown(deliveryId)}: the log keeps 30 days`)
      }
      await countAsked(tx, organizationId, webhookId, clock)
      if (!(await store.sendAgain(webhookId, deliveryId, now(deps)))) {
        throw new Failure('conflict', 'this delivery is still being tried: wait until it is over')
      }
      const subject = subjectOf(webhookId, webhook.url)
      note({ organizationId, action: 'delivery-resent', subject, details: { deliveryId } })
    })
    return { deliveryId }
  })
}

const now = ({ clock }: WebhookRouteDeps) => new Date(clock.now())

function readUrl({ guard }: WebhookRouteDeps, text: string): string {
  try {
    return guard.check(text).href
  } catch (error) {
    if (error instanceof RefusedAddress) throw new Failure('invalid', error.message, 'url')
    throw error
  }
}

/** Only the host: the rest of an address may be a secret of the receiver. */
const subjectOf = (id: string, url: string) => ({ kind: 'webhook', id, name: new URL(url).host }) as const

async function requireOwnSites(tx: Db, organizationId: string, siteIds: readonly string[] | null): Promise<void> {
  if (siteIds === null) return
  if ((await createWebhookStore(tx).ownSites(organizationId, siteIds)) === siteIds.length) return
  throw new Failure('invalid', 'siteIds names a site that this organization does not have', 'siteIds')
}

async function requireWebhook(db: Db, organizationId: string, id: string, clock: Clock): Promise<Webhook> {
  const webhook = await createWebhookStore(db).find(organizationId, id, new Date(clock.now()))
  if (!webhook) throw unknownWebhook(id)
  return webhook
}

async function requireActive(tx: Db, organizationId: string, id: string, clock: Clock): Promise<Webhook> {
  const webhook = await requireWebhook(tx, organizationId, id, clock)
  if (webhook.state === 'active') return webhook
  throw new Failure('conflict', 'this webhook is disabled: turn it on first')
}

async function countAsked(tx: Db, organizationId: string, id: string, clock: Clock): Promise<void> {
  const waitMs = await createWebhookStore(tx).countAsked(organizationId, id, new Date(clock.now()))
  if (!waitMs) return
  const waitS = Math.ceil(waitMs / 1000)
  throw quotaReached(
    `a webhook takes ${MAX_ASKED_PER_HOUR} tests and repeated deliveries an hour: try again in ${Math.ceil(waitS / 60)} minutes`,
    waitS,
  )
}

const unknownWebhook = (id: string) => new Failure('notFound', `this organization has no webhook ${shown(id)}`)
