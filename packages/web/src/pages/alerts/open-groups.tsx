import { Badge, Card, Group, Stack, Text } from '@mantine/core'
import { type AlertGroup, groupAlerts } from '@plantroom/contract/alert-groups'
import type { Alert } from '@plantroom/contract/alerts'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { invalidate, useChange, useOperation } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { useNow } from '../../live/use-now.ts'
import { ChangeButton } from '../../parts/change-button.tsx'
import { type ChartRange, withRange } from '../../parts/chart/period.ts'
import { adviseOn, describeAlert, isSnoozedAt } from '../../parts/describe-alert.ts'
import { Link } from '../../parts/link.tsx'
import { datapointHash } from '../../parts/link-to-datapoint.ts'
import { Empty } from '../../parts/notices.tsx'
import { SmallButton } from '../../parts/small-button.tsx'
import { duration, minuteTime, plannedTime } from '../../parts/time.ts'
import { alertWork as texts } from '../../texts/alert-work.ts'
import { alerts } from '../../texts/alerts.ts'
import { format } from '../../texts/format.ts'
import { AlertDialog } from './alert-dialog.tsx'
import { MakeRequest } from './make-request.tsx'

const HOUR_MS = 3_600_000

/** The open alerts, one card for each cause. Snoozed ones are at the end. */
export function OpenGroups({ found }: { found: readonly Alert[] }) {
  const now = useNow(10_000)
  const isSnoozed = ({ lead }: AlertGroup<Alert>) => isSnoozedAt(lead, now)
  const groups = groupAlerts(found)
  const sorted = [...groups.filter((group) => !isSnoozed(group)), ...groups.filter(isSnoozed)]
  return (
    <Stack gap="sm" component="ul" p={0} m={0} aria-label={alerts.openLabel}>
      {sorted.map((group) => (
        <GroupCard key={group.lead.id} group={group} now={now} isSnoozed={isSnoozed(group)} />
      ))}
    </Stack>
  )
}

/** Nothing is an alert. Something may still be wrong. */
export function NoneOpen() {
  const { siteId } = useSite()
  const { data } = useOperation('listBecomingAlerts', { query: { siteId } }, { refetchInterval: 5_000 })
  if (data?.becoming.length === 0) return <Empty title={alerts.noneOpen}>{alerts.noneOpenHint}</Empty>
  return <Empty title={texts.noneYet}>{alerts.noneOpenHint}</Empty>
}

function GroupCard({ group, now, isSnoozed }: { group: AlertGroup<Alert>; now: number; isSnoozed: boolean }) {
  const { lead, together, caused } = group
  const { site, may } = useSite()
  const isAsked = useIsAsked([lead, ...together, ...caused])
  const element = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isAsked) element.current?.scrollIntoView({ block: 'center' })
  }, [isAsked])
  const since = {
    time: minuteTime(lead.beganAt, site.timeZone, now),
    duration: duration(now - Date.parse(lead.beganAt)),
  }
  return (
    <Card
      component="li"
      withBorder
      padding="sm"
      ref={element}
      data-asked={isAsked || undefined}
      style={{ listStyle: 'none' }}
    >
      <Stack gap={6}>
        <Group gap="xs" justify="space-between" align="baseline">
          <Text fw={600} component="h3" m={0} style={{ overflowWrap: 'anywhere' }}>
            {describeAlert(lead)}
          </Text>
          <Text size="sm" style={{ whiteSpace: 'nowrap' }} className="figures">
            {format(texts.sinceFor, since)}
          </Text>
        </Group>
        {together.length > 0 && <Text size="sm">{format(texts.together, { count: together.length })}</Text>}
        <Text size="sm">
          {adviseOn(lead)} <Place alert={lead} />
        </Text>
        <Progress alert={lead} now={now} isSnoozed={isSnoozed} />
        {caused.length > 0 && <Caused alerts={caused} />}
        {may('manager') && (
          <Group gap="xs">
            <Actions alert={lead} />
          </Group>
        )}
      </Stack>
    </Card>
  )
}

/** What people did about it. */
function Progress({ alert, now, isSnoozed }: { alert: Alert; now: number; isSnoozed: boolean }) {
  const { site, path } = useSite()
  const { acknowledgedBy, assignee, snoozedUntil, requestNumber } = alert
  const marks: ReactNode[] = []
  if (acknowledgedBy !== null) marks.push(format(texts.acknowledgedBy, { name: acknowledgedBy }))
  if (assignee !== null) marks.push(format(texts.assignedTo, { name: assignee }))
  if (isSnoozed && snoozedUntil) {
    marks.push(format(texts.snoozedUntil, { time: plannedTime(snoozedUntil, site.timeZone, now) }))
  }
  if (marks.length === 0 && requestNumber === null) return null
  return (
    <Group gap="xs">
      {marks.map((mark, index) => (
        <Badge key={String(index)} variant="light">
          {mark}
        </Badge>
      ))}
      {requestNumber !== null && (
        <Link to={path(`/requests/${requestNumber}`)} size="sm">
          {format(texts.request, { number: String(requestNumber) })}
        </Link>
      )}
    </Group>
  )
}

function Caused({ alerts: caused }: { alerts: readonly Alert[] }) {
  return (
    <details>
      <summary>{format(texts.explains, { count: caused.length })}</summary>
      <ul>
        {caused.map((alert) => (
          <li key={alert.id}>{describeAlert(alert)}</li>
        ))}
      </ul>
    </details>
  )
}

/** Where the cause is. */
function Place({ alert: { deviceId, subject, kind, beganAt } }: { alert: Alert }) {
  const { path } = useSite()
  if (kind === 'import-failed' || kind === 'export-failed') {
    return <Link to={path('/settings/packages')}>{texts.toPackages}</Link>
  }
  if (deviceId === null) return null
  const row = subject.kind === 'datapoint' ? datapointHash(subject.id) : ''
  const place = <Link to={path(`/devices/${deviceId}${row}`)}>{row ? texts.toDatapoint : texts.toController}</Link>
  if (kind !== 'limit-not-kept') return place
  return (
    <>
      <Link to={path(`/limits?${String(withRange(new URLSearchParams(), around(beganAt)))}`)}>{texts.toInterval}</Link>{' '}
      {place}
    </>
  )
}

/** The interval that ended then, with those around it. */
function around(at: string): ChartRange {
  const end = Date.parse(at)
  return { kind: 'own', from: end - HOUR_MS, to: end + HOUR_MS }
}

function Actions({ alert }: { alert: Alert }) {
  const [isOpen, setIsOpen] = useState(false)
  const change = useChange('changeAlert', { onSuccess: () => invalidate('listAlerts') })
  const acknowledged = alert.acknowledgedAt === null
  return (
    <>
      <ChangeButton
        size="xs"
        variant={acknowledged ? 'filled' : 'default'}
        change={change}
        onClick={() => change.mutate({ alertId: alert.id, body: { acknowledged } })}
      >
        {acknowledged ? texts.acknowledge : texts.reopen}
      </ChangeButton>
      <MakeRequest alert={alert} />
      <SmallButton onClick={() => setIsOpen(true)}>{texts.work}</SmallButton>
      {isOpen && <AlertDialog alert={alert} onClose={() => setIsOpen(false)} />}
    </>
  )
}

/** Whether a notification led here for one of these. */
function useIsAsked(all: readonly Alert[]): boolean {
  const [parameters] = useSearchParams()
  return all.some(({ id }) => id === parameters.get('alert'))
}
