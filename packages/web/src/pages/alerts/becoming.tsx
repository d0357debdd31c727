import { Text } from '@mantine/core'
import { useOperation } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { useNow } from '../../live/use-now.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { describeAlert } from '../../parts/describe-alert.ts'
import { Section } from '../../parts/section.tsx'
import { duration, fullTime } from '../../parts/time.ts'
import { alertWork as texts } from '../../texts/alert-work.ts'
import { format } from '../../texts/format.ts'

/** What is wrong now and is not an alert yet. Nothing while there is none. */
export function Becoming() {
  const { site, siteId } = useSite()
  const now = useNow()
  const { data } = useOperation('listBecomingAlerts', { query: { siteId } }, { refetchInterval: 5_000 })
  if (!data || data.becoming.length === 0) return null
  return (
    <Section title={texts.becoming} gap="sm">
      <Text size="sm" c="dimmed">
        {texts.becomingHint}
      </Text>
      <CardTable
        label={texts.becoming}
        rows={data.becoming}
        keyOf={({ kind, deviceId, subject }) => `${kind} ${deviceId} ${subject.id}`}
        columns={[
          { head: texts.what, cell: describeAlert },
          { head: texts.since, time: true, cell: ({ beganAt }) => fullTime(beganAt, site.timeZone) },
          {
            head: texts.opens,
            time: true,
            cell: ({ opensAt }) => format(texts.opensIn, { time: duration(Date.parse(opensAt) - now) }),
          },
        ]}
      />
    </Section>
  )
}
