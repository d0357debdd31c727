import { Stack } from '@mantine/core'
import type { Alert } from '@plantroom/contract/alerts'
import { useOpenSiteAlerts } from '../../api/use-open-alerts.ts'
import { usePages } from '../../api/use-pages.ts'
import { useSession } from '../../api/use-session.ts'
import { useSite } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { describeAlert } from '../../parts/describe-alert.ts'
import { ListView } from '../../parts/list-view.tsx'
import { Empty } from '../../parts/notices.tsx'
import { NotificationSwitch } from '../../parts/notification-switch.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Section } from '../../parts/section.tsx'
import { fullTime } from '../../parts/time.ts'
import { alerts } from '../../texts/alerts.ts'
import { Becoming } from './becoming.tsx'
import { NoneOpen, OpenGroups } from './open-groups.tsx'

const MOST_CLOSED = 50

/** The alerts of a site as work: what is open by its cause, what is becoming an alert, and what is over. */
export function AlertsPage() {
  const userId = useSession().data?.user.id
  return (
    <>
      <PageHead title={alerts.title}>{alerts.intro}</PageHead>
      <Stack gap="xl">
        <Section title={alerts.openTitle}>
          <ListView query={useOpenSiteAlerts(15_000)} empty={<NoneOpen />}>
            {(found) => <OpenGroups found={found} />}
          </ListView>
        </Section>
        <Becoming />
        <Section title={alerts.closedTitle}>
          <ListView query={useClosedAlerts()} empty={<Empty title={alerts.noneClosed} />}>
            {(found) => <ClosedAlerts found={found} />}
          </ListView>
        </Section>
        {userId !== undefined && <NotificationSwitch userId={userId} />}
      </Stack>
    </>
  )
}

function useClosedAlerts() {
  const { siteId } = useSite()
  const asked = { query: { siteId, open: 'false', limit: MOST_CLOSED } } as const
  return usePages('listAlerts', asked, (page) => page.alerts, { refetchInterval: 15_000 })
}

function ClosedAlerts({ found }: { found: readonly Alert[] }) {
  const { site } = useSite()
  return (
    <CardTable
      label={alerts.closedLabel}
      rows={found}
      keyOf={({ id }) => id}
      columns={[
        { head: alerts.what, cell: describeAlert },
        { head: alerts.since, time: true, cell: ({ beganAt }) => fullTime(beganAt, site.timeZone) },
        { head: alerts.until, time: true, cell: ({ closedAt }) => closedAt && fullTime(closedAt, site.timeZone) },
      ]}
    />
  )
}
