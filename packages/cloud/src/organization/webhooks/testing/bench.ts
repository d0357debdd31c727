import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import type { WebhookEventType } from '@plantroom/contract/webhooks'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { createGuard, createTransport, type Guard, openPlaces } from '../../../platform/outbound/index.ts'
import { createSeal } from '../../../platform/seal/index.ts'
import { runDue } from '../../../platform/work/index.ts'
import { openLog } from '../../activity/testing/logs.ts'
import { deliveries } from '../deliveries.ts'
import { createDeliveryStore } from '../delivery-store.ts'
import { createDisable } from '../disable.ts'
import { makeWebhookSecret } from '../sign.ts'
import { createWebhookStore } from '../webhook-store.ts'

/** Two organizations with a site each, their webhooks, and a worker whose clock stands still. */
export async function openWebhookBench({ guard }: { guard?: Guard } = {}) {
  const clock = createManualClock()
  const { db, activity } = await openLog({ clock })
  const log = createLog('test', 'silent')
  for (const name of ['a', 'b']) {
    await db
      .insertInto('organization')
      .values({ id: `org_${name}`, name })
      .execute()
    await db
      .insertInto('site')
      .values({ id: `site_${name}`, organization_id: `org_${name}`, name })
      .execute()
    const user = { id: `usr_${name}`, email: `${name}@example.com`, password_hash: null, last_seen_at: null }
    await db.insertInto('user_account').values(user).execute()
    const admin = { user_id: user.id, organization_id: `org_${name}`, site_id: null, role: 'admin' as const }
    await db.insertInto('membership').values(admin).execute()
  }
  const seal = createSeal('a key', 'webhooks')
  const deps = {
    store: createDeliveryStore(db),
    transport: createTransport({
      clock,
      places: openPlaces(),
      guard: guard ?? createGuard({ privateNetworks: ['127.0.0.1'] }),
    }),
    seal,
    disable: createDisable({ activity, sendsMail: true, clock }),
    clock,
    log,
    random: () => 0.5,
  }
  return {
    db,
    clock,
    deps,
    send: (own: Partial<typeof deps> = {}) => runDue({ db, clock, log }, deliveries({ ...deps, ...own })),
    async add(
      url: string,
      own: { organizationId?: string; types?: readonly WebhookEventType[]; siteIds?: readonly string[] } = {},
    ) {
      const { organizationId = 'org_a', types = ['alert.opened'], siteIds = null } = own
      const [id, secret] = [newId('wh'), makeWebhookSecret()]
      const store = createWebhookStore(db)
      await store.add({ id, organizationId, url, types, siteIds, secret: seal.seal(secret, id) })
      return { id, secret }
    },
    deliveries: async (webhookId: string) => (await deps.store.list(webhookId, { limit: 100 })).items,
    webhook: (id: string) => db.selectFrom('webhook').where('id', '=', id).selectAll().executeTakeFirstOrThrow(),
  }
}
