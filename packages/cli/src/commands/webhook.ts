import { type Delivery, WEBHOOK_SUBSCRIPTIONS, type Webhook } from '@plantroom/contract/webhooks'
import { wholeNumber } from '../arguments.ts'
import { operatorClient, organizationOf } from '../clients.ts'
import { byVerb, COMMON_FLAGS, type Command, parse, positionals } from '../command.ts'
import { print, table } from '../output.ts'

export const webhook: Command = {
  usage: `plantroom webhook add URL [--event TYPE …] [--site ID …]
                                        tell a server what happens, and print the secret of the signatures;
                                        it is shown only once
                                        TYPE: ${WEBHOOK_SUBSCRIPTIONS.join(', ')}
                                        default: all types, all sites
plantroom webhook list                  list webhooks
plantroom webhook test ID               send a test event
plantroom webhook deliveries ID [--limit N]
                                        list what was sent in the last 30 days, newest first (default 50)
plantroom webhook remove ID             remove a webhook and its deliveries`,
  run: byVerb({
    async add(args) {
      const { values, positionals: given } = parse(args, {
        ...COMMON_FLAGS,
        event: { type: 'string', multiple: true },
        site: { type: 'string', multiple: true },
      })
      const { URL: url } = positionals(given, 'URL')
      const { client, config } = operatorClient(values)
      // The service rejects unknown types, with a message that lists the known ones.
      const types = (values.event ?? WEBHOOK_SUBSCRIPTIONS) as Webhook['types']
      const body = { url, types, siteIds: values.site ?? null }
      const made = await client.addWebhook({ orgId: organizationOf(config), body })
      print(values.json, made, () =>
        [made.id, made.secret, 'This secret is shown only once. Give it to the receiver.'].join('\n'),
      )
    },
    async list(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      positionals(given)
      const { client, config } = operatorClient(values)
      const { webhooks } = await client.listWebhooks({ orgId: organizationOf(config) })
      const header = ['ID', 'URL', 'EVENTS', 'SITES', 'STATE']
      print(values.json, webhooks, () => table(header, webhooks.map(row), 'no webhooks yet: plantroom webhook add URL'))
    },
    async test(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      const { ID } = positionals(given, 'ID')
      const { client, config } = operatorClient(values)
      const made = await client.testWebhook({ orgId: organizationOf(config), webhookId: ID })
      print(values.json, made, () => `queued; see plantroom webhook deliveries ${ID}`)
    },
    async deliveries(args) {
      const { values, positionals: given } = parse(args, { ...COMMON_FLAGS, limit: { type: 'string' } })
      const { ID } = positionals(given, 'ID')
      const limit = wholeNumber(values.limit ?? '50', '--limit')
      const { client, config } = operatorClient(values)
      const query = { limit }
      const { deliveries } = await client.listDeliveries({ orgId: organizationOf(config), webhookId: ID, query })
      const header = ['CREATED', 'EVENT', 'STATE', 'ATTEMPTS', 'ANSWER', 'NEXT']
      print(values.json, deliveries, () => table(header, deliveries.map(deliveryRow), 'nothing was sent yet'))
    },
    async remove(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      const { ID } = positionals(given, 'ID')
      const { client, config } = operatorClient(values)
      await client.removeWebhook({ orgId: organizationOf(config), webhookId: ID })
      print(values.json, { id: ID, removed: true }, () => `webhook ${ID} removed`)
    },
  }),
}

function row({ id, url, types, siteIds, state, disabledReason, failingSince }: Webhook): string[] {
  const failing = failingSince === null ? state : `failing since ${failingSince}`
  const shownState = state === 'disabled' ? `disabled${disabledReason ? `: ${disabledReason}` : ''}` : failing
  return [id, url, types.join(' '), siteIds?.join(' ') ?? 'all', shownState]
}

function deliveryRow({ createdAt, type, state, attempts, status, error, nextAttemptAt }: Delivery): string[] {
  const answer = status === null ? (error ?? '-') : String(status)
  return [createdAt, type, state, String(attempts), answer, nextAttemptAt ?? '-']
}
