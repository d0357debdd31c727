import { Button, Stack, Title } from '@mantine/core'
import type { Alert } from '@plantroom/contract/alerts'
import type { ReactNode } from 'react'
import { usePages } from '../../api/use-pages.ts'
import { useSession } from '../../api/use-session.ts'
import { useSite } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { describeAlert } from '../../parts/describe-alert.ts'
import { Empty, QueryView } from '../../parts/notices.tsx'
import { NotificationSwitch } from '../../parts/notification-switch.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { fullTime } from '../../parts/time.ts'
import { alerts } from '../../texts/alerts.ts'
import { common } from '../../texts/common.ts'
import { Becoming } from './becoming.tsx'
import { OpenGroups } from './open-groups.tsx'

const PAGE = 50
/** All that one controller may open in two hours. */
const MOST_OPEN = 200
const REFRESH = { refetchInterval: 15_000 }

/** The alerts of a site as work: what is open by its cause, what is becoming an alert, and what is over. */
export function AlertsPage() {
  const userId = useSession().data?.user.id
  const { siteId } = useSite()
  const query = { siteId, open: 'true', limit: MOST_OPEN } as const
  const open = usePages('listAlerts', { query }, (page) => page.alerts, REFRESH)
  return (
    <>
      <PageHead title={alerts.title} help="how-to/get-alerts">
        {alerts.intro}
      </PageHead>
      <Stack gap="xl">
        <Section title={alerts.openTitle}>
          <QueryView query={open}>{(found) => <OpenGroups found={found} />}</QueryView>
          <More query={open} />
        </Section>
        <Becoming />
        <Section title={alerts.closedTitle}>
          <ClosedAlerts />
        </Section>
        {userId !== undefined && <NotificationSwitch userId={userId} />}
      </Stack>
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="sm">
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  )
}

function ClosedAlerts() {
  const { siteId } = useSite()
  const query = { siteId, open: 'false', limit: PAGE } as const
  const closed = usePages('listAlerts', { query }, (page) => page.alerts, REFRESH)
  return (
    <>
      <QueryView query={closed}>
        {(found) => (found.length === 0 ? <Empty title={alerts.noneClosed} /> : <ClosedTable found={found} />)}
      </QueryView>
      <More query={closed} />
    </>
  )
}

function ClosedTable({ found }: { found: readonly Alert[] }) {
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

function More({ query }: { query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): unknown } }) {
  if (!query.hasNextPage) return null
  return (
    <Button variant="default" mx="auto" onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
      {common.more}
    </Button>
  )
}
