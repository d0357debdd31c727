import { Alert, Button, Group, Text, Title } from '@mantine/core'
import type { Webhook } from '@plantroom/contract/webhooks'
import { useState } from 'react'
import { useChange, useOperation } from '../../api/use-operation.ts'
import { useOrganization } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { Confirm } from '../../parts/dialogs.tsx'
import { ListView } from '../../parts/list-view.tsx'
import { Empty, ErrorNotice } from '../../parts/notices.tsx'
import { CopyField, ShownOnce } from '../../parts/shown-once.tsx'
import { SmallButton } from '../../parts/small-button.tsx'
import { fullTime } from '../../parts/time.ts'
import { showUndo } from '../../parts/undo.tsx'
import { format } from '../../texts/format.ts'
import { webhooks } from '../../texts/webhooks.ts'
import { AddWebhook } from './add-webhook.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { describeSites, describeState, hostOf } from './describe-webhook.ts'
import { RotateWebhook } from './rotate-webhook.tsx'

/** The webhooks of the organization, with a test button and their deliveries. */
export function WebhooksSection() {
  const [isAdding, setIsAdding] = useState(false)
  const [secret, setSecret] = useState<string>()
  const [shown, setShown] = useState<Webhook>()
  const [removing, setRemoving] = useState<Webhook>()
  const [rotating, setRotating] = useState<Webhook>()
  const query = useOperation('listWebhooks', {}, { select: (reply) => reply.webhooks })
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
      <ListView query={query} empty={<Empty title={webhooks.empty}>{webhooks.emptyHint}</Empty>}>
        {(listed) => <WebhookTable listed={listed} onShow={setShown} onRotate={setRotating} onRemove={setRemoving} />}
      </ListView>
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
      {rotating && (
        <RotateWebhook
          webhook={rotating}
          onClose={() => setRotating(undefined)}
          onRotated={(made) => {
            setRotating(undefined)
            setSecret(made)
          }}
        />
      )}
      {removing && <RemoveWebhook webhook={removing} onClose={() => setRemoving(undefined)} />}
    </section>
  )
}

interface Actions {
  onShow: (webhook: Webhook) => void
  onRotate: (webhook: Webhook) => void
  onRemove: (webhook: Webhook) => void
}

function WebhookTable({ listed, ...actions }: { listed: readonly Webhook[] } & Actions) {
  const { organization, timeZone } = useOrganization()
  const timeOf = (at: string) => fullTime(at, timeZone)
  return (
    <CardTable
      label={webhooks.label}
      rows={listed}
      keyOf={({ id }) => id}
      columns={[
        { head: webhooks.address, name: true, cell: ({ url }) => url },
        { head: webhooks.events, cell: ({ types }) => types.map((type) => webhooks.type[type]).join(', ') },
        { head: webhooks.sites, cell: ({ siteIds }) => describeSites(siteIds, organization.sites) },
        { head: webhooks.state, cell: (webhook) => describeState(webhook, timeOf) },
        { head: webhooks.actions, plain: true, cell: (webhook) => <RowActions webhook={webhook} {...actions} /> },
      ]}
    />
  )
}

function RowActions({ webhook, onShow, onRotate, onRemove }: { webhook: Webhook } & Actions) {
  const host = hostOf(webhook.url)
  const test = useChange('testWebhook', { onSuccess: () => onShow(webhook) })
  const change = useChange('changeWebhook')
  const setActive = (active: boolean) => change.mutateAsync({ webhookId: webhook.id, body: { active } })
  async function turnOff(): Promise<void> {
    await setActive(false)
    showUndo(format(webhooks.turnedOff, { host }), () => setActive(true))
  }
  const failure = test.error ?? change.error
  const action = (text: string, label: string, onClick: () => void, loading = false) => (
    <SmallButton aria-label={label} onClick={onClick} loading={loading}>
      {text}
    </SmallButton>
  )
  return (
    <>
      <Group gap="xs">
        {webhook.state === 'active' &&
          action(
            webhooks.test,
            format(webhooks.testLabel, { host }),
            () => test.mutate({ webhookId: webhook.id }),
            test.isPending,
          )}
        {webhook.state === 'active'
          ? action(
              webhooks.turnOff,
              format(webhooks.turnOffLabel, { host }),
              () => void turnOff().catch(() => {}),
              change.isPending,
            )
          : action(
              webhooks.turnOn,
              format(webhooks.turnOnLabel, { host }),
              () => void setActive(true).catch(() => {}),
              change.isPending,
            )}
        {action(webhooks.log, format(webhooks.logLabel, { host }), () => onShow(webhook))}
        {action(webhooks.rotate.button, format(webhooks.rotate.label, { host }), () => onRotate(webhook))}
        {action(webhooks.remove.button, format(webhooks.remove.label, { host }), () => onRemove(webhook))}
      </Group>
      {failure && <ErrorNotice error={failure} />}
    </>
  )
}

function RemoveWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const remove = useChange('removeWebhook', { onSuccess: onClose })
  return (
    <Confirm
      opened
      onClose={onClose}
      title={format(webhooks.remove.title, { host: hostOf(webhook.url) })}
      action={webhooks.remove.button}
      mutation={remove}
      onConfirm={() => remove.mutate({ webhookId: webhook.id })}
    >
      <Text>{webhooks.removeConsequence}</Text>
    </Confirm>
  )
}
