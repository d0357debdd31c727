import { Text } from '@mantine/core'
import type { Webhook } from '@plantroom/contract/webhooks'
import { useState } from 'react'
import { useChange } from '../../api/use-operation.ts'
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
  const [overlap, setOverlap] = useState<Overlap>('day')
  const rotate = useChange('rotateWebhookSecret', { onSuccess: ({ secret }) => onRotated(secret) })
  return (
    <Confirm
      opened
      onClose={onClose}
      title={format(texts.title, { host: hostOf(webhook.url) })}
      action={texts.action}
      color="cyan"
      mutation={rotate}
      onConfirm={() => rotate.mutate({ webhookId: webhook.id, body: { overlapSeconds: secondsOf(overlap) } })}
    >
      <Text>{texts.consequence}</Text>
      <OverlapField value={overlap} onChange={setOverlap} />
    </Confirm>
  )
}
