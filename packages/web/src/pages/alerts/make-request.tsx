import type { Alert } from '@plantroom/contract/alerts'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { invalidate, useChange } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { ChangeButton } from '../../parts/change-button.tsx'
import { adviseOn, describeAlert } from '../../parts/describe-alert.ts'
import { fullTime } from '../../parts/time.ts'
import { listed } from '../../parts/value.ts'
import { alertWork as texts } from '../../texts/alert-work.ts'
import { format } from '../../texts/format.ts'

/** Makes a maintenance request of an alert with one click, with its chart and its audit entries, and opens it. */
export function MakeRequest({ alert }: { alert: Alert }) {
  const { site, siteId, orgId, path } = useSite()
  const [isPreparing, setPreparing] = useState(false)
  const [, navigate] = useLocation()
  const add = useChange('addRequest', {
    async onSuccess({ number }) {
      await invalidate('listAlerts')
      navigate(path(`/requests/${number}`))
    },
  })
  if (alert.requestNumber !== null || !site.maintenanceRequests) return null
  const { id: alertId, beganAt } = alert
  const address = `${window.location.origin}${path(`/alerts?alert=${alertId}`)}`
  async function make() {
    setPreparing(true)
    const where = { orgId, siteId, timeZone: site.timeZone }
    const { attachments, missing } = await import('./attach-evidence.ts')
      .then(({ attachEvidence }) => attachEvidence(alert, where))
      // The request matters more than its attachments.
      .catch(() => ({ attachments: [], missing: [texts.chartFile, texts.auditFile] }))
    setPreparing(false)
    const title = describeAlert(alert)
    const description = [
      format(texts.requestText, { sentence: title, time: fullTime(beganAt, site.timeZone) }),
      adviseOn(alert),
      ...(missing.length > 0 ? [format(texts.notAttached, { files: listed(missing) })] : []),
      address,
    ].join('\n\n')
    add.mutate({ body: { title: title.slice(0, 255), description, alertId, attachments } })
  }

  return (
    <ChangeButton
      size="xs"
      change={{ isPending: isPreparing || add.isPending, error: add.error }}
      onClick={() => void make()}
    >
      {texts.makeRequest}
    </ChangeButton>
  )
}
