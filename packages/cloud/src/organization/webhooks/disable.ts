import type { Clock } from '@plantroom/base/clock'
import { administratorsOf, oneLine, queueMail } from '../../platform/mail/index.ts'
import { type ActivityLog, SYSTEM } from '../activity/index.ts'
import { createDeliveryStore } from './delivery-store.ts'

/** Disables webhooks, records it, and notifies the administrators of the organization by mail. */
export function createDisable({
  activity,
  sendsMail,
  clock,
}: {
  activity: ActivityLog
  sendsMail: boolean
  clock: Clock
}): (webhookId: string, reason: string) => Promise<void> {
  return (webhookId, reason) =>
    activity.change({ actor: SYSTEM }, async (tx, note) => {
      const disabled = await createDeliveryStore(tx).disable(webhookId, { at: new Date(clock.now()), reason })
      if (!disabled) return
      const { organizationId, url } = disabled
      const host = new URL(url).host
      note({
        organizationId,
        action: 'webhook-disabled',
        subject: { kind: 'webhook', id: webhookId, name: host },
        details: { reason },
      })
      if (!sendsMail) return
      for (const recipient of await administratorsOf(tx, organizationId)) {
        const mail = disabledMail({ host, reason })
        await queueMail(tx, { organizationId, siteId: null, requestId: null, recipient, ...mail })
      }
    })
}

export function disabledMail({ host, reason }: { host: string; reason: string }): { subject: string; body: string } {
  const name = oneLine(host)
  return {
    subject: `The webhook to ${name} was disabled`,
    body: [
      `Plantroom no longer sends events to ${name}: ${oneLine(reason)}.`,
      '',
      'Repair the receiver, then turn the webhook on again under "Alerts and webhooks". Its list of deliveries shows what failed; you can send each of them again.',
      '',
      'You receive this message because you administer the organization.',
      '',
    ].join('\n'),
  }
}
