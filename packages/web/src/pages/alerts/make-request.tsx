import type { Alert } from '@plantroom/contract/alerts'
import { useLocation } from 'wouter'
import { invalidate, useChange } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { ChangeButton } from '../../parts/change-button.tsx'
import { adviseOn, describeAlert } from '../../parts/describe-alert.ts'
import { fullTime } from '../../parts/time.ts'
import { alertWork as texts } from '../../texts/alert-work.ts'
import { format } from '../../texts/format.ts'

/** Makes a maintenance request of an alert with one click, and opens it. */
export function MakeRequest({ alert }: { alert: Alert }) {
  const { site, path } = useSite()
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
  const description = [
    format(texts.requestText, { sentence: describeAlert(alert), time: fullTime(beganAt, site.timeZone) }),
    adviseOn(alert),
    address,
  ].join('\n\n')
  return (
    <ChangeButton
      size="xs"
      change={add}
      onClick={() => add.mutate({ body: { title: describeAlert(alert).slice(0, 255), description, alertId } })}
    >
      {texts.makeRequest}
    </ChangeButton>
  )
}
