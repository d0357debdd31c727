import { Text } from '@mantine/core'
import type { Delivery, Webhook } from '@plantroom/contract/webhooks'
import { useChange } from '../../api/use-operation.ts'
import { usePages } from '../../api/use-pages.ts'
import { useOrganization } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { Modal } from '../../parts/dialogs.tsx'
import { ListView } from '../../parts/list-view.tsx'
import { Empty, ErrorNotice } from '../../parts/notices.tsx'
import { SmallButton } from '../../parts/small-button.tsx'
import { exactTime } from '../../parts/time.ts'
import { format } from '../../texts/format.ts'
import { webhooks } from '../../texts/webhooks.ts'
import { describeAnswer, describeDelivery, hostOf } from './describe-webhook.ts'

const texts = webhooks.deliveries
const PAGE = 20

/** What was sent to a webhook in the last 30 days, newest first. */
export function DeliveryLog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { timeZone } = useOrganization()
  const asked = { webhookId: webhook.id, query: { limit: PAGE } }
  const query = usePages('listDeliveries', asked, ({ deliveries }) => deliveries, { refetchInterval: 2_000 })
  const timeOf = (at: string) => exactTime(at, timeZone)
  return (
    <Modal opened onClose={onClose} size="xl" title={format(texts.title, { host: hostOf(webhook.url) })}>
      <ListView query={query} empty={<Empty title={texts.empty} />}>
        {(found) => (
          <CardTable
            label={texts.label}
            rows={found}
            keyOf={({ id }) => id}
            framed={false}
            columns={[
              { head: texts.event, cell: ({ type }) => webhooks.type[type] },
              { head: texts.when, time: true, cell: ({ createdAt }) => timeOf(createdAt) },
              { head: texts.state, cell: (delivery) => describeDelivery(delivery, timeOf) },
              { head: texts.answer, cell: (delivery) => <Answer delivery={delivery} /> },
              {
                head: webhooks.actions,
                plain: true,
                cell: (delivery) => <Resend delivery={delivery} webhook={webhook} timeOf={timeOf} />,
              },
            ]}
          />
        )}
      </ListView>
    </Modal>
  )
}

function Answer({ delivery }: { delivery: Delivery }) {
  const lines = describeAnswer(delivery)
  if (lines.length === 0) return null
  return lines.map((line) => (
    <Text size="sm" key={line} style={{ overflowWrap: 'anywhere' }} lineClamp={3}>
      {line}
    </Text>
  ))
}

function Resend({
  delivery,
  webhook,
  timeOf,
}: {
  delivery: Delivery
  webhook: Webhook
  timeOf: (at: string) => string
}) {
  const resend = useChange('sendDeliveryAgain')
  if (delivery.state === 'waiting' || webhook.state === 'disabled') return null
  return (
    <>
      <SmallButton
        aria-label={format(texts.resendLabel, { time: timeOf(delivery.createdAt) })}
        onClick={() => resend.mutate({ webhookId: webhook.id, deliveryId: delivery.id })}
        loading={resend.isPending}
      >
        {texts.resend}
      </SmallButton>
      {resend.error && <ErrorNotice error={resend.error} />}
    </>
  )
}
