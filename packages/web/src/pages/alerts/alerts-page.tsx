import { Button, Mark, Stack, Title } from '@mantine/core'
import type { Alert } from '@plantroom/contract/alerts'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { usePages } from '../../api/use-pages.ts'
import { useSession } from '../../api/use-session.ts'
import { useSite } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { adviseOn, describeAlert } from '../../parts/describe-alert.ts'
import { Empty, QueryView } from '../../parts/notices.tsx'
import { NotificationSwitch } from '../../parts/notification-switch.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { fullTime } from '../../parts/time.ts'
import { alerts } from '../../texts/alerts.ts'
import { common } from '../../texts/common.ts'

const PAGE = 50

/** What is and was wrong at a site: what is open first. */
export function AlertsPage() {
  const userId = useSession().data?.user.id
  return (
    <>
      <PageHead title={alerts.title} help="how-to/get-alerts">
        {alerts.intro}
      </PageHead>
      <Stack gap="xl">
        <section>
          <Title order={2} size="h4" mb="sm">
            {alerts.openTitle}
          </Title>
          <AlertList open="true" />
        </section>
        <section>
          <Title order={2} size="h4" mb="sm">
            {alerts.closedTitle}
          </Title>
          <AlertList open="false" />
        </section>
        {userId !== undefined && <NotificationSwitch userId={userId} />}
      </Stack>
    </>
  )
}

function AlertList({ open }: { open: 'true' | 'false' }) {
  const { siteId } = useSite()
  const asked = { query: { siteId, open, limit: PAGE } }
  const query = usePages('listAlerts', asked, (page) => page.alerts, { refetchInterval: 15_000 })
  const { hasNextPage, fetchNextPage, isFetchingNextPage } = query
  return (
    <Stack>
      <QueryView query={query}>
        {(found) => (found.length === 0 ? <None open={open} /> : <AlertTable found={found} open={open} />)}
      </QueryView>
      {hasNextPage && (
        <Button variant="default" mx="auto" onClick={() => void fetchNextPage()} loading={isFetchingNextPage}>
          {common.more}
        </Button>
      )}
    </Stack>
  )
}

function None({ open }: { open: 'true' | 'false' }) {
  if (open === 'false') return <Empty title={alerts.noneClosed} />
  return <Empty title={alerts.noneOpen}>{alerts.noneOpenHint}</Empty>
}

function AlertTable({ found, open }: { found: readonly Alert[]; open: 'true' | 'false' }) {
  const { site } = useSite()
  const timeOf = (at: string) => fullTime(at, site.timeZone)
  const until = {
    head: alerts.until,
    time: true,
    cell: ({ closedAt }: Alert) => closedAt !== null && timeOf(closedAt),
  }
  return (
    <CardTable
      label={open === 'true' ? alerts.openLabel : alerts.closedLabel}
      rows={found}
      keyOf={({ id }) => id}
      columns={[
        { head: alerts.what, cell: (alert) => <What alert={alert} /> },
        ...(open === 'true' ? [{ head: alerts.advice, cell: adviseOn }] : []),
        { head: alerts.since, time: true, cell: ({ beganAt }) => timeOf(beganAt) },
        ...(open === 'false' ? [until] : []),
      ]}
    />
  )
}

/** What is wrong. The alert that a notification was about is marked and in view. */
function What({ alert }: { alert: Alert }) {
  const [parameters] = useSearchParams()
  const isAsked = parameters.get('alert') === alert.id
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isAsked) element.current?.scrollIntoView({ block: 'center' })
  }, [isAsked])
  return isAsked ? (
    <Mark color="yellow" ref={element}>
      {describeAlert(alert)}
    </Mark>
  ) : (
    describeAlert(alert)
  )
}
