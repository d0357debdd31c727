import { Group, Alert as Notice, Stack, Text, Title } from '@mantine/core'
import type { Alert } from '@plantroom/contract/alerts'
import { useOperation } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { adviseOn, describeAlert } from '../../parts/describe-alert.ts'
import { Link } from '../../parts/link.tsx'
import { datapointHash } from '../../parts/link-to-datapoint.ts'
import { ErrorNotice } from '../../parts/notices.tsx'
import { minuteTime } from '../../parts/time.ts'
import { format } from '../../texts/format.ts'
import { site as texts } from '../../texts/site.ts'

const SHOWN = 5

/** The open alerts of the site, with what to do about each. Nothing while there are none. */
export function OpenAlerts({ now }: { now: number }) {
  const { siteId, path } = useSite()
  const asked = { query: { siteId, open: 'true', limit: SHOWN + 1 } } as const
  const query = useOperation('listAlerts', asked, { refetchInterval: 15_000 })
  if (query.data === undefined) return query.error && <ErrorNotice error={query.error} retry={query.refetch} />
  const { alerts } = query.data
  if (alerts.length === 0) return null
  return (
    <Stack component="section" gap="sm" aria-labelledby="open-alerts">
      <Group justify="space-between" align="baseline" gap="xs">
        <Title order={2} size="h3" id="open-alerts">
          {texts.alerts}
        </Title>
        <Link to={path('/alerts')}>{alerts.length > SHOWN ? texts.moreAlerts : texts.allAlerts}</Link>
      </Group>
      {alerts.slice(0, SHOWN).map((alert) => (
        <OpenAlert key={alert.id} alert={alert} now={now} />
      ))}
    </Stack>
  )
}

function OpenAlert({ alert, now }: { alert: Alert; now: number }) {
  const { site, path } = useSite()
  const { deviceId, subject, beganAt } = alert
  const row = subject.kind === 'datapoint' ? datapointHash(subject.id) : ''
  return (
    <Notice color="red" variant="light" title={describeAlert(alert)}>
      <Text size="sm">{adviseOn(alert)}</Text>
      <Group gap="md" mt={4}>
        <Text size="sm">{format(texts.since, { time: minuteTime(beganAt, site.timeZone, now) })}</Text>
        {deviceId !== null && (
          <Link to={path(`/devices/${deviceId}${row}`)} size="sm">
            {row ? texts.toDatapoint : texts.toController}
          </Link>
        )}
      </Group>
    </Notice>
  )
}
