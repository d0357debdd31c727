import { Alert, Button, Group, Text, Title } from '@mantine/core'
import type { Webhook } from '@plantroom/contract/webhooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { Confirm } from '../../parts/dialogs.tsx'
import { Empty, ErrorNotice, QueryView } from '../../parts/notices.tsx'
import { CopyField, ShownOnce } from '../../parts/shown-once.tsx'
import { fullTime } from '../../parts/time.ts'
import { format } from '../../texts/format.ts'
import { webhooks } from '../../texts/webhooks.ts'
import { AddWebhook } from './add-webhook.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { describeSites, describeState, hostOf } from './describe-webhook.ts'

/** The webhooks of the organization, with a test button and their deliveries. */
export function WebhooksSection() {
  const { orgId } = useSite()
  const [isAdding, setIsAdding] = useState(false)
  const [secret, setSecret] = useState<string>()
  const [shown, setShown] = useState<Webhook>()
  const [removing, setRemoving] = useState<Webhook>()
  const query = useQuery({
    queryKey: ['webhooks', orgId],
    queryFn: async () => (await api.listWebhooks({ orgId })).webhooks,
  })
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {webhooks.title}
        </Title>
        <Button onClick={() => setIsAdding(true)}>{webhooks.add.open}</Button>
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {webhooks.intro}
      </Text>
      <QueryView query={query}>
        {(listed) =>
          listed.length === 0 ? (
            <Empty title={webhooks.empty}>{webhooks.emptyHint}</Empty>
          ) : (
            <WebhookTable listed={listed} onShow={setShown} onRemove={setRemoving} />
          )
        }
      </QueryView>
      {isAdding && (
        <AddWebhook
          onClose={() => setIsAdding(false)}
          onAdded={(made) => {
            setIsAdding(false)
            setSecret(made)
          }}
        />
      )}
      {secret !== undefined && (
        <ShownOnce
          title={webhooks.secret.title}
          done={webhooks.secret.done}
          secret={secret}
          onClose={() => setSecret(undefined)}
        >
          <Alert color="orange" variant="light" role="status" title={webhooks.secret.warning} />
          <CopyField label={webhooks.secret.label} value={secret} description={webhooks.secret.hint} />
        </ShownOnce>
      )}
      {shown && <DeliveryLog webhook={shown} onClose={() => setShown(undefined)} />}
      {removing && <RemoveWebhook webhook={removing} onClose={() => setRemoving(undefined)} />}
    </section>
  )
}

interface Actions {
  onShow: (webhook: Webhook) => void
  onRemove: (webhook: Webhook) => void
}

function WebhookTable({ listed, ...actions }: { listed: readonly Webhook[] } & Actions) {
  const { organization, site } = useSite()
  const timeOf = (at: string) => fullTime(at, site.timeZone)
  return (
    <CardTable
      label={webhooks.label}
      rows={listed}
      keyOf={({ id }) => id}
      columns={[
        { head: webhooks.address, cell: ({ url }) => <Text style={{ overflowWrap: 'anywhere' }}>{url}</Text> },
        { head: webhooks.events, cell: ({ types }) => types.map((type) => webhooks.type[type]).join(', ') },
        { head: webhooks.sites, cell: ({ siteIds }) => describeSites(siteIds, organization.sites) },
        { head: webhooks.state, cell: (webhook) => describeState(webhook, timeOf) },
        { head: webhooks.actions, plain: true, cell: (webhook) => <RowActions webhook={webhook} {...actions} /> },
      ]}
    />
  )
}

function RowActions({ webhook, onShow, onRemove }: { webhook: Webhook } & Actions) {
  const { orgId } = useSite()
  const client = useQueryClient()
  const host = hostOf(webhook.url)
  const changed = () => client.invalidateQueries({ queryKey: ['webhooks', orgId] })
  const path = { orgId, webhookId: webhook.id }
  const test = useMutation({ mutationFn: () => api.testWebhook(path), onSuccess: () => onShow(webhook) })
  const turnOn = useMutation({
    mutationFn: () => api.changeWebhook({ ...path, body: { active: true } }),
    onSuccess: changed,
  })
  const failure = test.error ?? turnOn.error
  return (
    <>
      <Group gap="xs">
        {webhook.state === 'active' ? (
          <Button
            size="xs"
            variant="default"
            aria-label={format(webhooks.testLabel, { host })}
            onClick={() => test.mutate()}
            loading={test.isPending}
          >
            {webhooks.test}
          </Button>
        ) : (
          <Button
            size="xs"
            variant="default"
            aria-label={format(webhooks.turnOnLabel, { host })}
            onClick={() => turnOn.mutate()}
            loading={turnOn.isPending}
          >
            {webhooks.turnOn}
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          aria-label={format(webhooks.logLabel, { host })}
          onClick={() => onShow(webhook)}
        >
          {webhooks.log}
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={format(webhooks.remove.label, { host })}
          onClick={() => onRemove(webhook)}
        >
          {webhooks.remove.button}
        </Button>
      </Group>
      {failure && <ErrorNotice error={failure} />}
    </>
  )
}

function RemoveWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { orgId } = useSite()
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => api.removeWebhook({ orgId, webhookId: webhook.id }),
    onSuccess() {
      void client.invalidateQueries({ queryKey: ['webhooks', orgId] })
      onClose()
    },
  })
  return (
    <Confirm
      opened
      onClose={onClose}
      title={format(webhooks.remove.title, { host: hostOf(webhook.url) })}
      action={webhooks.remove.button}
      mutation={remove}
      onConfirm={() => remove.mutate()}
    >
      <Text>{webhooks.removeConsequence}</Text>
    </Confirm>
  )
}
