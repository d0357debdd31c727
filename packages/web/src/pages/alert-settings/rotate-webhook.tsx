import { Text } from '@mantine/core'
import type { Webhook } from '@plantroom/contract/webhooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { Confirm } from '../../parts/dialogs.tsx'
import { type Overlap, OverlapField, secondsOf } from '../../parts/overlap-field.tsx'
import { format } from '../../texts/format.ts'
import { webhooks } from '../../texts/webhooks.ts'
import { hostOf } from './describe-webhook.ts'

const texts = webhooks.rotate

/** Gives a webhook a new secret, and asks for how long deliveries are signed with the old one, too. */
export function RotateWebhook({
  webhook,
  onClose,
  onRotated,
}: {
  webhook: Webhook
  onClose: () => void
  onRotated: (secret: string) => void
}) {
  const { orgId } = useSite()
  const client = useQueryClient()
  const [overlap, setOverlap] = useState<Overlap>('day')
  const rotate = useMutation({
    mutationFn: () =>
      api.rotateWebhookSecret({ orgId, webhookId: webhook.id, body: { overlapSeconds: secondsOf(overlap) } }),
    onSuccess({ secret }) {
      void client.invalidateQueries({ queryKey: ['webhooks', orgId] })
      onRotated(secret)
    },
  })
  return (
    <Confirm
      opened
      onClose={onClose}
      title={format(texts.title, { host: hostOf(webhook.url) })}
      action={texts.action}
      color="blue"
      mutation={rotate}
      onConfirm={() => rotate.mutate()}
    >
      <Text>{texts.consequence}</Text>
      <OverlapField value={overlap} onChange={setOverlap} />
    </Confirm>
  )
}
