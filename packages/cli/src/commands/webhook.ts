import { type Delivery, WEBHOOK_SUBSCRIPTIONS, type Webhook } from '@plantroom/contract/webhooks'
import { wholeNumber } from '../arguments.ts'
import { administration } from '../clients.ts'
import { COMMON_FLAGS, repeated, valued } from '../command.ts'
import { command, verb } from '../declare.ts'
import { print, table } from '../output.ts'

const WEBHOOK = { name: 'ID', about: 'the id of a webhook' } as const

export const webhook = command('webhook', {
  group: 'administer',
  about: 'notify other servers of events',
  verbs: {
    add: verb({
      about: 'notify a server of events, and print the secret of the signatures; it is shown only once',
      arguments: [{ name: 'URL' }],
      options: {
        ...COMMON_FLAGS,
        event: repeated('TYPE', 'only these events; may be repeated. Default: all', { choices: WEBHOOK_SUBSCRIPTIONS }),
        site: repeated('SITE', 'only this site, by id or name; may be repeated. Default: all', { completes: 'site' }),
      },
      json: 'the webhook, with its secret',
      async run(flags, { URL: url }) {
        const { client, orgId, siteIds } = await administration(flags)
        // The service rejects unknown types, with a message that lists the known ones.
        const types = (flags.event ?? WEBHOOK_SUBSCRIPTIONS) as Webhook['types']
        const body = { url, types, siteIds: (await siteIds(flags.site)) ?? null }
        const made = await client.addWebhook({ orgId, body })
        print(flags.json, made, () =>
          [made.id, made.secret, 'This secret is shown only once. Give it to the receiver.'].join('\n'),
        )
      },
    }),
    list: verb({
      about: 'list webhooks',
      options: COMMON_FLAGS,
      json: '[{id, url, types, siteIds, state, …}]',
      async run(flags) {
        const { client, orgId } = await administration(flags)
        const { webhooks } = await client.listWebhooks({ orgId })
        const header = ['ID', 'URL', 'EVENTS', 'SITES', 'STATE']
        const none = 'no webhooks yet: plantroom webhook add URL'
        print(flags.json, webhooks, () => table(header, webhooks.map(row), none))
      },
    }),
    test: verb({
      about: 'send a test event',
      arguments: [WEBHOOK],
      options: COMMON_FLAGS,
      json: 'the queued delivery',
      async run(flags, { ID }) {
        const { client, orgId } = await administration(flags)
        const made = await client.testWebhook({ orgId, webhookId: ID })
        print(flags.json, made, () => `queued; see plantroom webhook deliveries ${ID}`)
      },
    }),
    deliveries: verb({
      about: 'list what was sent in the last 30 days, newest first',
      arguments: [WEBHOOK],
      options: { ...COMMON_FLAGS, limit: valued('N', 'at most N; 50 by default') },
      json: '[{createdAt, type, state, attempts, status, error, nextAttemptAt, …}]',
      async run(flags, { ID }) {
        const limit = wholeNumber(flags.limit ?? '50', '--limit')
        const { client, orgId } = await administration(flags)
        const { deliveries } = await client.listDeliveries({ orgId, webhookId: ID, query: { limit } })
        const header = ['CREATED', 'EVENT', 'STATE', 'ATTEMPTS', 'ANSWER', 'NEXT']
        print(flags.json, deliveries, () => table(header, deliveries.map(deliveryRow), 'nothing was sent yet'))
      },
    }),
    remove: verb({
      about: 'remove a webhook and its deliveries',
      arguments: [WEBHOOK],
      options: COMMON_FLAGS,
      json: '{id, removed}',
      async run(flags, { ID }) {
        const { client, orgId } = await administration(flags)
        await client.removeWebhook({ orgId, webhookId: ID })
        print(flags.json, { id: ID, removed: true }, () => `webhook ${ID} removed`)
      },
    }),
  },
})

function row({ id, url, types, siteIds, state, disabledReason, failingSince }: Webhook): string[] {
  const failing = failingSince === null ? state : `failing since ${failingSince}`
  const shownState = state === 'disabled' ? `disabled${disabledReason ? `: ${disabledReason}` : ''}` : failing
  return [id, url, types.join(' '), siteIds?.join(' ') ?? 'all', shownState]
}

function deliveryRow({ createdAt, type, state, attempts, status, error, nextAttemptAt }: Delivery): string[] {
  const answer = status === null ? (error ?? '-') : String(status)
  return [createdAt, type, state, String(attempts), answer, nextAttemptAt ?? '-']
}
